import type { TextOrder, WordOrder } from './map'
import { numberTypes, type NumberType } from './fit'

/** For one value at a time: a buffer for each would be most of what a cycle allocates. */
const bytes = Buffer.alloc(4)

/** A number that fits its type, as registers. */
export function registersOf(value: number, type: NumberType, order: WordOrder): number[] {
  if (numberTypes[type].words === 1) return [value & 0xffff]
  if (type === 'REAL') bytes.writeFloatBE(value)
  else bytes.writeUInt32BE(value >>> 0)
  const high = bytes.readUInt16BE(0)
  const low = bytes.readUInt16BE(2)
  return ordered([high, low], order)
}

/** The number that registers hold. @param words one or two, as the type has */
export function numberOfRegisters(words: readonly number[], type: NumberType, order: WordOrder): number {
  const [first = 0, second = 0] = words
  if (type === 'UINT') return first
  if (type === 'INT') return (first << 16) >> 16
  const [high = 0, low = 0] = ordered([first, second], order)
  bytes.writeUInt16BE(high, 0)
  bytes.writeUInt16BE(low, 2)
  if (type === 'REAL') return bytes.readFloatBE()
  return type === 'DINT' ? bytes.readInt32BE() : bytes.readUInt32BE()
}

/** Whether the lower byte of a register is the higher one of its value. */
export const swapsBytes = (order: WordOrder): boolean => order === 'BADC' || order === 'DCBA'

/** Each order is its own inverse. */
function ordered([one, other]: readonly [number, number], order: WordOrder): number[] {
  switch (order) {
    case 'ABCD':
      return [one, other]
    case 'CDAB':
      return [other, one]
    case 'BADC':
      return [swapped(one), swapped(other)]
    case 'DCBA':
      return [swapped(other), swapped(one)]
  }
}

const swapped = (word: number) => ((word & 255) << 8) | (word >> 8)

/** Bytes, two in a register; 0 behind them. */
export function registersOfBytes(bytes: Uint8Array, count: number, order: TextOrder): number[] {
  return Array.from({ length: count }, (_, index) => {
    const word = ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)
    return order === 'first-high' ? word : swapped(word)
  })
}
