import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../files/write-durably'
import { firmwareError, reasonOf } from './firmware-error'
import type { UptimeMark } from './look'
import type { Snapshot } from './snapshot'
import type { Choices, Report } from './types'

const format = 'firmware-update journal'
const version = 1

/** How far a run has come; written before the deed, so that whoever goes on looks whether it was done. */
export const phases = [
  'checked',
  'saved',
  'uploading',
  'uploaded',
  'marking',
  'rebooting',
  'booted',
  'rolling-back',
  'rebooting-back',
  'done',
] as const
export type Phase = (typeof phases)[number]

/** What a run has done on one device. */
export interface Entry extends Choices {
  format: typeof format
  version: typeof version
  serial: string
  /** Address, for people. */
  device: string
  owner?: string
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
  /** Why the new version is given up. */
  problems?: string[]
  report?: Report
}

/** The journals of all devices, a file for each, in one folder. */
export class Journal {
  constructor(
    private readonly folder: string,
    private readonly language?: string,
  ) {}

  /** The last run on that device, done or not. @throws VisionError `INVALID_INPUT` where it cannot be read */
  async read(serial: string): Promise<Entry | undefined> {
    return this.parse(this.file(serial))
  }

  /** Ends when it would survive a power failure. @throws VisionError `INVALID_INPUT` where it cannot be written */
  async write(entry: Entry): Promise<void> {
    try {
      await writeDurably(this.file(entry.serial), `${JSON.stringify(entry, null, 1)}\n`)
    } catch (error) {
      const values = { folder: this.folder, reason: reasonOf(error) }
      throw firmwareError('INVALID_INPUT', 'firmware-folder', values, this.language)
    }
  }

  /** Runs that are not done. */
  async open(): Promise<Entry[]> {
    const names = await readdir(this.folder).catch(() => [])
    const files = names.filter((name) => name.endsWith(ending))
    const entries = await Promise.all(
      files.map((name) => this.parse(join(this.folder, name)).catch(() => undefined)),
    )
    return entries.filter((entry) => entry !== undefined).filter(({ phase }) => phase !== 'done')
  }

  private async parse(file: string): Promise<Entry | undefined> {
    try {
      const entry = JSON.parse(await readFile(file, 'utf8')) as Entry
      if ((entry.format as string) !== format || (entry.version as number) !== version)
        throw new Error('not a journal of this version')
      return entry
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw firmwareError(
        'INVALID_INPUT',
        'firmware-journal',
        { file, reason: reasonOf(error) },
        this.language,
      )
    }
  }

  private file(serial: string): string {
    return join(this.folder, `${fileNameOf(serial)}${ending}`)
  }
}

const ending = '.journal.json'

/** A part of a file name, whatever the device says. */
export const fileNameOf = (text: string): string => encodeURIComponent(text).replaceAll('*', '%2A')

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
