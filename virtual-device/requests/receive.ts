import type { Readable } from 'node:stream'
import { Refusal } from '../refusal'

/**
 * Hands on the chunks of an upload. It is read to its end whatever comes of it, because many clients look for an
 * answer only then.
 * @param take what follows waits for a promise that it returns; its first error ends the handing on, and is thrown in
 * the end
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
