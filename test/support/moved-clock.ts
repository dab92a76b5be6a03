import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds by which a clock moves at a time. */
const step = 250

/**
 * A clock that stands still until it is moved: `setTimeout`, also that of promises, and `performance.now`. Nothing that
 * uses a socket works meanwhile.
 */
export class MovedClock {
  #now = 0

  constructor() {
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
      this.#now += step
      mock.timers.tick(step)
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
