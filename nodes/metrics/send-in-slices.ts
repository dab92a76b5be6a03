import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'

/** An answer whose body is text, as Express has it. */
export type TextResponse = ServerResponse & {
  set: (headers: Record<string, string>) => unknown
  status: (status: number) => unknown
  type: (type: string) => unknown
}

/** Milliseconds for which writing may hold the event loop. */
const slice = 3
/** Characters that are sent together. */
const together = 32 * 1024

/**
 * Sends a text as it comes about, in slices of 3 ms. Waits for a slow reader, and stops for one that has gone.
 * @param text pieces, each written in well under a millisecond
 */
export async function sendInSlices(response: ServerResponse, text: Iterable<string>): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  let unsent = ''
  const send = async () => {
    const isTaken = response.write(unsent)
    unsent = ''
    if (!isTaken && !gone.signal.aborted)
      await once(response, 'drain', { signal: gone.signal }).catch(() => undefined)
  }
  let end = performance.now() + slice
  for (const piece of text) {
    unsent += piece
    if (unsent.length >= together) await send()
    if (performance.now() >= end) {
      await turn()
      end = performance.now() + slice
    }
    if (gone.signal.aborted) return
  }
  response.end(unsent)
}
