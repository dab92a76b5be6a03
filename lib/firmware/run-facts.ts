import type { UptimeMark } from '../system/reboot'
import type { Snapshot } from './snapshot'
import type { Choices, Failure, Report } from './types'

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
  /** Whether a restart since then was observed; a later look may no longer prove it. */
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
