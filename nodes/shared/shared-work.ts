import { watchAbort } from '../../lib/kernel/timers'
import { nodeError } from './sentences'

interface UnderWay<Result> {
  result: Promise<Result>
  ending: AbortController
  waiting: number
}

/** Work that is done once for all who need the same at the same time. */
export class SharedWork<Result> {
  #underWay = new Map<string, UnderWay<Result>>()

  /**
   * Joins the work with that key, which the first one starts. Leaving does not affect the others; the work is aborted
   * when the last one has left.
   * @throws ABORTED as soon as the signal is aborted, and the errors of the work
   */
  async join(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const shared = this.#underWay.get(key) ?? this.#begin(key, work)
    shared.waiting++
    let leave = (): void => undefined
    const leaving = new Promise<never>((_, reject) => {
      leave = () => reject(nodeError('ABORTED', 'node-closed'))
      watchAbort(signal, leave)
      if (signal.aborted) leave()
    })
    try {
      return await Promise.race([shared.result, leaving])
    } finally {
      signal.removeEventListener('abort', leave)
      if (--shared.waiting === 0) this.#end(key, shared)
    }
  }

  /** Work in progress serves those who already wait for it, but nobody who joins later. */
  forget(): void {
    this.#underWay = new Map()
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<Result>): UnderWay<Result> {
    const ending = new AbortController()
    const shared = { result: work(ending.signal), ending, waiting: 0 }
    this.#underWay.set(key, shared)
    return shared
  }

  #end(key: string, shared: UnderWay<Result>): void {
    shared.ending.abort()
    if (this.#underWay.get(key) === shared) this.#underWay.delete(key)
  }
}
