import type { VisionError } from '../client/vision-error'
import { failureOf, firmwareError } from './firmware-error'
import { JournalFiles } from './journal-files'
import { isAbortable, type OpenPhase, type Phase } from './phases'
import type { RunFacts } from './run-facts'
import type { Choices } from './types'

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
