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

/** A failure, with a key of the sentences of the part that fails. */
export interface RobotFailure<Key extends string> {
  code: RobotErrorCode
  key: Key
  values?: Record<string, unknown>
  /** What is known beyond the code: the network's error, or the robot's own words. */
  cause?: { reason?: string; detail?: string }
}

/** The error of everything that moves a robot. `code` is stable; the message says what happened and what to do. */
export class RobotError extends Error {
  override readonly name = 'RobotError'
  readonly code: RobotErrorCode
  /** Key of the sentence in the `locales` of the part that failed. */
  readonly key: string
  /** The values of the sentence's placeholders. */
  readonly values: Record<string, unknown>
  override readonly cause?: { reason?: string; detail?: string }
  readonly #failure: RobotFailure<string>
  readonly #sentences: Sentences

  constructor(failure: RobotFailure<string>, sentences: Sentences, language?: string) {
    const { code, key, values = {}, cause } = failure
    super(sentences.say(key, values, language))
    this.#failure = failure
    this.#sentences = sentences
    this.code = code
    this.key = key
    this.values = values
    if (cause) this.cause = cause
  }

  /** The same error with its message in another language. */
  inLanguage(language: string | undefined): RobotError {
    return new RobotError(this.#failure, this.#sentences, language)
  }
}

/** Makes the errors of a part, which has sentences of its own. */
export const robotErrorsOf =
  <Key extends string>(sentences: Sentences<Key>) =>
  (failure: RobotFailure<Key>): RobotError =>
    new RobotError(failure, sentences)

export const robotError = robotErrorsOf(sentencesIn<typeof en>(__dirname))
