import { isUtf8 } from 'node:buffer'

const slots = 1024
const longestKept = 32

/**
 * Short ASCII texts that were decoded before, each in the one slot that its bytes lead to. Bodies repeat names, types
 * and units, and comparing bytes is much faster than creating a string. Memory is bounded: a slot holds one text.
 */
const kept: (string | undefined)[] = new Array<undefined>(slots).fill(undefined)

/** The UTF-8 text between two positions; undefined if the bytes are not UTF-8. */
export const textOf = (bytes: Buffer, start: number, end: number): string | undefined =>
  end - start <= longestKept ? shortText(bytes, start, end) : utf8(bytes, start, end)

function shortText(bytes: Buffer, start: number, end: number): string | undefined {
  let hash = end - start
  let bits = 0
  for (let index = start; index < end; index++) {
    const byte = bytes[index] as number
    hash = (Math.imul(hash, 31) + byte) | 0
    bits |= byte
  }
  if (bits > 0x7f) return utf8(bytes, start, end)
  const slot = hash & (slots - 1)
  const found = kept[slot]
  if (found !== undefined && matches(found, bytes, start, end)) return found
  return (kept[slot] = bytes.toString('latin1', start, end))
}

function matches(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start
  if (text.length !== length) return false
  for (let index = 0; index < length; index++) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false
  }
  return true
}

function utf8(bytes: Buffer, start: number, end: number): string | undefined {
  const text = bytes.toString('utf8', start, end)
  // The replacement character means invalid bytes, or itself.
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end)) ? undefined : text
}
