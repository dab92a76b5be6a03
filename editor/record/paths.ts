import { isObject } from '../is-object'

export type Json = Record<string, unknown>

/** The value at a path such as `pose.position.x`. */
export const at = (record: unknown, path: string) =>
  path.split('.').reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), record)

/** Sets the value at a path, creating missing objects. */
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

/** The object in a JSON text; empty if there is none. */
export function objectIn(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
