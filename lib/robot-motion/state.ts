import type { Pose, Vector } from '../robotics'
// Alone: the folder's index loads the mathematics.
import { degrees } from '../robotics/rotation'

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
