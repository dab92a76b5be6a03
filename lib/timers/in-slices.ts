import { setImmediate as turn } from 'node:timers/promises'

/** What ends work whose result is no longer needed. */
export const nobodyWaits = () => new DOMException('Nobody waits for the work any more.', 'AbortError')

/**
 * Runs work that yields after each of its small steps, and gives way to everything else regularly.
 * @param isOver checked after each pause; stops work that is no longer needed @throws AbortError in that case
 * @param slice milliseconds for which a piece of the work may hold the event loop. @default 10
 */
export async function inSlices<Result>(
  work: Generator<unknown, Result>,
  isOver: () => boolean = () => false,
  slice = 10,
): Promise<Result> {
  for (let end = performance.now() + slice; ;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() < end) continue
    await turn()
    if (isOver()) throw nobodyWaits()
    end = performance.now() + slice
  }
}
