import { startInterval } from '../timers/timers'
import type { EnableRegisters } from './script'

/** Milliseconds between two changes: the controller brakes after 400 ms without one. */
const period = 40
/** Milliseconds without news from the robot, after which the enable is taken away. */
const freshFor = 300
/** Milliseconds after which a robot that does not say what it has received has received it. */
const receivedWithin = 300
const largest = 2 ** 31 - 1

/**
 * The signal that must keep changing while the robot may move. It is taken away as soon as the robot is not heard: a robot that
 * still hears us brakes at once, one that does not brakes because nothing changes.
 */
export class EnableSignal {
  readonly #registers: EnableRegisters
  readonly #write: (values: Record<string, number>) => void
  readonly #heardAt: () => number | undefined
  #timer: NodeJS.Timeout | undefined
  #motion = 0
  #count = 0
  /** Number of the last withdrawal, below 0: no motion has it. */
  #withdrawal = 0
  #withdrawnAt = Number.NEGATIVE_INFINITY

  /** @param heardAt when the robot was heard last, milliseconds of `performance.now()` */
  constructor(
    registers: EnableRegisters,
    write: (values: Record<string, number>) => void,
    heardAt: () => number | undefined,
  ) {
    this.#registers = registers
    this.#write = write
    this.#heardAt = heardAt
  }

  /** Enables the motion of that number, until it is withdrawn. */
  give(motion: number): void {
    clearInterval(this.#timer)
    this.#motion = motion
    this.#timer = startInterval(() => this.#next(), period)
    this.#next()
  }

  /** Takes the enable away: the robot brakes at once. @param motion whose enable it is; without it, any */
  withdraw(motion = this.#motion): void {
    if (motion !== this.#motion) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#motion = 0
    this.#withdrawal = -((-this.#withdrawal % largest) + 1)
    this.#withdrawnAt = performance.now()
    this.#set(0, this.#withdrawal)
  }

  /**
   * Whether the robot may not have received the last withdrawal yet.
   * @param motion the number that it says to have received last; undefined where it does not say it
   */
  isUnaware(motion: number | undefined): boolean {
    if (motion === undefined) return performance.now() - this.#withdrawnAt < receivedWithin
    return this.#withdrawal < 0 && this.#motion === 0 && motion !== this.#withdrawal
  }

  #next(): void {
    if (this.#isHeard) {
      this.#count = (this.#count % largest) + 1
      this.#set(this.#count, this.#motion)
      return
    }
    const motion = this.#motion
    // A process that was busy reads first what has arrived meanwhile.
    setImmediate(() => {
      if (motion === 0 || this.#isHeard) return
      this.withdraw(motion)
    })
  }

  get #isHeard(): boolean {
    const heard = this.#heardAt()
    return heard !== undefined && performance.now() - heard <= freshFor
  }

  #set(enable: number, motion: number): void {
    this.#write({
      [`input_int_register_${this.#registers.enable}`]: enable,
      [`input_int_register_${this.#registers.motion}`]: motion,
    })
  }
}
