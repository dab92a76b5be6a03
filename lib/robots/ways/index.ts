import { ascii } from './ascii'
import { abb } from './abb'
import { fanuc } from './fanuc'
import { kuka } from './kuka'
import { universalRobots } from './universal-robots'
import type { Way } from './way'

/** The ways of speaking, by the make of robot. */
export const ways = {
  'universal-robots': universalRobots,
  kuka,
  abb,
  fanuc,
  ascii,
} as const satisfies Record<string, Way>

/** One of `ways`. */
export type WayId = keyof typeof ways
export const wayIds = Object.keys(ways) as WayId[]

/** The binary protocol of a device's robot interface, which is no text. */
export const robotInterface = 'robot-interface'

export { lineEnds, type LineEnd, type RobotAnswer, type RobotNumbers, type Way } from './way'
