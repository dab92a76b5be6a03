import type { Cursor } from './cursor'
import type { Messages } from './messages'
import { fieldsOf, isMessage } from './schema'
import { skipField } from './skip-field'

/**
 * Path of the field that begins at this position. Used only after a failure, because tracking a path while reading
 * costs time. Everything before the position has been read successfully.
 */
export function fieldPath(cursor: Cursor, message: keyof Messages, place: number): string {
  const path: string[] = [message]
  let end = cursor.bytes.length
  let within = message
  cursor.at = 0
  while (cursor.at <= place && cursor.at < end) {
    const at = cursor.at
    const tag = readableTag(cursor, end)
    if (tag === undefined) break
    const field = fieldsOf[within].find(({ number }) => number === tag >>> 3)
    const name = field?.name ?? String(tag >>> 3)
    if (at === place) return [...path, name].join('.')
    if (field && isMessage(field.kind)) {
      const inner = cursor.end(end)
      if (place < inner) {
        path.push(name)
        end = inner
        within = field.kind
      } else cursor.at = inner
    } else skipField(cursor, tag, end)
  }
  return path.join('.')
}

function readableTag(cursor: Cursor, end: number): number | undefined {
  try {
    return cursor.tag(end)
  } catch {
    return undefined
  }
}
