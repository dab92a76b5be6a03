import { createRequire } from 'node:module'
import type * as FleetCentre from '../../lib/fleet/centre'

/** Loads the centre with the first node of this kind. */
export const loadFleet = (): typeof FleetCentre =>
  createRequire(__filename)('../../lib/fleet/centre') as typeof FleetCentre
