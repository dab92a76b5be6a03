import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { VisionError } from '../client/vision-error'
import { removeUnfinished, writeDurably } from '../files/write-durably'
import { firmwareError, reasonOf } from './firmware-error'

/** Part of every journal, so that one of another version is not mistaken for one of this version. */
export interface Marked {
  format: string
  version: number
}

/** Journals of one kind in one folder: a JSON file per name. */
export class JournalFiles<Entry extends Marked> {
  readonly #folder: string
  readonly #kind: Pick<Entry, keyof Marked>
  readonly #ending: string
  readonly #language: string | undefined

  /** @param ending distinguishes the files of this kind from others in the folder */
  constructor(folder: string, kind: Pick<Entry, keyof Marked>, ending: string, language?: string) {
    this.#folder = folder
    this.#kind = kind
    this.#ending = ending
    this.#language = language
  }

  /** Undefined if there is none. @throws VisionError `INVALID_INPUT` if it cannot be read */
  read(name: string): Promise<Entry | undefined> {
    return this.#parse(this.#file(name))
  }

  /** Resolves when it would survive a power failure. @throws VisionError `INVALID_INPUT` if it cannot be written */
  async write(name: string, entry: Entry): Promise<void> {
    try {
      await writeDurably(this.#file(name), `${JSON.stringify(entry, null, 1)}\n`)
    } catch (error) {
      const values = { folder: this.#folder, reason: reasonOf(error) }
      throw firmwareError('INVALID_INPUT', 'firmware-folder', values, this.#language)
    }
  }

  /** Removes what a killed program left of an unfinished write. */
  async tidy(name: string): Promise<void> {
    await removeUnfinished(this.#file(name))
  }

  /** All readable journals, and an error for each of the others. */
  async all(): Promise<{ entries: Entry[]; unreadable: VisionError[] }> {
    const names = await readdir(this.#folder).catch(() => [])
    const files = names.filter((name) => name.endsWith(this.#ending)).sort()
    const entries: Entry[] = []
    const unreadable: VisionError[] = []
    for (const name of files)
      try {
        const entry = await this.#parse(join(this.#folder, name))
        if (entry) entries.push(entry)
      } catch (error) {
        unreadable.push(error as VisionError)
      }
    return { entries, unreadable }
  }

  async #parse(file: string): Promise<Entry | undefined> {
    try {
      const entry = JSON.parse(await readFile(file, 'utf8')) as Entry | null
      if (entry?.format !== this.#kind.format || entry.version !== this.#kind.version)
        throw new Error('not a journal of this version')
      return entry
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      const values = { file, reason: reasonOf(error) }
      throw firmwareError('INVALID_INPUT', 'firmware-journal', values, this.#language)
    }
  }

  #file(name: string): string {
    return join(this.#folder, `${fileNameOf(name)}${this.#ending}`)
  }
}

/** A part of a file name, safe for any value from the device. */
export const fileNameOf = (text: string): string => encodeURIComponent(text).replaceAll('*', '%2A')
