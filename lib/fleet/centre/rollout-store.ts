import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lineFiles } from '../../files/line-files'
import { makeFolder } from '../../files/make-folder'
import type { RolloutPlan } from './plan'
import type { RolloutEntry } from './rollout-entries'

/** Where the journals of rollouts are kept. */
export interface RolloutStore {
  /** All of them, in the order in which they were begun. */
  load: () => Promise<{ plan: RolloutPlan; entries: RolloutEntry[] }[]>
  /** Resolves when the plan would survive a power failure. */
  begin: (plan: RolloutPlan) => Promise<void>
  /** Resolves when the entries would survive a power failure. */
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
}

/** A file per rollout: its plan, then what happened, a line each. Only one program at a time may use the folder. */
export function rolloutStore(folder: string): RolloutStore {
  const files = lineFiles(folder)
  const nameOf = (rollout: string) => `${rollout}${ending}`

  return {
    load: async () => {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending))
      const found: { plan: RolloutPlan; entries: RolloutEntry[] }[] = []
      for (const name of names) {
        const [first, ...entries] = readBack((await files.read(name)) ?? '')
        if (!isFirst(first)) continue
        found.push({ plan: first.plan, entries: entries as RolloutEntry[] })
        // The end of a program may have cut off the last line.
        files.append(name, '')
      }
      return found.sort((one, other) => (one.plan.startedAt < other.plan.startedAt ? -1 : 1))
    },
    begin: async (plan) => {
      await makeFolder(folder)
      const first: FirstLine = { format, version, plan }
      await files.replace(nameOf(plan.id), JSON.stringify(first))
    },
    append: async (rollout, entries) => {
      if (entries.length === 0) return
      files.append(nameOf(rollout), entries.map((entry) => JSON.stringify(entry)).join('\n'))
      await files.sync(nameOf(rollout))
    },
    remove: (rollout) => rm(join(folder, nameOf(rollout)), { force: true }),
    close: () => files.close(),
  }
}

const isFirst = (line: unknown): line is FirstLine => {
  const { format: found, version: of } = (line ?? {}) as Partial<FirstLine>
  return found === format && of === version
}

/** A line that was cut off says nothing: what it would have said has had no consequence. */
const readBack = (text: string): unknown[] =>
  text.split('\n').flatMap((line): unknown[] => {
    try {
      return line === '' ? [] : [JSON.parse(line) as unknown]
    } catch {
      return []
    }
  })
