import { check } from '../../kernel/scope'
import type { Confirmation } from '../parts'

/** Pause and skip. */
export class Control {
  #paused: { over: Promise<void>; end: () => void } | undefined
  #skip: (() => void) | undefined
  /** Closes the question that is open: a pause does, and it is asked again after it. */
  #asking: AbortController | undefined

  pause(): void {
    if (this.#paused) return
    let release: (() => void) | undefined
    const over = new Promise<void>((resolve) => (release = resolve))
    this.#paused = { over, end: () => release?.() }
    this.#asking?.abort()
  }

  resume(): void {
    this.#paused?.end()
    this.#paused = undefined
  }

  skip(): void {
    this.#skip?.()
  }

  /**
   * Asks while nothing is paused. Each movement has one question at a time: a pause closes it, and an answer counts only while
   * nothing is paused. What is skipped or stopped is asked no more.
   * @param ask ends with its signal
   */
  async permitted(
    ask: (signal: AbortSignal) => Promise<Confirmation>,
    stopped: Promise<'stop'>,
  ): Promise<Confirmation> {
    const over = new AbortController()
    const skipped = new Promise<'skip'>((resolve) => (this.#skip = () => resolve('skip')))
    try {
      return await Promise.race([this.#answer(ask, over.signal), skipped, stopped])
    } finally {
      this.#skip = undefined
      over.abort()
    }
  }

  async #answer(
    ask: (signal: AbortSignal) => Promise<Confirmation>,
    over: AbortSignal,
  ): Promise<Confirmation> {
    for (;;) {
      while (this.#paused) await this.#paused.over
      check(over)
      const asking = (this.#asking = new AbortController())
      try {
        const answer = await ask(AbortSignal.any([over, asking.signal]))
        if (!asking.signal.aborted) return answer
      } catch (error) {
        if (over.aborted || !asking.signal.aborted) throw error
      }
    }
  }
}
