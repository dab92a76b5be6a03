import { randomUUID } from 'node:crypto'
import { isVisionError, type VisionError } from '../client/vision-error'
import type { JournalEntry } from './journal'
import { failureOf, firmwareError } from './firmware-error'
import {
  isSamePlan,
  newRollout,
  reportOfEnding,
  type RolloutEnding,
  type RolloutStore,
  type RolloutMember,
  type RolloutEntry,
  type RolloutPlan,
} from './rollout-journal'
import type { Report } from './types'
import { inWaves, type WaveOptions, type WaveResult } from './waves'

export interface RolloutWork extends Pick<WaveOptions<RolloutMember, Report>, 'approve'> {
  /**
   * Updates one device: `updateFirmware` with this job.
   * @param patient whether to wait for a device that is not there, because nobody is there to be told at once
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
    this.#written = this.#written.catch(() => undefined).then(() => this.journal.write(entry))
    await this.#written
  }
}
