import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { UptimeMark } from '../system/reboot'
import type { Snapshot } from './snapshot'
import type { Choices, Failure, Report } from './types'
import type { VisionError } from '../client/vision-error'
import { Queue } from '../kernel/queue'
import { openValue, readValue, StorageError } from '../kernel/storage'
import { Type, type TSchema } from '../typebox'
import { firmwareError, failureOf } from './firmware-error'
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

/** Bytes of a journal, at most: the parameters of a device, and what has changed in them. */
const mostBytes = 32 * 1024 * 1024

/** One writer of a file at a time, whichever object writes it. */
const writers = new Map<string, Queue>()

/** Journals of one kind in one folder: a JSON file per name. A file that cannot be used stays as it is. */
export class JournalFiles<Entry> {
  readonly #folder: string
  readonly #schema: TSchema & { static: Entry }
  readonly #ending: string
  readonly #language: string | undefined

  /** @param ending distinguishes the files of this kind from others in the folder */
  constructor(folder: string, schema: TSchema & { static: Entry }, ending: string, language?: string) {
    this.#folder = folder
    this.#schema = schema
    this.#ending = ending
    this.#language = language
  }

  /** Undefined if there is none. @throws VisionError `INVALID_INPUT` if it cannot be read */
  read(name: string): Promise<Entry | undefined> {
    return this.#read(this.#file(name))
  }

  /**
   * Resolves when it would survive a power failure.
   * @throws VisionError `INVALID_INPUT` if it cannot be written; NotJson
   */
  async write(name: string, entry: Entry): Promise<void> {
    const file = this.#file(name)
    const writer = writers.get(file) ?? new Queue()
    writers.set(file, writer)
    try {
      await writer.add(async () => {
        const value = await openValue({
          ...{ file, schema: this.#schema, initial: entry, bytes: mostBytes, copy: false, mode: 0o666 },
          ...{ unusable: 'refuse', onDamage: () => undefined },
        })
        await value.set(entry)
      })
    } catch (error) {
      throw this.#problem(file, error)
    } finally {
      if (writer.open + writer.waiting === 0) writers.delete(file)
    }
  }

  /** All readable journals, and an error for each of the others. */
  async all(): Promise<{ entries: Entry[]; unreadable: VisionError[] }> {
    const names = await readdir(this.#folder).catch(() => [])
    const files = names.filter((name) => name.endsWith(this.#ending)).sort()
    const entries: Entry[] = []
    const unreadable: VisionError[] = []
    for (const name of files)
      try {
        const entry = await this.#read(join(this.#folder, name))
        if (entry !== undefined) entries.push(entry)
      } catch (error) {
        unreadable.push(error as VisionError)
      }
    return { entries, unreadable }
  }

  async #read(file: string): Promise<Entry | undefined> {
    try {
      return await readValue({ file, schema: this.#schema, bytes: mostBytes })
    } catch (error) {
      throw this.#problem(file, error)
    }
  }

  #problem(file: string, error: unknown): unknown {
    if (!(error instanceof StorageError)) return error
    const reason = error.because(this.#language)
    return error.code === 'DAMAGED'
      ? firmwareError('INVALID_INPUT', 'firmware-journal', { file, reason }, this.#language)
      : firmwareError('INVALID_INPUT', 'firmware-folder', { folder: this.#folder, reason }, this.#language)
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

/** What makes a file a journal of this version; `phases` decides about the phase. */
const StoredEntry = Type.Unsafe<JournalEntry>(
  Type.Object({
    format: Type.Literal(format),
    version: Type.Literal(version),
    serial: Type.String(),
    phase: Type.String(),
  }),
)

/** The progress of a run that has not ended. */
export type OpenEntry = JournalEntry & { phase: OpenPhase }

export const isOpen = (entry: JournalEntry): entry is OpenEntry => entry.phase !== 'done'

/** The journals of all devices, one file each, in one folder. */
export class Journal {
  readonly #files: JournalFiles<JournalEntry>
  readonly #language: string | undefined

  constructor(folder: string, language?: string) {
    this.#language = language
    this.#files = new JournalFiles(folder, StoredEntry, '.journal.json', language)
  }

  /** The last run on that device, finished or not. @throws VisionError `INVALID_INPUT` if it cannot be read */
  read(serial: string): Promise<JournalEntry | undefined> {
    return this.#files.read(serial)
  }

  /** Resolves when it would survive a power failure. @throws VisionError `INVALID_INPUT` if it cannot be written */
  write(entry: JournalEntry): Promise<void> {
    return this.#files.write(entry.serial, entry)
  }

  /** Unfinished runs, and why the journals of others cannot be read. */
  async unfinished(): Promise<{ entries: JournalEntry[]; unreadable: VisionError[] }> {
    const { entries, unreadable } = await this.#files.all()
    return { entries: entries.filter(isOpen), unreadable }
  }

  /**
   * Ends runs for good that are not being executed. From the restart on, a run cannot be ended.
   * @returns whether there was one
   * @throws VisionError `REFUSED` if the restart was requested
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
