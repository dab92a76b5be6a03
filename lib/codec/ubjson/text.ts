import { textOf } from '../text'
import type { Cursor } from './cursor'

/** Reads a text of the given number of UTF-8 bytes. */
export function readText(cursor: Cursor, length: number): string {
  const start = cursor.skip(length)
  return textOf(cursor.bytes, start, start + length) ?? cursor.fail('A text is not UTF-8', start)
}
