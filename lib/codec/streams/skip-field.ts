import { Misread, type Cursor } from './cursor'

const deepestGroup = 32

/** Skips the rest of an unknown field, such as one of newer firmware. */
export function skipField(cursor: Cursor, tag: number, end: number, depth = 0): void {
  switch (tag & 7) {
    case 0:
      cursor.varint(end)
      return
    case 1:
      cursor.skip(8, end)
      return
    case 2:
      cursor.at = cursor.end(end)
      return
    case 3:
      skipGroup(cursor, tag, end, depth)
      return
    case 4:
      throw new Misread('a group ends that did not begin')
    case 5:
      cursor.skip(4, end)
      return
    default:
      throw new Misread(`there is no wire type ${tag & 7}`)
  }
}

function skipGroup(cursor: Cursor, start: number, end: number, depth: number): void {
  if (depth === deepestGroup) throw new Misread('groups are nested too deep')
  for (;;) {
    if (cursor.at >= end) throw new Misread('the group does not end', true)
    const tag = cursor.longTag(end)
    if (tag === start + 1) return
    skipField(cursor, tag, end, depth + 1)
  }
}
