import { watchAbort } from '../../lib/client/aborts'
import { nodeError } from './sentences'

interface UnderWay<Result> {
  result: Promise<Result>
  ending: AbortController
  waiting: number
}

/** Work that is done once for all who want the same at the same time. */
export class SharedWork<Result> {
  #underWay = new Map<string, UnderWay<Result>>()

  /**
   * Takes part in the work of that key, which the first one begins. Who goes away leaves it to the others; it is ended
   * when the last one has gone.
   * @throws ABORTED as soon as the signal is aborted, and what the work throws
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

  /** What is under way serves those who wait for it, and nobody who comes later. */
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
