/** Where a member is; `accepted` where it confirmed that it works on what was begun. */
export type MemberPhase = 'waiting' | 'begun' | 'accepted' | 'ended'

/** A line of the journal of work in waves; members by their index, waves from 0. */
export type WaveEntry<Ending extends object, Reason extends string = string> =
  | { kind: 'begun' | 'accepted'; members: number[] }
  | { kind: 'ended'; member: number; ending: Ending }
  /** Ends all members that wait. */
  | ({ kind: 'skipped' } & Ending)
  | { kind: 'approved'; wave: number }
  | { kind: 'paused' | 'resumed' }
  /** No further member is begun. */
  | { kind: 'stopped'; reason: Reason }
  | { kind: 'finished'; at: string }

interface WaveRules<Ending extends object, Kind extends string> {
  /** Where each wave begins, and the number of members as the last. */
  waves: readonly number[]
  /** Members that are worked on at the same time. */
  atOnce: number
  /** Failures at which no further member is begun. */
  stopAfter: number
  /** Whether to ask before a wave; never before the first. */
  asks: (wave: number) => boolean
  kindOf: (ending: Ending) => Kind
  isFailure: (ending: Ending) => boolean
}

/** Waves of one size. */
export function equalWaves(members: number, size: number, first = size): number[] {
  const begins = [0]
  for (let next = first; next < members; next += size) begins.push(next)
  return [...begins, members]
}

/**
 * Work on many members in waves: the next wave begins when all members of the previous one have ended, few enough have
 * failed, and it is approved. State and rules only: whoever uses it writes each entry to a journal, applies it, and does
 * what it allows; the entries of the journal restore it after a restart.
 */
export class Waves<Ending extends object, Kind extends string = string, Reason extends string = string> {
  readonly waves: readonly number[]
  readonly #phases: MemberPhase[]
  readonly #endings: (Ending | undefined)[]
  readonly #counts: Partial<Record<Kind, number>> = {}
  #open = 0
  #ended = 0
  #failures = 0
  #doneWaves = 0
  approvedWave = 0
  isPaused = false
  stopped: Reason | 'failures' | undefined
  finishedAt: string | undefined

  constructor(private readonly rules: WaveRules<Ending, Kind>) {
    this.waves = rules.waves
    const members = rules.waves.at(-1) ?? 0
    this.#phases = Array.from({ length: members }, () => 'waiting')
    this.#endings = Array.from({ length: members })
  }

  /** Takes over a line of the journal. */
  apply(entry: WaveEntry<Ending, Reason | 'failures'>): void {
    switch (entry.kind) {
      case 'begun':
      case 'accepted':
        for (const index of entry.members)
          if (this.#phases[index] === (entry.kind === 'begun' ? 'waiting' : 'begun')) {
            this.#phases[index] = entry.kind
            if (entry.kind === 'begun') this.#open++
          }
        break
      case 'ended':
        this.#end(entry.member, entry.ending)
        break
      case 'skipped': {
        const { kind: _, ...ending } = entry
        for (const [index, phase] of this.#phases.entries())
          if (phase === 'waiting') this.#end(index, ending as unknown as Ending)
        break
      }
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

  ending(index: number): Ending | undefined {
    return this.#endings[index]
  }

  count(kind: Kind): number {
    return this.#counts[kind] ?? 0
  }

  /** Members that were begun and have not ended. */
  get open(): number {
    return this.#open
  }

  get ended(): number {
    return this.#ended
  }

  get failures(): number {
    return this.#failures
  }

  /** The first wave with a member that has not ended; the number of waves if there is none. */
  get wave(): number {
    for (; this.#doneWaves < this.waves.length - 1; this.#doneWaves++)
      for (const index of this.members(this.#doneWaves))
        if (this.#phases[index] !== 'ended') return this.#doneWaves
    return this.#doneWaves
  }

  *members(wave: number): Generator<number> {
    for (let index = this.waves[wave] ?? 0; index < (this.waves[wave + 1] ?? 0); index++) yield index
  }

  get isOver(): boolean {
    return this.finishedAt !== undefined
  }

  /** The wave that waits for approval. */
  get waitsForApproval(): number | undefined {
    const { wave } = this
    const isNext = wave > 0 && wave < this.waves.length - 1 && wave > this.approvedWave
    return isNext && !this.isOver && this.stopped === undefined && this.rules.asks(wave) ? wave : undefined
  }

  /** How many members may be begun now, all of the present wave. */
  get room(): number {
    if (this.isPaused || this.stopped !== undefined || this.waitsForApproval !== undefined) return 0
    return Math.max(0, this.rules.atOnce - this.#open)
  }

  /**
   * What follows from the state alone: too many failures stop it, what waits is then skipped, and at last it is over.
   * @param skipped the ending of members that are not begun
   */
  consequence(skipped: Ending, at = new Date().toISOString()): WaveEntry<Ending, 'failures'> | undefined {
    if (this.isOver) return undefined
    const all = this.#phases.length
    const isLeft = this.#ended + this.#open < all
    if (isLeft && this.stopped === undefined && this.#failures >= this.rules.stopAfter)
      return { kind: 'stopped', reason: 'failures' }
    if (isLeft && this.stopped !== undefined) return { kind: 'skipped', ...skipped }
    return this.#ended === all ? { kind: 'finished', at } : undefined
  }

  #end(index: number, ending: Ending): void {
    const before = this.#phases[index]
    if (before === undefined) return
    if (before === 'begun' || before === 'accepted') this.#open--
    const known = this.#endings[index]
    if (known) this.#count(known, -1)
    this.#count(ending, 1)
    this.#phases[index] = 'ended'
    this.#endings[index] = ending
  }

  #count(ending: Ending, by: number): void {
    const kind = this.rules.kindOf(ending)
    this.#counts[kind] = (this.#counts[kind] ?? 0) + by
    this.#ended += by
    if (this.rules.isFailure(ending)) this.#failures += by
  }
}
