import { randomUUID } from 'node:crypto'
import { finalStates, type Answer } from '../messages'
import { startTimeout } from '../../timers/timers'
import { CentreError } from './centre-error'

interface Waiting {
  plant: string
  cell: string
  resolve: (answer: Answer) => void
  leave: () => void
}

/** Single questions that wait for their answer, at most. */
const most = 1000
const prefix = 'ask-'

/** Single commands whose answers a flow waits for. */
export class Asks {
  readonly #waiting = new Map<string, Waiting>()

  /** Whether an id is of a single command, of this start or an earlier one. */
  static isOne(id: string): boolean {
    return id.startsWith(prefix)
  }

  /**
   * @param of the cell that is asked: nobody answers in its name
   * @param send with the id of the command
   * @param within seconds
   * @throws CentreError `BUSY`; `OUTCOME_UNKNOWN` without an answer in time; `ABORTED`
   */
  async ask(
    { plant, cell }: Pick<Waiting, 'plant' | 'cell'>,
    send: (id: string) => void,
    within: number,
    signal: AbortSignal,
  ): Promise<Answer> {
    if (this.#waiting.size >= most) throw new CentreError('BUSY', 'asks-full', { most })
    const id = prefix + randomUUID()
    return new Promise((resolve, reject) => {
      const end = (error: CentreError) => {
        this.#leave(id)
        reject(error)
      }
      const timer = startTimeout(
        () => end(new CentreError('OUTCOME_UNKNOWN', 'ask-unanswered', { seconds: within })),
        1000 * within,
      )
      const aborted = () => end(new CentreError('ABORTED', 'ask-closed'))
      const leave = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', aborted)
      }
      this.#waiting.set(id, { plant, cell, resolve, leave })
      if (signal.aborted) aborted()
      else {
        signal.addEventListener('abort', aborted)
        send(id)
      }
    })
  }

  /** Takes a final answer. */
  hear(answer: Answer): void {
    if (!finalStates.has(answer.state)) return
    const waiting = this.#waiting.get(answer.id)
    if (waiting?.plant !== answer.plant || waiting.cell !== answer.cell) return
    this.#leave(answer.id)
    waiting.resolve(answer)
  }

  #leave(id: string): void {
    this.#waiting.get(id)?.leave()
    this.#waiting.delete(id)
  }
}
