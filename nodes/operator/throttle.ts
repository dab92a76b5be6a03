import { startTimeout } from '../../lib/kernel/timers'

/** Something that is shown at once, and then again when it has changed, at most so often. */
export class Throttle {
  readonly #pause: number
  readonly #show: () => void
  #timer: NodeJS.Timeout | undefined
  #isDue = false

  /** @param pause milliseconds */
  constructor(pause: number, show: () => void) {
    this.#pause = pause
    this.#show = show
  }

  changed(): void {
    if (this.#timer) {
      this.#isDue = true
      return
    }
    this.#isDue = false
    this.#timer = startTimeout(() => {
      this.#timer = undefined
      if (this.#isDue) this.changed()
    }, this.#pause)
    this.#show()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#isDue = false
  }
}
