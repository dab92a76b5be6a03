import type { Item } from './message'

/** Whether what was read is what was written: a REAL has seven digits, a bit may come as a number. */
export function isSame({ type, value }: Pick<Item, 'type' | 'value'>, read: unknown): boolean {
  // Bytes come in many shapes; they are proven by what is written with them.
  if (value instanceof Uint8Array) return true
  if (typeof value === 'string') return value === read
  if (typeof read !== 'number' && typeof read !== 'boolean') return false
  return type === 'REAL'
    ? Math.fround(Number(value)) === Math.fround(Number(read))
    : Number(value) === Number(read)
}
