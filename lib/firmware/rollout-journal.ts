import { thrown } from './firmware-error'
import { JournalFiles } from './journal-files'
import type { Choices, Failure, Report } from './types'

const format = 'firmware-rollout journal'
const version = 1

/** A device of a rollout. */
export interface RolloutMember {
  /** By which a later run finds it again. */
  id: string
  /** For messages. */
  name: string
}

/** The devices of a rollout and what to do on them. */
export interface RolloutPlan {
  /** Who began it, and may therefore continue it; one rollout is stored per owner. */
  owner: string
  members: readonly RolloutMember[]
  atOnce: number
  stopAfter: number
  /** Whether to ask before each wave but the first. */
  approval: boolean
  /** The same for all; `expected` has size and SHA-256, so that all get the same artifact. */
  choices: Choices
  /** Path of the artifact; missing if there is none, or if its bytes were passed with the call. */
  file?: string
}

/** The outcome on one device. */
export type RolloutEnding = { ok: boolean; report: Report } | { ok: false; failure: Failure }

/** The progress of a rollout. */
export interface RolloutEntry extends RolloutPlan {
  format: typeof format
  version: typeof version
  /** Also written to the journals of its devices. */
  id: string
  /** ISO 8601 */
  startedAt: string
  /** Ids of the devices whose wave was approved. */
  approved: readonly string[]
  /** Ids of the devices that were begun. */
  begun: readonly string[]
  /** By id. */
  endings: Readonly<Record<string, RolloutEnding>>
  /** `stopped`: aborted, or a wave was not approved. No further device is begun. */
  ended?: 'done' | 'stopped'
}

/** The journals of rollouts, one per owner, in one folder. */
export class RolloutJournal {
  readonly #files: JournalFiles<RolloutEntry>

  constructor(folder: string, language?: string) {
    this.#files = new JournalFiles(folder, { format, version }, '.rollout.json', language)
  }

  /** The last rollout, ended or not. @throws VisionError `INVALID_INPUT` if it cannot be read */
  read(owner: string): Promise<RolloutEntry | undefined> {
    return this.#files.read(owner)
  }

  /** Resolves when it would survive a power failure. @throws VisionError `INVALID_INPUT` if it cannot be written */
  async write(entry: RolloutEntry): Promise<void> {
    await this.#files.write(entry.owner, entry)
  }

  /** Removes what a killed program left behind; only while nobody writes it. */
  tidy(owner: string): Promise<void> {
    return this.#files.tidy(owner)
  }
}

/** A new journal. */
export const newRollout = (plan: RolloutPlan, id: string): RolloutEntry => ({
  format,
  version,
  id,
  startedAt: new Date().toISOString(),
  ...plan,
  approved: [],
  begun: [],
  endings: {},
})

/** What a rollout needs of its journal. */
export type RolloutStore = Pick<RolloutJournal, 'read' | 'write'>

/** For modes that change nothing, and therefore need not be resumed. */
export const noRolloutJournal: RolloutStore = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
}

/** The outcome on a device. @throws VisionError with its original error */
export function reportOfEnding(ending: RolloutEnding, language: string | undefined): Report {
  if ('report' in ending) return ending.report
  throw thrown(ending.failure, language)
}

/** Whether the same is requested for the same devices. */
export const isSamePlan = (open: RolloutPlan, { members, choices }: RolloutPlan) =>
  JSON.stringify(open.members.map(({ id }) => id)) === JSON.stringify(members.map(({ id }) => id)) &&
  open.choices.mode === choices.mode &&
  open.choices.expected.sha256 === choices.expected.sha256 &&
  open.choices.expected.version === choices.expected.version
