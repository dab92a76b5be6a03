import { equalWaves, Waves } from '../kernel/waves'
import { Type } from '../typebox'
import { settled } from '../kernel/scope'
import { randomUUID } from 'node:crypto'
import { thrown, failureOf, firmwareError } from './firmware-error'
import { JournalFiles, type JournalEntry } from './journal'
import type { Choices, Failure, Report } from './types'
import { isVisionError, type VisionError } from '../client/vision-error'

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

const StoredRollout = Type.Unsafe<RolloutEntry>(
  Type.Object({
    format: Type.Literal(format),
    version: Type.Literal(version),
    owner: Type.String(),
    id: Type.String(),
    members: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
    approved: Type.Array(Type.String()),
    begun: Type.Array(Type.String()),
    endings: Type.Record(Type.String(), Type.Object({ ok: Type.Boolean() })),
  }),
)

/** The journals of rollouts, one per owner, in one folder. */
export class RolloutJournal {
  readonly #files: JournalFiles<RolloutEntry>

  constructor(folder: string, language?: string) {
    this.#files = new JournalFiles(folder, StoredRollout, '.rollout.json', language)
  }

  /** The last rollout, ended or not. @throws VisionError `INVALID_INPUT` if it cannot be read */
  read(owner: string): Promise<RolloutEntry | undefined> {
    return this.#files.read(owner)
  }

  /** Resolves when it would survive a power failure. @throws VisionError `INVALID_INPUT` if it cannot be written */
  async write(entry: RolloutEntry): Promise<void> {
    await this.#files.write(entry.owner, entry)
  }
}

/** A new journal. */
const newRollout = (plan: RolloutPlan, id: string): RolloutEntry => ({
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
type RolloutStore = Pick<RolloutJournal, 'read' | 'write'>

/** For modes that change nothing, and therefore need not be resumed. */
export const noRolloutJournal: RolloutStore = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
}

/** The outcome on a device. @throws VisionError with its original error */
function reportOfEnding(ending: RolloutEnding, language: string | undefined): Report {
  if ('report' in ending) return ending.report
  throw thrown(ending.failure, language)
}

/** Whether the same is requested for the same devices. */
const isSamePlan = (open: RolloutPlan, { members, choices }: RolloutPlan) =>
  JSON.stringify(open.members.map(({ id }) => id)) === JSON.stringify(members.map(({ id }) => id)) &&
  open.choices.mode === choices.mode &&
  open.choices.expected.sha256 === choices.expected.sha256 &&
  open.choices.expected.version === choices.expected.version

/** Options for several devices, some at a time. */
export interface WaveOptions<Item, Result> {
  items: readonly Item[]
  /** Devices per wave. @default 1 */
  atOnce?: number
  /** Total failures at which no further wave begins. @default 1 */
  stopAfter?: number
  /** Called before each wave but the first; a wave that is not approved does not begin. @default approves all */
  approve?: (next: {
    wave: number
    items: readonly Item[]
    results: readonly WaveResult<Item, Result>[]
  }) => boolean | Promise<boolean>
  /** Works on one of them. An error counts as a failure of that device. */
  work: (item: Item) => Promise<Result>
  /** Whether a result of the work is a success. @default always */
  succeeded?: (result: Result) => boolean
}

/** How the work on one of them ended. */
export type WaveEnd<Result> =
  | { state: 'done'; ok: boolean; result: Result }
  | { state: 'failed'; ok: false; error: unknown }
  | { state: 'skipped'; ok: false }

export type WaveResult<Item, Result> = { item: Item; wave: number } & WaveEnd<Result>

/**
 * Works on many items in waves: the next wave begins when all of the previous one are done, few enough have failed, and
 * it is approved. Never rejects for a failed item; items not begun are `skipped`.
 */
export async function inWaves<Item, Result>({
  items,
  atOnce = 1,
  stopAfter = 1,
  approve = () => true,
  work,
  succeeded = () => true,
}: WaveOptions<Item, Result>): Promise<WaveResult<Item, Result>[]> {
  const waves = new Waves<WaveEnd<Result>>({
    ...{ waves: equalWaves(items.length, atOnce), atOnce, stopAfter, asks: () => true },
    ...{ kindOf: ({ state }) => state, isFailure: ({ ok }) => !ok },
  })
  const one = async (member: number) => {
    const ending = await Promise.resolve(items[member] as Item)
      .then(work)
      .then((result): WaveEnd<Result> => ({ state: 'done', ok: succeeded(result), result }))
      .catch((error: unknown): WaveEnd<Result> => ({ state: 'failed', ok: false, error }))
    waves.apply({ kind: 'ended', member, ending })
  }
  const results = () =>
    items.flatMap((item, index) => {
      const [ending, wave] = [waves.ending(index), 1 + Math.floor(index / atOnce)]
      return ending ? [{ item, wave, ...ending }] : []
    })
  while (!waves.isOver) {
    const { wave, waitsForApproval } = waves
    const members = [...waves.members(wave)]
    const next = waves.consequence({ state: 'skipped', ok: false })
    if (next) waves.apply(next)
    else if (waitsForApproval !== undefined) {
      const about = {
        wave: wave + 1,
        items: members.map((index) => items[index] as Item),
        results: results(),
      }
      waves.apply((await approve(about)) ? { kind: 'approved', wave } : { kind: 'stopped', reason: 'asked' })
    } else await Promise.all(members.map(one))
  }
  return results()
}

export interface RolloutWork extends Pick<WaveOptions<RolloutMember, Report>, 'approve'> {
  /**
   * Updates one device: `updateFirmware` with this job.
   * @param patient whether to wait for an absent device, because no user waits for the error
   */
  update: (member: RolloutMember, job: string, patient: boolean) => Promise<Report>
  /**
   * Creates the error that ends the call if the artifact is no longer available. Devices that do not need it continue;
   * the others are left unchanged, for a later call.
   */
  noArtifact?: (left: readonly RolloutMember[]) => VisionError
  /** Aborted when the rollout must stop where it is; a later call continues it. */
  signal: AbortSignal
  language?: string
}

/**
 * Updates several devices in waves. A journal, updated before each action, lets a later call continue after this
 * program died at any point: nothing is done twice, failures still count, a pending approval is requested again, and
 * what was stopped stays so.
 */
export class Rollout {
  #written: Promise<void> = Promise.resolve()
  /** Whether a device required an artifact that is not available. */
  #isMissing = false

  private constructor(
    private readonly journal: RolloutStore,
    private entry: RolloutEntry,
    /** Whether it was resumed automatically. */
    private readonly resumed: boolean,
  ) {}

  /** The unfinished rollout; undefined if there is none. @throws VisionError */
  static async open(journal: RolloutStore, owner: string): Promise<Rollout | undefined> {
    const entry = await journal.read(owner)
    return entry && !entry.ended ? new Rollout(journal, entry, true) : undefined
  }

  /** Begins a rollout, or continues one with the same request. @throws VisionError */
  static async begin(journal: RolloutStore, plan: RolloutPlan): Promise<Rollout> {
    const open = await Rollout.open(journal, plan.owner)
    const entry =
      open && isSamePlan(open.entry, plan) ? { ...open.entry, ...plan } : newRollout(plan, randomUUID())
    const rollout = new Rollout(journal, entry, false)
    await rollout.#note({})
    return rollout
  }

  get plan(): RolloutPlan {
    return this.entry
  }

  /** Devices that have not ended yet. */
  get left(): RolloutMember[] {
    return this.entry.members.filter(({ id }) => !(id in this.entry.endings))
  }

  /** Whether a run on a device is part of it. */
  has({ job = '' }: Pick<JournalEntry, 'job'>): boolean {
    return job.startsWith(`${this.entry.id} `)
  }

  /** Begins no further device, for good. Resolves when that would survive a power failure. @throws VisionError */
  async stop(): Promise<void> {
    await this.#note({ ended: 'stopped' })
  }

  /**
   * Executes what is left.
   * @throws VisionError `ABORTED` if the signal stopped it; `INVALID_INPUT` if the artifact is no longer available and
   * must be given again, or the journal cannot be written
   */
  async run({
    approve,
    update,
    noArtifact,
    signal,
    language,
  }: RolloutWork): Promise<WaveResult<RolloutMember, Report>[]> {
    const { atOnce, stopAfter, members, approval } = this.entry
    const one = async (member: RolloutMember): Promise<Report> => {
      const known = this.entry.endings[member.id]
      if (known) return reportOfEnding(known, language)
      const begun = this.entry.begun.includes(member.id)
      if (!begun && noArtifact) {
        this.#isMissing = true
        throw noArtifact(this.left)
      }
      if (!begun) await this.#note({ begun: [...this.entry.begun, member.id] })
      try {
        const report = await update(member, `${this.entry.id} ${member.id}`, begun || this.resumed)
        await this.#keep(member, { ok: report.ok, report })
        return report
      } catch (error) {
        if (signal.aborted || !isVisionError(error)) throw error
        if (noArtifact && error.code === 'INVALID_INPUT') {
          this.#isMissing = true
          await this.#note({ begun: this.entry.begun.filter((id) => id !== member.id) })
        } else await this.#keep(member, { ok: false, failure: failureOf(error) })
        throw error
      }
    }

    const isOver = () => signal.aborted || this.entry.ended !== undefined
    const results = await inWaves<RolloutMember, Report>({
      items: members,
      atOnce,
      stopAfter,
      succeeded: ({ ok }) => ok,
      work: one,
      approve: async (next) => {
        if (isOver() || this.#isMissing) return false
        if (!approval || this.#isApproved(next.items)) return true
        // Whoever approves it expects it to begin.
        this.#isMissing ||= noArtifact !== undefined
        if (this.#isMissing) return false
        const isApproved = (await approve?.(next)) ?? true
        if (isOver()) return false
        const approved = [...this.entry.approved, ...next.items.map(({ id }) => id)]
        await this.#note(isApproved ? { approved } : { ended: 'stopped' })
        return isApproved
      },
    })
    if (signal.aborted) throw firmwareError('ABORTED', 'firmware-rollout-stopped', {}, language)
    if (noArtifact && this.#isMissing && !this.entry.ended) throw noArtifact(this.left)
    if (!this.entry.ended) await this.#note({ ended: 'done' })
    return results
  }

  #isApproved(wave: readonly RolloutMember[]): boolean {
    const { approved, begun, endings } = this.entry
    return wave.every(({ id }) => approved.includes(id) || begun.includes(id) || id in endings)
  }

  /** Stores the outcome on one device, unless one is already stored. */
  async #keep({ id }: RolloutMember, ending: RolloutEnding): Promise<void> {
    await this.#note({ endings: { [id]: ending, ...this.entry.endings } })
  }

  async #note(change: Partial<RolloutEntry>): Promise<void> {
    const entry = (this.entry = { ...this.entry, ...change })
    this.#written = settled(this.#written).then(() => this.journal.write(entry))
    await this.#written
  }
}
