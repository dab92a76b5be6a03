import type { Client } from '../client/create-client'
import type { ErrorCode } from '../contract'
import type { Change } from './snapshot'

/** What to do: everything, or only one part. */
export const modes = ['update', 'check', 'upload', 'activate', 'rollback'] as const
export type Mode = (typeof modes)[number]

/** `write`: the device writes the image after its last byte arrived. */
export const steps = ['check', 'backup', 'upload', 'write', 'reboot', 'verify', 'rollback'] as const
export type Step = (typeof steps)[number]

/** The expected artifact; missing values are not checked. */
export interface Expected {
  /** As the device shows it, `v2.0.0`. */
  version?: string
  /** Bytes. */
  size?: number
  /** Of the file, in hexadecimal. */
  sha256?: string
}

/** The choices for a run, stored in its journal so that it continues with the same ones. */
export interface Choices {
  mode: Mode
  expected: Expected
  /** If the new version runs but is not healthy: keep it, or roll back to the old one. */
  onUnhealthy: 'keep' | 'rollback'
  /** Parameters that are not as before: list them, or take the new version for not healthy. */
  onChanged: 'list' | 'unhealthy'
  /** Allows updating a device that booted its older image because the newer one could not start. */
  allowFallback: boolean
}

/** Time limits in seconds. A real device takes minutes for an update. */
export interface Timing {
  /** How long a device may be unreachable before the run gives up; it can continue later. @default 600 */
  patience: number
  /** For sending a whole artifact. @default 1800 */
  upload: number
  /** Without progress, after which an upload is aborted and begun again. @default 30 */
  stall: number
  /** After the last byte, until the device shows the image. @default 600 */
  write: number
  /** From the reboot until the device is ready. @default 600 */
  boot: number
  /** From ready until all nodes run. @default 60 */
  settle: number
  /** From an unanswered reboot request until it counts as not executed. @default 60 */
  grace: number
  /** Polling interval. @default 1 */
  poll: number
}

export interface Progress {
  step: Step
  /** Progress of the whole run, 0 to 100; never decreases. */
  percent: number
  /** Progress of this step. */
  stepPercent: number
  /** Bytes of the artifact sent, during the upload. */
  sent?: number
  total?: number
  bytesPerSecond?: number
  /** Remaining time of the upload. */
  secondsLeft?: number
  /** 2 for the second upload, because the first did not arrive completely. */
  attempt?: number
  /**
   * What the run waits for: `device`, which does not answer; `image`, which was sent completely but does not show yet.
   */
  waitsFor?: 'device' | 'image'
  /** Longest further wait, seconds. Then the run ends and can be continued later; an image is sent again. */
  givesUpIn?: number
  /** A sentence on the present work. */
  text: string
}

export interface FirmwareOptions extends Partial<Omit<Choices, 'expected'>> {
  client: Client
  /** The artifact: path of a file, or its bytes. Not needed to check, activate or roll back. */
  source?: string | Uint8Array
  /** Files are read only below these folders. @default everywhere */
  allowedFolders?: readonly string[]
  /** Folder of the journals, one file per device. */
  journals: string
  /** Folder for the saved settings of the device. */
  backups: string
  expected?: Expected
  timing?: Partial<Timing>
  /** Stored in the journal: who began it, and may therefore continue it after a restart. */
  owner?: string
  /** Continues what is unfinished in the journal, and does nothing if there is nothing. */
  resume?: boolean
  /**
   * Identifies the purpose of the run, so that it is done only once: if the journal shows that this job is done, the
   * call ends with its outcome; if it is unfinished, the call continues it.
   */
  job?: string
  /** Also waits for a device that is not there at the start. @default only when resuming */
  patient?: boolean
  onProgress?: (progress: Progress) => void
  /** Stops at once; the journal stays open, and a later run continues. */
  signal?: AbortSignal
  /** Of sentences. @default 'en-US' */
  language?: string
}

export const outcomes = [
  'updated',
  'already',
  'checked',
  'uploaded',
  'rolled-back',
  'fell-back',
  'unhealthy',
  'aborted',
] as const
export type Outcome = (typeof outcomes)[number]

/** The outcome of a run, and what the device runs now. */
export interface Report {
  outcome: Outcome
  /** Whether the requested state was reached. */
  ok: boolean
  mode: Mode
  serial: string
  device: string
  /** Version that ran before. */
  from: string
  /** Version that was to run. */
  to?: string
  /** Version that runs now. */
  active: string
  /** Whether the next start boots the other image. */
  pending: boolean
  /** What is wrong, as sentences. */
  problems: string[]
  /** Changed parameters. */
  changes: Change[]
  /** File with the previous settings of the device. */
  backup?: string
  uploads: number
  reboots: number
  /** The outcome as a sentence. */
  text: string
}

/** An error as stored in journals. */
export interface Failure {
  code: ErrorCode
  message: string
}

export interface FirmwareRun {
  /** @throws VisionError if it could not begin, or had to stop before the outcome is known */
  done: Promise<Report>
  /**
   * Ends the run for good: at once during the upload, otherwise before the next step. Resolves when that would survive
   * a power failure.
   * @throws VisionError `REFUSED` from the reboot on
   */
  abort: () => Promise<void>
}
