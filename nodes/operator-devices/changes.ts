import { Type, type Static } from '../../lib/typebox'

/** Values by name. */
export type Values = Record<string, unknown>

/** The values of a device at a time, milliseconds since 1970. */
const Snapshot = Type.Object({ at: Type.Number(), values: Type.Record(Type.String(), Type.Unknown()) })
export type Snapshot = Static<typeof Snapshot>

/** Two snapshots of a device: what is compared with, and what will be compared with from the next day on. */
const History = Type.Object({ old: Snapshot, next: Type.Optional(Snapshot) })
export type History = Static<typeof History>

/** What is kept of all devices, by their ids. */
export const Histories = Type.Record(Type.String(), History)

const day = 24 * 60 * 60 * 1000

/** The history with the values of now: compared is with what was a day ago, or with the first look. */
export function remembered(history: History | undefined, values: Values, now: number): History {
  if (!history) return { old: { at: now, values } }
  const { old, next } = history
  if (next && now - next.at >= day) return { old: next, next: { at: now, values } }
  return next || now - old.at < day ? history : { old, next: { at: now, values } }
}

/** A value that is another one. */
export interface Change {
  name: string
  from: unknown
  to: unknown
}

/** What differs; a name that only one of the two has is no change: a module may not be running. */
export const changesBetween = (before: Values, now: Values): Change[] =>
  Object.entries(now).flatMap(([name, to]) =>
    Object.hasOwn(before, name) && JSON.stringify(before[name]) !== JSON.stringify(to)
      ? [{ name, from: before[name], to }]
      : [],
  )
