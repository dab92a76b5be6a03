/**
 * One motion under way: what ends it, what it waits for, and whether it may still move.
 */
import { check, reasonOf, unlessAborted } from '../kernel/scope'
import { patientTimeout, startInterval } from '../kernel/timers'
import { robotError, RobotError } from './robot-error'
import type { Drive, RobotState } from './state'

interface Waiter<Value> {
  resolve: (value: Value) => void
  reject: (error: Error) => void
}

/** Those who wait for the next of something that comes again and again. */
export class Waiting<Value> {
  readonly #waiting = new Set<Waiter<Value>>()

  /**
   * @param within milliseconds
   * @param late makes the error of who waits too long
   * @throws RobotError; the reason of the signal as soon as it is aborted, or ABORTED
   */
  next(within: number, signal: AbortSignal | undefined, late: () => Error): Promise<Value> {
    return new Promise((resolve, reject) => {
      const end = () => {
        stop()
        signal?.removeEventListener('abort', aborted)
        this.#waiting.delete(waiter)
      }
      const waiter: Waiter<Value> = {
        resolve: (value) => {
          end()
          resolve(value)
        },
        reject: (error) => {
          end()
          reject(error)
        },
      }
      const aborted = () => {
        const reason: unknown = signal?.reason
        waiter.reject(
          reason instanceof RobotError ? reason : robotError({ code: 'ABORTED', key: 'robot-closed' }),
        )
      }
      const stop = patientTimeout(() => waiter.reject(late()), within)
      this.#waiting.add(waiter)
      if (signal?.aborted) aborted()
      else signal?.addEventListener('abort', aborted, { once: true })
    })
  }

  resolve(value: Value): void {
    for (const waiter of [...this.#waiting]) waiter.resolve(value)
  }

  fail(error: Error): void {
    for (const waiter of [...this.#waiting]) waiter.reject(error)
  }
}

/** How a motion is run. */
export interface MotionOptions {
  /** Metres per second. @default the limit */
  speed?: number
  /** Metres per second squared. @default the limit */
  acceleration?: number
  /** Asked every 25 ms: the motion ends as soon as it is false. @default () => true */
  enabled?: () => boolean
  /** An abort stops the robot before the motion rejects, with the reason if that is a `RobotError`. */
  signal?: AbortSignal
  /** Told before each motion, from 1, and when the robot stands there. */
  onStep?: (number: number, is: 'begun' | 'reached', state: RobotState) => void
}

/** Milliseconds between two looks at the enable signal. */
const lookEvery = 25

/** One motion, which anybody may fail: the controller's enable is then taken away at once, and what waits for it rejects. */
export class Motion {
  readonly #ending = new AbortController()
  readonly #looking: NodeJS.Timeout
  readonly #unwatch: () => void
  #drive: Drive | undefined
  #hasBegun = false
  #isClear = false

  /**
   * @param turn that in which it was accepted: ends it with its reason
   * @param stopped makes the error of a motion whose signal is aborted
   */
  constructor({ enabled = () => true, signal }: MotionOptions, turn: AbortSignal, stopped: () => RobotError) {
    const over = () => this.fail(reasonOf(turn))
    const aborted = () => {
      const reason: unknown = signal?.reason
      this.fail(reason instanceof RobotError ? reason : stopped())
    }
    const watch = (each: AbortSignal | undefined, end: () => void) => {
      if (each?.aborted) end()
      each?.addEventListener('abort', end, { once: true })
    }
    watch(turn, over)
    watch(signal, aborted)
    this.#unwatch = () => {
      turn.removeEventListener('abort', over)
      signal?.removeEventListener('abort', aborted)
    }
    this.#looking = startInterval(() => {
      if (!enabled()) this.fail(robotError({ code: 'ENABLE_LOST', key: 'robot-enable-lost' }))
    }, lookEvery)
  }

  /** Aborted as soon as the motion has failed. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Whether a connection for it was begun. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Whether anything may have been sent that moves the robot. */
  get mayMove(): boolean {
    return this.#isClear
  }

  /** From here on it is sent. @throws the failure of the motion */
  clear(): void {
    this.check()
    this.#isClear = true
  }

  /** Whether the controller has taken a motion. */
  get isDriving(): boolean {
    return this.#drive !== undefined
  }

  /** @throws the failure of the motion */
  check(): void {
    check(this.signal)
  }

  /** What the work resolves with, unless the motion fails before. */
  until<Result>(work: Promise<Result>): Promise<Result> {
    return unlessAborted(this.signal, work)
  }

  /** Resolves when the controller no longer works on what was begun. A drive that begins after the end is ended at once. */
  async drive(begin: () => Promise<Drive>): Promise<void> {
    this.check()
    this.#hasBegun = true
    this.#isClear = false
    const beginning = begin()
    beginning.then(
      (late) => this.signal.aborted && late.withdraw(),
      () => undefined,
    )
    this.#drive = await this.until(beginning)
    await this.until(this.#drive.ended)
  }

  fail(error: Error): void {
    this.#drive?.withdraw()
    this.#ending.abort(error)
  }

  /** Nothing of it is left. */
  end(): void {
    clearInterval(this.#looking)
    this.#unwatch()
    this.#drive?.withdraw()
  }
}
