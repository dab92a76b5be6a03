import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'

/** Manual `setTimeout` (promises too) and `performance.now`. Sockets do not work meanwhile. */
export class MovedClock {
  #now = 0
  readonly #step: number

  /** @param step milliseconds */
  constructor(step = 250) {
    this.#step = step
    mock.timers.enable({ apis: ['setTimeout'] })
    mock.method(performance, 'now', () => this.#now)
  }

  /** Milliseconds. */
  get now(): number {
    return this.#now
  }

  async move(milliseconds: number): Promise<void> {
    for (const end = this.#now + milliseconds; this.#now < end;) {
      await settled()
      this.#now += this.#step
      mock.timers.tick(this.#step)
    }
    await settled()
  }

  /** Restores the real clock. */
  stop(): void {
    mock.timers.reset()
    mock.restoreAll()
  }
}

/** Lets the effects of a timer happen. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn()
}
