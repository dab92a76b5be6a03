import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UptimeMark } from '../system/reboot'
import type { Snapshot } from './snapshot'
import type { Choices, Failure, Report } from './types'
import type { VisionError } from '../client/vision-error'
import { removeUnfinished, writeDurably } from '../files/write-durably'
import { firmwareError, reasonOf, failureOf } from './firmware-error'
import { isAbortable, type OpenPhase, type Phase } from './phases'

/** What a journal stores about a run on one device, besides its phase. */
export interface RunFacts extends Choices {
  serial: string
  /** Address, for messages. */
  device: string
  owner?: string
  /** The purpose of the run, from `FirmwareOptions.job`. */
  job?: string
  /** ISO 8601 */
  startedAt: string
  /** `file` is missing if the bytes were passed with the call. */
  artifact?: { file?: string; size: number; sha256: string }
  /** Version that ran at the start. */
  from: string
  inactiveBefore: string
  /** Version that is to run; if it was not given, unknown until the device shows it. */
  to?: string
  before?: Snapshot
  /** File with the saved settings. */
  backup?: string
  uploads: number
  /** Whether the last byte was sent, so that the device may have the whole image. */
  allSent: boolean
  /** Whether the image was seen on the device. */
  arrived: boolean
  /** Whether the device was seen to be about to boot its inactive image. */
  pendingSeen: boolean
  reboots: number
  /** The device's mark before the last action that may have led to a restart. */
  mark?: UptimeMark
  /** Whether a restart since then was observed; a later poll may no longer prove it. */
  bootSeen?: boolean
  /** Uptime of the device, in seconds, at which it had the whole image and may have started writing it. */
  writingSince?: number
  /** Whether the owner wants it to end; nothing further is begun. */
  abortAsked?: boolean
  /** Why the new version is rolled back. */
  problems?: string[]
  /** The outcome, once it is done. */
  report?: Report
  failure?: Failure
}

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

const format = 'firmware-update journal'

const version = 1

/** The progress of a run on one device. */
export interface JournalEntry extends RunFacts {
  format: typeof format
  version: typeof version
  phase: Phase
}

/** The progress of a run that has not ended. */
export type OpenEntry = JournalEntry & { phase: OpenPhase }

export const isOpen = (entry: JournalEntry): entry is OpenEntry => entry.phase !== 'done'

/** The journals of all devices, one file each, in one folder. */
export class Journal {
  readonly #files: JournalFiles<JournalEntry>
  readonly #language: string | undefined

  constructor(folder: string, language?: string) {
    this.#language = language
    this.#files = new JournalFiles(folder, { format, version }, '.journal.json', language)
  }

  /** The last run on that device, finished or not. @throws VisionError `INVALID_INPUT` if it cannot be read */
  read(serial: string): Promise<JournalEntry | undefined> {
    return this.#files.read(serial)
  }

  /** Resolves when it would survive a power failure. @throws VisionError `INVALID_INPUT` if it cannot be written */
  write(entry: JournalEntry): Promise<void> {
    return this.#files.write(entry.serial, entry)
  }

  /** Removes what a killed program left behind; only while nobody writes it. */
  tidy(serial: string): Promise<void> {
    return this.#files.tidy(serial)
  }

  /** Unfinished runs, and why the journals of others cannot be read. */
  async unfinished(): Promise<{ entries: JournalEntry[]; unreadable: VisionError[] }> {
    const { entries, unreadable } = await this.#files.all()
    return { entries: entries.filter(isOpen), unreadable }
  }

  /**
   * Ends runs for good that nobody is executing. From the restart on, a run cannot be ended.
   * @returns whether there was one
   * @throws VisionError `REFUSED` if the device has been told to restart
   */
  async abandon(which: (entry: JournalEntry) => boolean): Promise<boolean> {
    const open = (await this.open()).filter(which)
    const late = open.find(({ phase }) => !isAbortable(phase))
    for (const entry of open.filter(({ phase }) => isAbortable(phase))) {
      const { device } = entry
      const failure = failureOf(
        firmwareError('ABORTED', 'firmware-aborted-early', { device }, this.#language),
      )
      await this.write({ ...entry, phase: 'done', abortAsked: true, failure })
    }
    if (late) throw firmwareError('REFUSED', 'firmware-rebooting', { device: late.device }, this.#language)
    return open.length > 0
  }

  /** Unfinished runs. */
  async open(): Promise<JournalEntry[]> {
    return (await this.unfinished()).entries
  }
}

type Beginning = Pick<JournalEntry, 'serial' | 'device' | 'from' | 'inactiveBefore'> & Choices

export const newEntry = (beginning: Beginning & Partial<JournalEntry>): JournalEntry => ({
  format,
  version,
  startedAt: new Date().toISOString(),
  phase: 'checked',
  uploads: 0,
  allSent: false,
  arrived: false,
  pendingSeen: false,
  reboots: 0,
  ...beginning,
})
