import { thrown } from './firmware-error'
import { JournalFiles } from './journal-files'
import type { Choices, Failure, Report } from './types'

const format = 'firmware-rollout journal'
const version = 1

/** A device of a rollout. */
export interface Member {
  /** By which whoever goes on later finds it again. */
  id: string
  /** For people. */
  name: string
}

/** What is to be done on several devices. */
export interface RolloutPlan {
  /** Whoever began, and so may go on; one rollout is kept of each. */
  owner: string
  members: readonly Member[]
  atOnce: number
  stopAfter: number
  /** Asks before each wave but the first. */
  approval: boolean
  /** The same for all; `expected` with size and SHA-256, so that none gets another artifact. */
  choices: Choices
  /** Path of the artifact; missing where there is none, or its bytes came with the call. */
  file?: string
}

/** How it ended on one device. */
export type Ending = { ok: boolean; report: Report } | { ok: false; failure: Failure }

/** What a rollout has done. */
export interface RolloutEntry extends RolloutPlan {
  format: typeof format
  version: typeof version
  /** Stands in the journals of its devices too. */
  id: string
  /** ISO 8601 */
  startedAt: string
  /** Ids of those whose wave was approved. */
  approved: readonly string[]
  /** Ids of those that were begun. */
  begun: readonly string[]
  /** By their ids. */
  endings: Readonly<Record<string, Ending>>
  /** `stopped`: aborted, or a wave was not approved. No further device is begun. */
  ended?: 'done' | 'stopped'
}

/** The journals of rollouts, one of each owner, in one folder. */
export class RolloutJournal {
  readonly #files: JournalFiles<RolloutEntry>

  constructor(folder: string, language?: string) {
    this.#files = new JournalFiles(folder, { format, version }, '.rollout.json', language)
  }

  /** The last rollout, ended or not. @throws VisionError `INVALID_INPUT` where it cannot be read */
  read(owner: string): Promise<RolloutEntry | undefined> {
    return this.#files.read(owner)
  }

  /** Ends when it would survive a power failure. @throws VisionError `INVALID_INPUT` where it cannot be written */
  async write(entry: RolloutEntry): Promise<void> {
    await this.#files.write(entry.owner, entry)
  }

  /** Removes what a program that was killed left of it; for the time when nobody writes it. */
  tidy(owner: string): Promise<void> {
    return this.#files.tidy(owner)
  }
}

/** The beginning of a journal. */
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
export type Kept = Pick<RolloutJournal, 'read' | 'write'>

/** For what changes nothing, and so need not go on. */
export const noRolloutJournal: Kept = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
}

/** How it ended on a device. @throws VisionError as it failed then */
export function reportOfEnding(ending: Ending, language: string | undefined): Report {
  if ('report' in ending) return ending.report
  throw thrown(ending.failure, language)
}

/** The same is wanted on the same devices. */
export const isSamePlan = (open: RolloutPlan, { members, choices }: RolloutPlan) =>
  JSON.stringify(open.members.map(({ id }) => id)) === JSON.stringify(members.map(({ id }) => id)) &&
  open.choices.mode === choices.mode &&
  open.choices.expected.sha256 === choices.expected.sha256 &&
  open.choices.expected.version === choices.expected.version
