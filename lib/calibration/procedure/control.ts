import type { Confirmation } from '../parts'

/** Pause and skip. */
export class Control {
  #paused: { over: Promise<void>; end: () => void } | undefined
  #skip: (() => void) | undefined

  pause(): void {
    if (this.#paused) return
    let release: (() => void) | undefined
    const over = new Promise<void>((resolve) => (release = resolve))
    this.#paused = { over, end: () => release?.() }
  }

  resume(): void {
    this.#paused?.end()
    this.#paused = undefined
  }

  skip(): void {
    this.#skip?.()
  }

  /** Asks, and waits while it is paused: the answer counts only when the pause is over. */
  async permitted(ask: () => Promise<Confirmation>, stopped: Promise<'stop'>): Promise<Confirmation> {
    const skipped = this.#waiting()
    const asked = this.#whileRunning().then(ask)
    const answer = await Promise.race([asked, skipped, stopped])
    if (answer !== 'go') return answer
    return Promise.race([this.#whileRunning().then(() => answer), skipped, stopped])
  }

  async #whileRunning(): Promise<void> {
    while (this.#paused) await this.#paused.over
  }

  /** Resolves if the movement that waits is skipped. */
  #waiting(): Promise<'skip'> {
    return new Promise((resolve) => {
      this.#skip = () => resolve('skip')
    })
  }
}
