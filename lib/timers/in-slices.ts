import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds for which a piece of long work may hold the event loop. */
const slice = 10

/**
 * Runs work that yields after each of its small steps, and gives way to everything else every 10 ms.
 * @param isOver checked after each pause; stops work that is no longer needed @throws AbortError in that case
 */
export async function inSlices<Result>(
  work: Generator<unknown, Result>,
  isOver: () => boolean = () => false,
): Promise<Result> {
  for (let end = performance.now() + slice; ;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() < end) continue
    await turn()
    if (isOver()) throw new DOMException('Nobody waits for the work any more.', 'AbortError')
    end = performance.now() + slice
  }
}
