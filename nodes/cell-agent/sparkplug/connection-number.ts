import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../shared/is-object'
import { writeDurably } from '../../../lib/files/write-durably'

/** Keeps the number of the last connection over restarts. */
export class ConnectionNumber {
  readonly #file: string
  #writing: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    this.#file = join(folder, 'sparkplug.json')
  }

  /** Undefined before the first connection, and where the file cannot be read. */
  async read(): Promise<number | undefined> {
    try {
      const kept: unknown = JSON.parse(await readFile(this.#file, 'utf8'))
      const number = isObject(kept) ? kept['connection'] : undefined
      return Number.isInteger(number) && Number(number) >= 0 && Number(number) < 256
        ? Number(number)
        : undefined
    } catch {
      return undefined
    }
  }

  /** One after the other. Resolves when the number would survive a power failure. */
  write(connection: number): Promise<void> {
    const written = this.#writing.then(() =>
      writeDurably(this.#file, `${JSON.stringify({ connection })}\n`, 0o600),
    )
    this.#writing = written.catch(() => undefined)
    return written
  }

  /** Resolves when nothing is being written any more. */
  settled(): Promise<void> {
    return this.#writing
  }
}
