import { closedBy, readingTime } from '../robot-motion/question'
import { motionError } from '../robot-motion/must-be-local'
import { sleep } from '../../lib/timers/timers'

/** Milliseconds between two looks while nothing is held. */
const lookEvery = 20

/** An enable signal that must keep coming, such as from a button that is held. */
export class HeldEnable {
  readonly #heldFor: () => number
  #last = Number.NEGATIVE_INFINITY

  /** @param heldFor milliseconds between two messages, at most */
  constructor(heldFor: () => number) {
    this.#heldFor = heldFor
  }

  get isHeld(): boolean {
    return performance.now() - this.#last < this.#heldFor()
  }

  came(): void {
    this.#last = performance.now()
  }

  /** A button that is released. */
  release(): void {
    this.#last = Number.NEGATIVE_INFINITY
  }

  /**
   * What was held before the question is no answer to it, nor what nobody can have read before: a button that is held
   * already has to be released.
   * @param within seconds
   * @throws RobotError NOT_CONFIRMED if it does not come in time
   */
  async held(within: number, signal: AbortSignal): Promise<void> {
    const asked = performance.now()
    let wasReleased = false
    for (;;) {
      if (!this.isHeld) wasReleased = true
      else if (wasReleased && this.#last >= asked + readingTime) return
      if (performance.now() > asked + within * 1000)
        throw motionError('NOT_CONFIRMED', 'robot-not-held', { seconds: within })
      try {
        await sleep(lookEvery, signal)
      } catch {
        throw closedBy(signal.reason)
      }
    }
  }
}
