import type { NodeAPI } from 'node-red'
import { codeOf as plcCodeOf, type CodeTable } from '../../lib/plc/codes'
import { detailOf } from '../shared/node-error'
import type { CaughtError } from './caught-in'
import { errorsOnTheWay, type ErrorsOnTheWay, type FailureOnTheWay } from './errors-on-the-way'
import { failureOf } from './failure-of'

interface OpenCycle {
  failed: (failure: FailureOnTheWay) => void
  end: () => void
}

/** The cycles of a handshake that are in the flow, and what goes wrong there. */
export class OpenCycles {
  readonly #errors: ErrorsOnTheWay
  readonly #leave: () => void
  readonly #cycles = new Map<string, OpenCycle>()

  constructor(RED: NodeAPI) {
    this.#errors = errorsOnTheWay(RED)
    this.#leave = this.#errors.join()
  }

  /** @param failed is told of an error that no Catch takes @returns ends the watch */
  watch(token: string, failed: (failure: FailureOnTheWay) => void): () => void {
    this.end(token)
    const cycle: OpenCycle = { failed, end: this.#errors.watch(token, (failure) => cycle.failed(failure)) }
    this.#cycles.set(token, cycle)
    return () => this.end(token)
  }

  /** The PLC has been answered: the next error says no more than that the flow has ended the cycle. */
  abandon(token: string, settled: () => void): void {
    const cycle = this.#cycles.get(token)
    if (!cycle) return
    cycle.failed = () => {
      this.end(token)
      settled()
    }
  }

  end(token: string): void {
    this.#cycles.get(token)?.end()
    this.#cycles.delete(token)
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
    for (const token of [...this.#cycles.keys()]) this.end(token)
    this.#leave()
  }
}
