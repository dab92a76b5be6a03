import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { wavesOf, type RolloutPlan } from './plan'
import { openLog, StorageError, type DurableLog, type StorageOptions } from '../../kernel/storage'
import { Waves, type WaveEntry } from '../../kernel/waves'
import { Type } from '../../typebox'

/** How a job on a device ended. */
export type MemberEnd = 'done' | 'failed' | 'unknown' | 'not-reached' | 'skipped'

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

/** A line of a rollout's journal. */
export type RolloutEntry = WaveEntry<MemberEnding, StopReason>

/** State of a rollout: its plan and the entries of its journal. */
export class RolloutRecord extends Waves<MemberEnding, MemberEnd, StopReason> {
  constructor(readonly plan: RolloutPlan) {
    const { approval, canary, atOnce, stopAfter } = plan.pace
    super({
      ...{ waves: wavesOf(plan), atOnce, stopAfter },
      asks: (wave) => approval === 'each' || (approval === 'canary' && canary > 0 && wave === 1),
      kindOf: ({ ending }) => ending,
      isFailure: (one) => ['failed', 'unknown', 'not-reached'].includes(one.ending) && !isLeftOut(one),
    })
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
