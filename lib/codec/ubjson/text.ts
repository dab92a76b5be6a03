import { isUtf8 } from 'node:buffer'
import type { Cursor } from './cursor'

const slots = 1024
const longestKept = 32

/**
 * Short ASCII texts seen before, each in the one slot that its bytes lead to. Bodies repeat names, types and units, and
 * comparing bytes is much faster than making a string of them. The memory is bounded: a slot holds one text.
 */
const kept: (string | undefined)[] = new Array<undefined>(slots).fill(undefined)

/** Reads a text of so many bytes of UTF-8. */
export function readText(cursor: Cursor, length: number): string {
  const start = cursor.skip(length)
  return length <= longestKept ? shortText(cursor, start, length) : utf8(cursor, start, start + length)
}

function shortText(cursor: Cursor, start: number, length: number): string {
  const { bytes } = cursor
  const end = start + length
  let hash = length
  let bits = 0
  for (let index = start; index < end; index++) {
    const byte = bytes[index] as number
    hash = (Math.imul(hash, 31) + byte) | 0
    bits |= byte
  }
  if (bits > 0x7f) return utf8(cursor, start, end)
  const slot = hash & (slots - 1)
  const found = kept[slot]
  if (found !== undefined && matches(found, bytes, start, length)) return found
  return (kept[slot] = bytes.toString('latin1', start, end))
}

function matches(text: string, bytes: Uint8Array, start: number, length: number): boolean {
  if (text.length !== length) return false
  for (let index = 0; index < length; index++) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false
  }
  return true
}

function utf8(cursor: Cursor, start: number, end: number): string {
  const { bytes } = cursor
  const text = bytes.toString('utf8', start, end)
  // The replacement character stands for wrong bytes, or for itself.
  if (text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end)))
    cursor.fail('A text is not UTF-8', start)
  return text
}
