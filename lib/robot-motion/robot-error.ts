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
