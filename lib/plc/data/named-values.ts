import { writingOrder, type PlcType, type RowGroup } from '../rows'
import { later } from './cell-words'
import type { Slot } from './slots'
import type { PlcValue } from './typed-value'

/** A variable with the value that it is to have. */
export interface NamedValue {
  name: string
  type: PlcType
  value: PlcValue
  group: RowGroup
}

/** Variables in the order in which they are to be written: results first, what makes them valid last. */
export function namedValues(values: readonly (readonly [Slot, PlcValue])[]): NamedValue[] {
  const named = new Map<string, NamedValue>()
  for (const [{ name = '', type, bit, meaning }, value] of values) {
    const before = named.get(name)
    // Bits of one variable are one word.
    const isWord = type === 'bit' && bit !== undefined
    named.set(name, {
      name,
      type: isWord ? 'UINT' : type,
      value: isWord ? Number(before?.value ?? 0) | (value === true ? 1 << bit : 0) : value,
      group: before ? later(before.group, meaning.group) : meaning.group,
    })
  }
  const ranks: readonly RowGroup[] = writingOrder
  return [...named.values()].sort((one, other) => ranks.indexOf(one.group) - ranks.indexOf(other.group))
}
