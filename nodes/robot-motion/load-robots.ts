import { createRequire } from 'node:module'
import type * as motion from '../../lib/robot-motion'
import type * as universal from '../../lib/universal-robots'

/** Loads the robots when the first one is used: Node-RED starts faster without them. */
export function loadRobots() {
  const load = createRequire(__filename)
  const { isAtRest, Robot } = load('../../lib/robot-motion') as typeof motion
  const { universalRobot } = load('../../lib/universal-robots') as typeof universal
  return { isAtRest, Robot, universalRobot }
}
