import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds that a piece of long work may hold the event loop for. */
const slice = 10

/**
 * Does work that yields after each of its small steps, and gives way to everything else every 10 ms.
 * @param isOver asked after each pause; work that nobody waits for any more is left @throws AbortError then
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
