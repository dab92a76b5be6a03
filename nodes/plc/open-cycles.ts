import type { NodeAPI } from 'node-red'
import { codeOf as plcCodeOf, type CodeTable } from '../../lib/plc/codes'
import { detailOf } from '../shared/node-error'
import type { CaughtError } from './caught-in'
import { errorsOnTheWay, type ErrorsOnTheWay, type FailureOnTheWay } from './errors-on-the-way'
import { failureOf } from './failure-of'

/** The cycles of a handshake that are in the flow, and what goes wrong there. */
export class OpenCycles {
  readonly #errors: ErrorsOnTheWay
  readonly #leave: () => void
  readonly #watches = new Map<string, () => void>()

  constructor(RED: NodeAPI) {
    this.#errors = errorsOnTheWay(RED)
    this.#leave = this.#errors.join()
  }

  /** @param failed is told of an error that no Catch takes @returns ends the watch */
  watch(token: string, failed: (failure: FailureOnTheWay) => void): () => void {
    const end = this.#errors.watch(token, failed)
    this.#watches.set(token, end)
    return () => this.end(token)
  }

  end(token: string): void {
    this.#watches.get(token)?.()
    this.#watches.delete(token)
  }

  /**
   * What an error means that a Catch took and whose message came to the result node; undefined where the node has been
   * tried again since, with success.
   */
  failureIn(
    token: string,
    caught: CaughtError,
    codes: CodeTable,
  ): { code: number; reason: string } | undefined {
    if (this.#errors.wasTriedAgain(token, caught)) return undefined
    return { code: plcCodeOf(failureOf(caught.error), codes), reason: detailOf(caught.error) }
  }

  close(): void {
    for (const end of this.#watches.values()) end()
    this.#watches.clear()
    this.#leave()
  }
}
