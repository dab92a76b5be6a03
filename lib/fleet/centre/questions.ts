import { randomUUID } from 'node:crypto'
import { Replies } from '../../kernel/replies'
import { finalStates, type Answer } from '../messages'
import { CentreError } from './centre-error'

/** Single questions that wait for their answer, at most. */
const mostQuestions = 1000

const questionPrefix = 'ask-'

/** A cell answers only in its own name. */
const tokenOf = (id: string, { plant, cell }: { plant: string; cell: string }) => `${id} ${plant}/${cell}`

/** Single commands whose answers a flow waits for. */
export class PendingQuestions {
  readonly #replies = new Replies<Answer>()

  /** Whether an id is of a single command, of this start or an earlier one. */
  static isQuestion(id: string): boolean {
    return id.startsWith(questionPrefix)
  }

  /**
   * @param of the cell that is asked
   * @param send with the id of the command
   * @param within seconds
   * @throws CentreError `BUSY`; `OUTCOME_UNKNOWN` without an answer in time; `ABORTED`
   */
  async ask(
    of: { plant: string; cell: string },
    send: (id: string) => void,
    within: number,
    signal: AbortSignal,
  ): Promise<Answer> {
    if (this.#replies.open.length >= mostQuestions)
      throw new CentreError('BUSY', 'asks-full', { most: mostQuestions })
    if (signal.aborted) throw new CentreError('ABORTED', 'ask-closed')
    const id = questionPrefix + randomUUID()
    const { reply } = this.#replies.ask({
      ...{ token: tokenOf(id, of), within: 1000 * within, signal },
      unanswered: () => new CentreError('OUTCOME_UNKNOWN', 'ask-unanswered', { seconds: within }),
    })
    send(id)
    return reply.catch((error: unknown) => {
      throw error instanceof CentreError ? error : new CentreError('ABORTED', 'ask-closed')
    })
  }

  /** Takes a final answer. */
  receive(answer: Answer): void {
    if (finalStates.has(answer.state)) this.#replies.reply(tokenOf(answer.id, answer), answer)
  }
}
