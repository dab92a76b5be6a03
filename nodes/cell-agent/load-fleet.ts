import { createRequire } from 'node:module'
import type * as Fleet from '../../lib/fleet'
import type * as Agent from '../../lib/fleet/agent'
import type * as Sparkplug from '../../lib/fleet/sparkplug'

/** Loads the messages of the fleet with the first node that uses them. */
export const loadFleet = (): typeof Fleet => createRequire(__filename)('../../lib/fleet') as typeof Fleet

/** Loads the agent with the first node that is one. */
export const loadAgent = (): typeof Agent =>
  createRequire(__filename)('../../lib/fleet/agent') as typeof Agent

/** Loads Sparkplug B with the first agent that speaks it. */
export const loadSparkplug = (): typeof Sparkplug =>
  createRequire(__filename)('../../lib/fleet/sparkplug') as typeof Sparkplug
