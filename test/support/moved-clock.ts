import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'

/**
 * A clock that stands still until it is moved: `setTimeout`, also that of promises, and `performance.now`. Nothing that
 * uses a socket works meanwhile.
 */
export class MovedClock {
  #now = 0
  readonly #step: number

  /** @param step milliseconds by which it moves at a time */
  constructor(step = 250) {
    this.#step = step
    mock.timers.enable({ apis: ['setTimeout'] })
    mock.method(performance, 'now', () => this.#now)
  }

  /** Milliseconds since it was made. */
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

  /** The real clock counts again. */
  stop(): void {
    mock.timers.reset()
    mock.restoreAll()
  }
}

/** What follows from a timer has happened. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn()
}
