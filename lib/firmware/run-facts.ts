import type { UptimeMark } from '../system/uptime-mark'
import type { Snapshot } from './snapshot'
import type { Choices, Failure, Report } from './types'

/** What a journal tells of a run on one device, besides how far it has come. */
export interface RunFacts extends Choices {
  serial: string
  /** Address, for people. */
  device: string
  owner?: string
  /** What it was begun for, as `FirmwareOptions.job` says. */
  job?: string
  /** ISO 8601 */
  startedAt: string
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
