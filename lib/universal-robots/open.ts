import type { OpenDriver } from '../robot-motion'
import { UniversalRobot, type UniversalRobotOptions } from './universal-robot'

/** The driver of a Universal Robots arm, for `Robot`. Connects at once, and again for ever until it is closed. */
export const universalRobot =
  (options: UniversalRobotOptions): OpenDriver =>
  (events) =>
    new UniversalRobot(options, events)
