/**
 * What a robot is like at a moment, and what a make implements so that it can be read and moved. Imported by itself where the
 * mathematics behind the folder's index must not be loaded.
 */

import type { Pose, Vector } from '../robotics'
import { degrees } from '../robotics/rotation'
import type { RobotError } from './robot-error'

/** Whether a robot has power and may move. */
export type RobotMode =
  | 'running'
  | 'idle'
  | 'power-on'
  | 'power-off'
  | 'booting'
  | 'backdrive'
  | 'updating'
  | 'confirm-safety'
  | 'disconnected'
  | 'no-controller'
  | 'unknown'

/** What the robot's own safety says. */
export type SafetyState =
  | 'normal'
  | 'reduced'
  | 'protective-stop'
  | 'emergency-stop'
  | 'safeguard-stop'
  | 'recovery'
  | 'fault'
  | 'unknown'

/** Whether a program runs on the controller. */
export type ProgramState = 'stopped' | 'running' | 'paused'

/** What a robot says of itself at one moment. Metres, radians, in the frame of the robot's base. */
export interface RobotState {
  /** When it arrived: milliseconds of a clock that never steps back. */
  receivedAt: number
  /** Pose of the flange: that of the active TCP without its offset. */
  flange: Pose
  /** Pose of the active TCP, as the pendant shows it. */
  tcp: Pose
  /** The active TCP in the frame of the flange. */
  tcpOffset: Pose
  joints: readonly number[]
  /** Of the TCP, metres per second. */
  speed: number
  /** Of the TCP, radians per second. */
  turning: number
  mode: RobotMode
  safety: SafetyState
  program: ProgramState
  /** What the active payload weighs, kg, and where its centre is in the flange; missing where the robot does not say it. */
  payload?: { mass: number; centre?: Vector }
  /** What limits the speed now, 0 to 1. */
  speedScaling: number
  /** The robot had not received the last stop when it told this: it may still begin what was sent before. */
  unaware?: boolean
}

/** A robot that is slower stands: its own values tremble by less. */
const rest = { metresPerSecond: 0.001, degreesPerSecond: 0.3 } as const

/** A robot that is faster is moved by something. */
const moved = { metresPerSecond: 0.005, degreesPerSecond: 1 } as const

const isBelow = ({ speed, turning }: RobotState, limit: typeof rest | typeof moved) =>
  speed < limit.metresPerSecond && degrees(turning) < limit.degreesPerSecond

/** Whether the robot stands still. */
export const isAtRest = (state: RobotState): boolean => isBelow(state, rest)

/** Whether the robot clearly moves; neither this nor at rest is the trembling of a motion that ends. */
export const isMoving = (state: RobotState): boolean => !isBelow(state, moved)

/** How fast a motion is. */
export interface Pace {
  /** Metres per second of the TCP. */
  speed: number
  /** Metres per second squared. */
  acceleration: number
}

/** What a driver tells. */
export interface DriverEvents {
  onState: (state: RobotState) => void
  /** The connection stands. */
  onUp: () => void
  /** It was lost, or could not be made; again only where the reason is another. */
  onDown: (error: RobotError) => void
}

/** A motion under way. */
export interface Drive {
  /** The controller no longer works on it, wherever the robot is. @throws RobotError if the controller refused it */
  ended: Promise<void>
  /** Takes the enable away: the controller brakes by itself. Never throws. */
  withdraw: () => void
}

/** The leave to begin a motion: a connection may take seconds, in which everything may change. */
export interface Leave {
  /** Aborted as soon as the motion is no longer wanted: from then on nothing is sent for it. */
  signal: AbortSignal
  /** Looks at the robot once more. Await it last before something is enabled or sent. @throws what stands in the way */
  clear: () => Promise<void>
}

/** By which ways a stop was sent. */
export interface StopWays {
  /** The enable was taken away. */
  enable: boolean
  /** A program that brakes, or the command of the controller. */
  command: boolean
}

/** One make of robot. Knows nothing of limits and permissions: `Robot` is what others use. */
export interface RobotDriver {
  /** Version of the controller's software; undefined until it is known. */
  readonly version: string | undefined
  /** Whether the robot takes motions over the network; undefined where it has no such mode or does not tell. */
  remoteControl: (signal: AbortSignal) => Promise<boolean | undefined>
  /**
   * Moves the flange in a straight line. The controller must brake by itself, within half a second, where this process,
   * its connection or its enable ends.
   */
  drive: (flange: Pose, pace: Pace, leave: Leave) => Promise<Drive>
  /** Sends a stop by all ways at once. Never rejects. */
  brake: () => Promise<StopWays>
  /** Ends all connections, and resolves when nothing is left. */
  close: () => Promise<void>
}
