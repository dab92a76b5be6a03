import { startTimeout } from '../../lib/timers/timers'

/** Something that is awaited for a while, and then no more. */
export class LastWords {
  #heard: (() => void) | undefined

  /** They have come. */
  heard(): void {
    this.#heard?.()
  }

  /** Resolves when they come, at the latest after so many milliseconds. */
  async within(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#heard = resolve
      timer = startTimeout(resolve, milliseconds)
    })
    clearTimeout(timer)
    this.#heard = undefined
  }
}
