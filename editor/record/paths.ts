import { isObject } from '../is-object'

export type Json = Record<string, unknown>

/** What lies at a path such as `pose.position.x`. */
export const at = (record: unknown, path: string) =>
  path.split('.').reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), record)

/** Sets what lies at a path; objects on the way are made. */
export function put(record: Json, path: string, value: unknown) {
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  let part = record
  for (const key of keys) {
    const next = part[key]
    part = isObject(next) ? next : (part[key] = {})
  }
  part[last] = value
}

/** The object in a text; empty where it holds none. */
export function objectIn(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
