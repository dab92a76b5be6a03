import type { Client } from '../client/client'
import type { ErrorCode } from '../contract'
import type { Change } from './snapshot'

/** What is to be done: all of it, or one part alone. */
export const modes = ['update', 'check', 'upload', 'activate', 'rollback'] as const
export type Mode = (typeof modes)[number]

/** `write`: the device writes the image after its last byte arrived. */
export const steps = ['check', 'backup', 'upload', 'write', 'reboot', 'verify', 'rollback'] as const
export type Step = (typeof steps)[number]

/** What the artifact must be; what is not given is not checked. */
export interface Expected {
  /** As the device shows it, `v2.0.0`. */
  version?: string
  /** Bytes. */
  size?: number
  /** Of the file, in hexadecimal digits. */
  sha256?: string
}

/** What a run is to do; kept in its journal, so that it goes on in the same way. */
export interface Choices {
  mode: Mode
  expected: Expected
  /** A new version that runs and is not healthy: leave it running, or go back to the old one. */
  onUnhealthy: 'keep' | 'rollback'
  /** Parameters that are not as before: list them, or take the new version for not healthy. */
  onChanged: 'list' | 'unhealthy'
  /** Also a device that booted its older image, because the newer one could not start. */
  allowFallback: boolean
}

/** Seconds. A real device takes minutes for an update. */
export interface Timing {
  /** How long a device may be out of reach before the run gives up; it can go on later. @default 600 */
  patience: number
  /** For sending a whole artifact. @default 1800 */
  upload: number
  /** Without a byte going out, after which an upload is ended and begun again. @default 30 */
  stall: number
  /** After the last byte, until the device shows the image. @default 600 */
  write: number
  /** From the reboot until the device is ready. @default 600 */
  boot: number
  /** From ready until all nodes run. @default 60 */
  settle: number
  /** After a request to reboot that was not answered, until it counts as not done. @default 60 */
  grace: number
  /** Between two looks at the device. @default 1 */
  poll: number
}

export interface Progress {
  step: Step
  /** Of the whole run, 0 to 100; never less than before. */
  percent: number
  /** Of this step. */
  stepPercent: number
  /** Bytes of the artifact, while it is uploaded. */
  sent?: number
  total?: number
  bytesPerSecond?: number
  /** Until the upload is done. */
  secondsLeft?: number
  /** 2 for the second upload; the first did not arrive whole. */
  attempt?: number
  /**
   * What the run waits for: `device`, which does not answer; `image`, which was sent whole and which the device does not
   * show yet.
   */
  waitsFor?: 'device' | 'image'
  /** Seconds that it waits for that at most. Then it ends and can go on later; an image is sent again. */
  givesUpIn?: number
  /** A sentence on what is being done. */
  text: string
}

export interface FirmwareOptions extends Partial<Omit<Choices, 'expected'>> {
  client: Client
  /** The artifact: path of a file, or its bytes. Not needed to check, activate or roll back. */
  source?: string | Uint8Array
  /** Files are read only below these folders. @default everywhere */
  allowedFolders?: readonly string[]
  /** Where the journals are kept, a file for each device. */
  journals: string
  /** Where the settings of the device are saved. */
  backups: string
  expected?: Expected
  timing?: Partial<Timing>
  /** Kept in the journal: whoever began, and so may go on after a restart. */
  owner?: string
  /** Goes on with what the journal says is not done, and does nothing where there is nothing. */
  resume?: boolean
  /**
   * Names what the run is for, so that it is done once: where the journal of the device says that this job is done, the
   * call ends as that run did; where it is not done, the call goes on with it.
   */
  job?: string
  /** Waits for a device that is not there at the beginning, too. @default only where it resumes */
  patient?: boolean
  onProgress?: (progress: Progress) => void
  /** Stops at once wherever it is; the journal stays open, and a later run goes on. */
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

/** How a run ended, and what the device runs now. */
export interface Report {
  outcome: Outcome
  /** What was asked for was reached. */
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
  /** The next start of the device boots the other image. */
  pending: boolean
  /** What is wrong, as sentences. */
  problems: string[]
  /** Parameters that are not as before. */
  changes: Change[]
  /** File with the settings of the device as they were. */
  backup?: string
  uploads: number
  reboots: number
  /** The outcome as a sentence. */
  text: string
}

/** An error as journals keep it. */
export interface Failure {
  code: ErrorCode
  message: string
}

export interface FirmwareRun {
  /** @throws VisionError where it could not begin, or had to stop where only a later run can tell the outcome */
  done: Promise<Report>
  /**
   * Ends the run for good: at once during the upload, else before the next step. Resolves when that would survive a
   * power failure.
   * @throws VisionError `REFUSED` from the reboot on
   */
  abort: () => Promise<void>
}
