/**
 * The state of a robot, and what a make implements so that it can be read and moved. Import this file directly where
 * the mathematics behind the folder's index must not be loaded.
 */
import type { Pose, Vector } from '../robotics'
import { degrees } from '../robotics/pose'
import { CodedError, errorsAs } from '../kernel/errors'
import { sentencesIn, type Sentences } from '../kernel/sentences'
import type en from './locales/en-US/sentences.json'

/** Stable codes of robot failures, which flows may test for. */
export const robotErrorCodes = {
  INVALID_INPUT: 'a setting or a value cannot be used; nothing was sent',
  UNREACHABLE: 'no connection to the robot',
  TIMEOUT: 'the robot did not answer in time',
  BAD_REPLY: 'the answer is not that of such a robot',
  ABORTED: 'closed by the flow',
  BUSY: 'another motion is under way',
  REFUSED: 'the robot refused the motion',
  NOT_ALLOWED: 'the settings do not allow motions',
  FROM_COMMAND: 'the message comes from a command of a centre, and these never move a robot',
  NOT_CONFIRMED: 'the motion was not confirmed in time, or was declined',
  RESET_NEEDED: 'the robot was stopped and has not been reset',
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
  NOT_THERE: 'the robot is not at its target',
  STOP_UNCONFIRMED: 'standstill was not confirmed after a stop',
} as const

export type RobotErrorCode = keyof typeof robotErrorCodes

/** Beyond the code: the network's error, or the robot's own text. */
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

export const robotErrorsOf = <Key extends string>(sentences: Sentences<Key>) =>
  errorsAs(RobotError, sentences)

export const robotError = robotErrorsOf(sentencesIn<typeof en>(__dirname))

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

/** Of the robot's own safety controller. */
export type SafetyState =
  | 'normal'
  | 'reduced'
  | 'protective-stop'
  | 'emergency-stop'
  | 'safeguard-stop'
  | 'recovery'
  | 'fault'
  | 'unknown'

/** Of the program on the controller. */
export type ProgramState = 'stopped' | 'running' | 'paused'

/** Metres, radians, in the frame of the robot's base. */
export interface RobotState {
  /** Monotonic milliseconds. */
  receivedAt: number
  /** The active TCP without its offset. */
  flange: Pose
  /** The active TCP, as the pendant shows it. */
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
  /** Active payload: mass in kg, and centre in the frame of the flange; undefined if the robot does not report it. */
  payload?: { mass: number; centre?: Vector }
  /** Current limit of the speed, 0 to 1. */
  speedScaling: number
  /** Sent before the robot received the last stop: it may still start an earlier motion. */
  unaware?: boolean
}

/** Below, a robot is at rest: the noise of its values is smaller. */
const rest = { metresPerSecond: 0.001, degreesPerSecond: 0.3 } as const

/** Above, a robot is moving. */
const moved = { metresPerSecond: 0.005, degreesPerSecond: 1 } as const

const isBelow = ({ speed, turning }: RobotState, limit: typeof rest | typeof moved) =>
  speed < limit.metresPerSecond && degrees(turning) < limit.degreesPerSecond

export const isAtRest = (state: RobotState): boolean => isBelow(state, rest)

/** Neither this nor `isAtRest` is true while a motion settles. */
export const isMoving = (state: RobotState): boolean => !isBelow(state, moved)

export interface Pace {
  /** Metres per second of the TCP. */
  speed: number
  /** Metres per second squared. */
  acceleration: number
}

export interface DriverEvents {
  onState: (state: RobotState) => void
  onUp: () => void
  /** Lost, or not established; repeated only for another reason. */
  onDown: (error: RobotError) => void
}

export interface Drive {
  /** The controller has finished, wherever the robot is. @throws RobotError if the controller refused it */
  ended: Promise<void>
  /** Withdraws the enable: the controller brakes by itself. Never throws. */
  withdraw: () => void
}

/** The permission to start a motion: a connection may take seconds, in which everything may change. */
export interface StartPermission {
  /** Aborted as soon as nothing may be sent any more. */
  signal: AbortSignal
  /** Checks the robot again. Await it last before something is enabled or sent. @throws the obstacle */
  clear: () => Promise<void>
}

/** How a stop was sent. */
export interface StopWays {
  enable: boolean
  /** A braking program, or the controller's stop command. */
  command: boolean
}

/** One make of robot. Knows nothing of limits and permissions: others use `Robot`. */
export interface RobotDriver {
  /** Of the controller's software; undefined until it is known. */
  readonly version: string | undefined
  /** The robot accepts motions over the network; undefined if it has no such mode or does not report it. */
  remoteControl: (signal: AbortSignal) => Promise<boolean | undefined>
  /** In a straight line. The controller must brake within half a second when this process, connection or enable ends. */
  drive: (flange: Pose, pace: Pace, leave: StartPermission) => Promise<Drive>
  /** Sends a stop in all ways at once. Never rejects. */
  brake: () => Promise<StopWays>
  /** Ends all connections, and resolves when nothing is left. */
  close: () => Promise<void>
}
