import { isObject } from '../shared/is-object'

/** Values by name. */
export type Values = Record<string, unknown>

/** The values of a device at a time, milliseconds since 1970. */
export interface Snapshot {
  at: number
  values: Values
}

/** Two snapshots of a device: what is compared with, and what will be compared with from the next day on. */
export interface History {
  old: Snapshot
  next?: Snapshot
}

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

/** What a file holds that somebody may have edited: the histories by the ids of the devices. */
export function historiesIn(text: string): Map<string, History> {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    return new Map()
  }
  const entries = isObject(found) ? Object.entries(found) : []
  return new Map(entries.flatMap(([id, history]) => (isHistory(history) ? [[id, history] as const] : [])))
}

const isSnapshot = (value: unknown): value is Snapshot =>
  isObject(value) && typeof value['at'] === 'number' && isObject(value['values'])

const isHistory = (value: unknown): value is History =>
  isObject(value) && isSnapshot(value['old']) && (value['next'] === undefined || isSnapshot(value['next']))
