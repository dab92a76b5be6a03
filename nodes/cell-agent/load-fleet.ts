import { createRequire } from 'node:module'
import type * as Fleet from '../../lib/fleet'
import type * as Agent from '../../lib/fleet/agent'
import type * as Running from './running-agent'

/** Loads the messages of the fleet with the first node that uses them. */
export const loadFleet = (): typeof Fleet => createRequire(__filename)('../../lib/fleet') as typeof Fleet

/** Loads the agent with the first node that is one. */
export const loadAgent = (): typeof Agent =>
  createRequire(__filename)('../../lib/fleet/agent') as typeof Agent

/** Loads what an agent needs for its work with the first one that starts. */
export const loadRunning = (): typeof Running =>
  createRequire(__filename)('./running-agent') as typeof Running
