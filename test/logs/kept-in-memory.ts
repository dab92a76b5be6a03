import type { logs } from '../../lib'

interface Record {
  kept: logs.Kept
  isUncertain: boolean
}

/** Positions that outlive their follower, as files outlive a process: after `kill` its follower changes nothing. */
export function keptInMemory(records = new Map<string, Record>()) {
  let isAlive = true
  const change = (log: string, how: (record: Record | undefined) => Record | undefined) => {
    const record = isAlive ? how(records.get(log)) : undefined
    if (record) records.set(log, record)
  }
  const positions: logs.Positions = {
    folder: 'memory',
    load: (log) => Promise.resolve(structuredClone(records.get(log))),
    replace: (log, kept) => {
      change(log, (record) => ({ kept: structuredClone(kept), isUncertain: record?.isUncertain ?? false }))
      return Promise.resolve()
    },
    begin: (log) => change(log, (record) => record && { ...record, isUncertain: true }),
    add: (log, entries) =>
      change(log, (record) => {
        if (!record) return undefined
        return { ...record, kept: { ...record.kept, tail: [...record.kept.tail, ...entries] } }
      }),
    end: (log) => {
      change(log, (record) => record && { ...record, isUncertain: false })
      return Promise.resolve()
    },
    rest: () => undefined,
    close: () => Promise.resolve(),
  }
  return {
    positions,
    /** The process is dead. @returns what is left, for the next one */
    kill: () => {
      isAlive = false
      return keptInMemory(records)
    },
  }
}
