import type { VisionError } from '../client/vision-error'
import { failureOf, firmwareError } from './firmware-error'
import { JournalFiles } from './journal-files'
import { isAbortable, type OpenPhase, type Phase } from './phases'
import type { UptimeMark } from '../system/uptime-mark'
import type { Snapshot } from './snapshot'
import type { Choices, Failure, Report } from './types'

const format = 'firmware-update journal'
const version = 1

/** What a run has done on one device. */
export interface Entry extends Choices {
  format: typeof format
  version: typeof version
  serial: string
  /** Address, for people. */
  device: string
  owner?: string
  /** What it was begun for, as `FirmwareOptions.job` says. */
  job?: string
  /** ISO 8601 */
  startedAt: string
  phase: Phase
  /** `file` is missing where the bytes came with the call. */
  artifact?: { file?: string; size: number; sha256: string }
  /** Version that ran at the beginning. */
  from: string
  inactiveBefore: string
  /** Version that is to run; unknown until the device shows it, where it was not given. */
  to?: string
  before?: Snapshot
  /** File with the settings. */
  backup?: string
  uploads: number
  /** The last byte was handed over, so that the device may have it all. */
  allSent: boolean
  /** The image was seen on the device. */
  arrived: boolean
  /** The device was seen to be about to boot its inactive image. */
  pendingSeen: boolean
  reboots: number
  /** Of the device before the last deed that it may have restarted after. */
  mark?: UptimeMark
  /** It was seen to have restarted since then; a later look may not prove that any more. */
  bootSeen?: boolean
  /** Uptime of the device, in seconds, from which on it has had the whole image and may still be writing it. */
  writingSince?: number
  /** Whoever began wants it to end; nothing further is begun. */
  abortAsked?: boolean
  /** Why the new version is given up. */
  problems?: string[]
  /** How it ended: one of these, where it is done. */
  report?: Report
  failure?: Failure
}

/** What a run has done that has not ended. */
export type OpenEntry = Entry & { phase: OpenPhase }

export const isOpen = (entry: Entry): entry is OpenEntry => entry.phase !== 'done'

/** The journals of all devices, a file for each, in one folder. */
export class Journal {
  readonly #files: JournalFiles<Entry>
  readonly #language: string | undefined

  constructor(folder: string, language?: string) {
    this.#language = language
    this.#files = new JournalFiles(folder, { format, version }, '.journal.json', language)
  }

  /** The last run on that device, done or not. @throws VisionError `INVALID_INPUT` where it cannot be read */
  read(serial: string): Promise<Entry | undefined> {
    return this.#files.read(serial)
  }

  /** Ends when it would survive a power failure. @throws VisionError `INVALID_INPUT` where it cannot be written */
  write(entry: Entry): Promise<void> {
    return this.#files.write(entry.serial, entry)
  }

  /** Removes what a program that was killed left of it; for the time when nobody writes it. */
  tidy(serial: string): Promise<void> {
    return this.#files.tidy(serial)
  }

  /** Runs that are not done, and why the journals of others cannot be read. */
  async unfinished(): Promise<{ entries: Entry[]; unreadable: VisionError[] }> {
    const { entries, unreadable } = await this.#files.all()
    return { entries: entries.filter(isOpen), unreadable }
  }

  /**
   * Ends runs for good that nobody is at work on. From the restart on a run cannot be ended.
   * @returns whether there was one
   * @throws VisionError `REFUSED` where the device has been told to restart
   */
  async abandon(which: (entry: Entry) => boolean): Promise<boolean> {
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

  /** Runs that are not done. */
  async open(): Promise<Entry[]> {
    return (await this.unfinished()).entries
  }
}

type Beginning = Pick<Entry, 'serial' | 'device' | 'from' | 'inactiveBefore'> & Choices

export const newEntry = (beginning: Beginning & Partial<Entry>): Entry => ({
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
