import { randomUUID } from 'node:crypto'
import { startTimeout } from '../../lib/timers/timers'
import { motionError } from './sentences'

/** A question that only a person answers. */
export class Question {
  #open: { id: string; answer: (isYes: boolean) => void } | undefined

  /** Whether somebody waits for an answer. */
  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /**
   * Asks, and resolves when it is confirmed.
   * @param ask sends the question; the answer must carry its id
   * @param within seconds
   * @throws RobotError NOT_CONFIRMED if it is declined, or not answered in time
   */
  async put(ask: (id: string) => void, within: number, signal: AbortSignal): Promise<void> {
    const id = randomUUID()
    let timer: NodeJS.Timeout | undefined
    let aborted: (() => void) | undefined
    try {
      await new Promise<void>((resolve, reject) => {
        const fail = (key: Parameters<typeof motionError>[1]) =>
          reject(motionError('NOT_CONFIRMED', key, { seconds: within }))
        aborted = () => fail('robot-question-ended')
        this.#open = { id, answer: (isYes) => (isYes ? resolve() : fail('robot-declined')) }
        timer = startTimeout(() => fail('robot-not-confirmed'), within * 1000)
        if (signal.aborted) aborted()
        else signal.addEventListener('abort', aborted, { once: true })
        ask(id)
      })
    } finally {
      clearTimeout(timer)
      if (aborted) signal.removeEventListener('abort', aborted)
      if (this.#open?.id === id) this.#open = undefined
    }
  }

  /** A person's answer. @param id of the question that it answers; none: the open one @returns whether it answers one */
  answer(isYes: boolean, id: unknown): boolean {
    const open = this.#open
    if (!open || (id !== undefined && id !== open.id)) return false
    this.#open = undefined
    open.answer(isYes)
    return true
  }
}
