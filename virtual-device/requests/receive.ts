import type { Readable } from 'node:stream'
import { Refusal } from '../refusal'

/**
 * Passes on the chunks of an upload. Always reads it to the end, because many clients read the answer only then.
 * @param take if it returns a promise, the next chunk waits for it; after its first error no more chunks are passed on,
 * and the error is thrown at the end
 */
export async function receive(file: Readable, take: (chunk: Buffer) => unknown): Promise<void> {
  let failure: unknown
  try {
    for await (const chunk of file)
      try {
        if (failure === undefined) await take(chunk as Buffer)
      } catch (error) {
        failure = error
      }
  } catch {
    throw new Refusal(400, 'the upload ended early')
  }
  if (failure !== undefined) throw failure as Error
}
