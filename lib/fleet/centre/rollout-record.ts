import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { wavesOf, type RolloutPlan } from './plan'
import { openLog, StorageError, type DurableLog, type StorageOptions } from '../../kernel/storage'
import { Type } from '../../typebox'

/** How a job on a device ended. */
const endings = ['done', 'failed', 'unknown', 'not-reached', 'skipped'] as const

export type MemberEnd = (typeof endings)[number]

/** Codes of `not-reached` for devices that were left out, and are no failures: nothing was tried. */
export const leftOut = ['NOT_SEEN', 'MOVED', 'FORGOTTEN'] as const

export type LeftOut = (typeof leftOut)[number]

const isLeftOut = ({ ending, code }: Pick<MemberEnding, 'ending' | 'code'>): boolean =>
  ending === 'not-reached' && (leftOut as readonly (string | undefined)[]).includes(code)

/** The outcome on one device. */
export interface MemberEnding {
  ending: MemberEnd
  /** Stable code of a failure. */
  code?: string
  /** The sentence of the cell. */
  text?: string
  result?: unknown
  /** ISO 8601, by the clock of the cell or of the centre. */
  at: string
}

/** Why no further device is begun. */
export type StopReason = 'asked' | 'failures' | 'late' | 'not-approved'

/** A line of a rollout's journal; members by their index. */
export type RolloutEntry =
  | { kind: 'begun'; members: number[] }
  | { kind: 'accepted'; members: number[] }
  | { kind: 'ended'; member: number; ending: MemberEnding }
  | { kind: 'skipped'; ending: 'skipped' | 'not-reached'; at: string }
  | { kind: 'approved'; wave: number }
  | { kind: 'paused' | 'resumed' }
  | { kind: 'stopped'; reason: StopReason }
  | { kind: 'finished'; at: string }

/** Where a member is. */
export type MemberPhase = 'waiting' | 'begun' | 'accepted' | 'ended'

/** State of a rollout: its plan and the entries of its journal. */
export class RolloutRecord {
  readonly waves: readonly number[]
  readonly #phases: MemberPhase[]
  readonly #endings: (MemberEnding | undefined)[]
  readonly #counts = Object.fromEntries(endings.map((ending) => [ending, 0])) as Record<MemberEnd, number>
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
  get counts(): Readonly<Record<MemberEnd, number>> {
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

interface StoredRollout {
  plan: RolloutPlan
  entries: RolloutEntry[]
}

/** Where the journals of rollouts are kept. */
export interface RolloutStore {
  /** All of them that can be read, in the order in which they were begun. */
  load: () => Promise<StoredRollout[]>
  /** Resolves when the plan would survive a power failure. */
  begin: (plan: RolloutPlan) => Promise<void>
  /** Resolves when the entries would survive a power failure. @throws NotJson or StorageError */
  append: (rollout: string, entries: readonly RolloutEntry[]) => Promise<void>
  remove: (rollout: string) => Promise<void>
  close: () => Promise<void>
}

const format = 'fleet-rollout journal'

const version = 1

const ending = '.rollout.jsonl'

interface FirstLine {
  format: typeof format
  version: typeof version
  plan: RolloutPlan
  /** What has happened before the entries of the other lines. */
  entries?: RolloutEntry[]
}

const First = Type.Unsafe<FirstLine>(
  Type.Object({
    format: Type.Literal(format),
    version: Type.Literal(version),
    plan: Type.Object({ id: Type.String(), startedAt: Type.String() }),
    entries: Type.Optional(Type.Array(Type.Object({ kind: Type.String() }))),
  }),
)

const Entry = Type.Unsafe<RolloutEntry>(Type.Object({ kind: Type.String() }))

/**
 * A file per rollout: its plan, then what happened, a line each. Only one program at a time may use the folder.
 * @param onDamage called with each file that cannot be used as a whole
 */
export function rolloutStore(
  folder: string,
  onDamage: StorageOptions['onDamage'] = () => undefined,
): RolloutStore {
  const logs = new Map<string, DurableLog<RolloutEntry, StoredRollout | undefined>>()
  const fileOf = (rollout: string) => join(folder, `${rollout}${ending}`)
  const open = async (rollout: string, plan?: RolloutPlan) => {
    const log = await openLog({
      ...{ file: fileOf(rollout), onDamage, unusable: 'refuse', entry: Entry, snapshot: First },
      begin: (first: FirstLine | undefined): StoredRollout | undefined => {
        const known = first?.plan ?? plan
        return known && { plan: known, entries: first?.entries ?? [] }
      },
      fold: (state, entry: RolloutEntry) => {
        state?.entries.push(entry)
        return state
      },
      snapshotOf: (state): FirstLine => {
        if (!state) throw new Error(`The rollout ${rollout} has no plan.`)
        return { format, version, ...state }
      },
    })
    logs.set(rollout, log)
    return log
  }

  return {
    load: async () => {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending))
      const found: StoredRollout[] = []
      for (const name of names)
        try {
          const { state } = await open(name.slice(0, -ending.length))
          if (state) found.push(state)
        } catch (error) {
          if (!(error instanceof StorageError)) throw error
          onDamage(error)
        }
      return found.sort((one, other) => (one.plan.startedAt < other.plan.startedAt ? -1 : 1))
    },
    begin: async (plan) => {
      const log = await open(plan.id, plan)
      await log.flush()
    },
    append: async (rollout, entries) => {
      if (entries.length === 0) return
      const log = logs.get(rollout) ?? (await open(rollout))
      log.append(...entries)
      await log.flush()
    },
    remove: async (rollout) => {
      await logs.get(rollout)?.close()
      logs.delete(rollout)
      await rm(fileOf(rollout), { force: true })
    },
    close: async () => {
      await Promise.all([...logs.values()].map((log) => log.close()))
    },
  }
}
