import { wavesOf, type RolloutPlan } from './plan'
import {
  endings,
  isLeftOut,
  type Ending,
  type MemberEnding,
  type RolloutEntry,
  type StopReason,
} from './rollout-entries'

/** Where a member is. */
export type MemberPhase = 'waiting' | 'begun' | 'accepted' | 'ended'

/** What is known of a rollout: its plan, and what its journal says. */
export class RolloutRecord {
  readonly waves: readonly number[]
  readonly #phases: MemberPhase[]
  readonly #endings: (MemberEnding | undefined)[]
  readonly #counts = Object.fromEntries(endings.map((ending) => [ending, 0])) as Record<Ending, number>
  /** Members that count as not reached without being a failure. */
  #leftOut = 0
  #open = 0
  #doneWaves = 0
  approvedWave = 0
  isPaused = false
  stopped: StopReason | undefined
  finishedAt: string | undefined

  constructor(readonly plan: RolloutPlan) {
    this.waves = wavesOf(plan)
    this.#phases = plan.members.map(() => 'waiting')
    this.#endings = plan.members.map(() => undefined)
  }

  /** Takes over a line of the journal. */
  apply(entry: RolloutEntry): void {
    switch (entry.kind) {
      case 'begun':
        for (const index of entry.members)
          if (this.#phases[index] === 'waiting') {
            this.#phases[index] = 'begun'
            this.#open++
          }
        break
      case 'accepted':
        for (const index of entry.members)
          if (this.#phases[index] === 'begun') this.#phases[index] = 'accepted'
        break
      case 'ended':
        this.#end(entry.member, entry.ending)
        break
      case 'skipped':
        for (const [index, phase] of this.#phases.entries())
          if (phase === 'waiting') this.#end(index, { ending: entry.ending, at: entry.at })
        break
      case 'approved':
        this.approvedWave = Math.max(this.approvedWave, entry.wave)
        break
      case 'paused':
      case 'resumed':
        this.isPaused = entry.kind === 'paused'
        break
      case 'stopped':
        this.stopped ??= entry.reason
        break
      case 'finished':
        this.finishedAt = entry.at
    }
  }

  phase(index: number): MemberPhase | undefined {
    return this.#phases[index]
  }

  ending(index: number): MemberEnding | undefined {
    return this.#endings[index]
  }

  /** Members by their ending. */
  get counts(): Readonly<Record<Ending, number>> {
    return this.#counts
  }

  /** Members that were begun and have not ended. */
  get open(): number {
    return this.#open
  }

  get ended(): number {
    return endings.reduce((sum, ending) => sum + this.#counts[ending], 0)
  }

  get failures(): number {
    return this.#counts.failed + this.#counts.unknown + this.#counts['not-reached'] - this.#leftOut
  }

  /** The first wave, from 0, with a member that has not ended; the number of waves if there is none. */
  get wave(): number {
    for (let wave = this.#doneWaves; wave < this.waves.length - 1; wave++) {
      for (let index = this.waves[wave] ?? 0; index < (this.waves[wave + 1] ?? 0); index++)
        if (this.#phases[index] !== 'ended') return wave
      this.#doneWaves = wave + 1
    }
    return this.#doneWaves
  }
  #end(index: number, ending: MemberEnding): void {
    const before = this.#phases[index]
    const known = this.#endings[index]
    if (before === undefined) return
    if (before === 'begun' || before === 'accepted') this.#open--
    if (known) this.#counts[known.ending]--
    this.#counts[ending.ending]++
    this.#leftOut += Number(isLeftOut(ending)) - Number(known !== undefined && isLeftOut(known))
    this.#phases[index] = 'ended'
    this.#endings[index] = ending
  }
}
