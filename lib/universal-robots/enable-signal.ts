import { startInterval } from '../timers/timers'
import type { EnableRegisters } from './script'

/** Milliseconds between two changes: the controller brakes after 400 ms without one. */
const period = 40
/** Milliseconds without news from the robot, after which nothing is enabled. */
const freshFor = 300
const largest = 2 ** 31 - 1

/** The signal that must keep changing while the robot may move. Stands still as soon as the robot is not heard. */
export class EnableSignal {
  readonly #registers: EnableRegisters
  readonly #write: (values: Record<string, number>) => void
  readonly #heardAt: () => number | undefined
  #timer: NodeJS.Timeout | undefined
  #count = 0

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

  /** Enables the motion of that number, until `withdraw`. */
  give(motion: number): void {
    clearInterval(this.#timer)
    this.#timer = startInterval(() => this.#next(motion), period)
    this.#next(motion)
  }

  /** Takes the enable away: the robot brakes at once. */
  withdraw(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#set(0, 0)
  }

  #next(motion: number): void {
    const heard = this.#heardAt()
    if (heard === undefined || performance.now() - heard > freshFor) return
    this.#count = (this.#count % largest) + 1
    this.#set(this.#count, motion)
  }

  #set(enable: number, motion: number): void {
    this.#write({
      [`input_int_register_${this.#registers.enable}`]: enable,
      [`input_int_register_${this.#registers.motion}`]: motion,
    })
  }
}
