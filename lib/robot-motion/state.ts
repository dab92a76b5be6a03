/**
 * What a robot is like at a moment, and what a make implements so that it can be read and moved. Imported by itself where the
 * mathematics behind the folder's index must not be loaded.
 */
import type { Pose, Vector } from '../robotics'
import { degrees } from '../robotics/pose'
import { CodedError, errorsAs } from '../kernel/errors'
import { sentencesIn, type Sentences } from '../kernel/sentences'
import type en from './locales/en-US/sentences.json'

/** What went wrong with a robot that this software moves, as a stable code that flows may test for. */
export const robotErrorCodes = {
  INVALID_INPUT: 'a setting or a value cannot be used; nothing was sent',
  UNREACHABLE: 'no connection to the robot',
  TIMEOUT: 'the robot did not answer in time',
  BAD_REPLY: 'what came is not what this robot sends',
  ABORTED: 'closed by the flow',
  BUSY: 'another motion is under way',
  REFUSED: 'the robot refused the motion',
  NOT_ALLOWED: 'the settings do not allow motions',
  FROM_COMMAND: 'the message comes from a command of a centre, and such never move a robot',
  NOT_CONFIRMED: 'nobody confirmed the motion in time, or it was declined',
  RESET_NEEDED: 'something stopped the robot, and nobody has reset that yet',
  LIMIT: 'the motion is beyond the limits of the settings; nothing was sent',
  NOT_REMOTE: 'the robot is not in remote control',
  WRONG_MODE: 'the robot is not ready to move',
  PROGRAM_RUNNING: 'a program is running or paused on the robot',
  NOT_AT_REST: 'the robot moves although nothing was sent',
  POSE_CHANGED: 'the tool, the payload or the pose is no longer the confirmed one',
  PROTECTIVE_STOP: 'protective stop',
  EMERGENCY_STOP: 'emergency stop',
  SAFETY_STOP: 'the robot was stopped for safety',
  CONNECTION_LOST: 'the connection was lost in the middle of a motion',
  ENABLE_LOST: 'the enable signal ended in the middle of a motion',
  STOPPED: 'the motion was stopped on request',
  NOT_THERE: 'the robot stands elsewhere than where it was sent',
  STOP_UNCONFIRMED: 'nobody knows whether the robot stands after a stop',
} as const

/** One of `robotErrorCodes`. */
export type RobotErrorCode = keyof typeof robotErrorCodes

/** What is known of a failure beyond its code: the network's error, or the robot's own words. */
export interface RobotErrorCause {
  reason?: string
  detail?: string
}

/** The error of everything that moves a robot. `code` is stable; the message says what happened and what to do. */
export class RobotError extends CodedError<RobotErrorCode, RobotErrorCause> {
  override readonly name = 'RobotError'

  /** The same error with its message in another language. */
  retold(language: string | undefined): RobotError {
    return new RobotError(this, this.sentences, { language })
  }
}

/** Returns a function that creates the errors of a part with its own sentences. */
export const robotErrorsOf = <Key extends string>(sentences: Sentences<Key>) =>
  errorsAs(RobotError, sentences)

export const robotError = robotErrorsOf(sentencesIn<typeof en>(__dirname))

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
  /** Sent before the robot received the last stop: it may still begin an earlier motion. */
  unaware?: boolean
}

/** A slower robot is at rest: the noise of its values is smaller. */
const rest = { metresPerSecond: 0.001, degreesPerSecond: 0.3 } as const

/** A robot that is faster is moved by something. */
const moved = { metresPerSecond: 0.005, degreesPerSecond: 1 } as const

const isBelow = ({ speed, turning }: RobotState, limit: typeof rest | typeof moved) =>
  speed < limit.metresPerSecond && degrees(turning) < limit.degreesPerSecond

/** Whether the robot is at rest. */
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

/** Driver events. */
export interface DriverEvents {
  onState: (state: RobotState) => void
  /** The connection is established. */
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
  /** Checks the robot again. Await it last before something is enabled or sent. @throws the obstacle */
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
