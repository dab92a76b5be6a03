import { startInterval } from '../timers/timers'
import type { Drive } from './driver'
import type { RobotError } from './robot-error'
import { robotError } from './sentences'
import type { RobotState } from './state'

/** How a motion is run. */
export interface MotionOptions {
  /** Metres per second. @default the limit */
  speed?: number
  /** Metres per second squared. @default the limit */
  acceleration?: number
  /** Asked every 25 ms: the motion ends as soon as it is false. @default () => true */
  enabled?: () => boolean
  /** An abort stops the robot before the motion rejects. */
  signal?: AbortSignal
  /** Told before each motion, from 1, and when the robot stands there. */
  onStep?: (number: number, is: 'begun' | 'reached', state: RobotState) => void
}

/** Milliseconds between two looks at the enable signal. */
const lookEvery = 25

/** One motion, which anybody may fail: the controller's enable is then taken away at once, and what waits for it rejects. */
export class Motion {
  readonly #ending = new AbortController()
  readonly #failure: Promise<never>
  readonly #looking: NodeJS.Timeout
  readonly #unwatch: () => void
  #reject: ((error: RobotError) => void) | undefined
  #drive: Drive | undefined
  #hasBegun = false

  /** @param stopped makes the error of a motion whose signal is aborted */
  constructor({ enabled = () => true, signal }: MotionOptions, stopped: () => RobotError) {
    this.#failure = new Promise((_resolve, reject) => (this.#reject = reject))
    this.#failure.catch(() => undefined)
    const abort = () => this.fail(stopped())
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
    this.#unwatch = () => signal?.removeEventListener('abort', abort)
    this.#looking = startInterval(() => {
      if (!enabled()) this.fail(robotError({ code: 'ENABLE_LOST', key: 'robot-enable-lost' }))
    }, lookEvery)
  }

  /** Aborted as soon as the motion has failed. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Whether anything was sent to the controller. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Whether the controller has taken a motion. */
  get isDriving(): boolean {
    return this.#drive !== undefined
  }

  /** What the work resolves with, unless the motion fails before. */
  until<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([this.#failure, work])
  }

  /** Resolves when the controller no longer works on what was begun. A drive that begins after the end is ended at once. */
  async drive(begin: () => Promise<Drive>): Promise<void> {
    this.#hasBegun = true
    const beginning = begin()
    beginning.then(
      (late) => this.signal.aborted && late.withdraw(),
      () => undefined,
    )
    this.#drive = await this.until(beginning)
    await this.until(this.#drive.ended)
  }

  fail(error: RobotError): void {
    this.#drive?.withdraw()
    this.#ending.abort()
    this.#reject?.(error)
  }

  /** Nothing of it is left. */
  end(): void {
    clearInterval(this.#looking)
    this.#unwatch()
    this.#drive?.withdraw()
  }
}
