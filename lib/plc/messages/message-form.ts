import type { OpenMap, Slot } from '../data'
import type { CellSays, PlcSays } from '../rows'
import { keyOfWord, type Item } from './message'

/** The values of a map by what messages call them. */
export interface MessageForm {
  /** What the PLC writes; those that ask for something first. */
  plcKeys: readonly string[]
  /** What the cell writes. */
  cellKeys: readonly string[]
  /** The cell's values in writing order. */
  items: (says: CellSays) => Item[]
  /** What the PLC says. */
  says: (valueOf: (key: string) => unknown) => PlcSays
}

export function messageForm(map: OpenMap, by: 'address' | 'name'): MessageForm {
  const ofPlc = map.slots.filter(({ meaning }) => meaning.from === 'plc')
  const first = (slot: Slot) =>
    slot.row === 'trigger' || slot.row === 'sequence' || slot.row === 'command' ? 0 : 1
  const keysOf = by === 'name' ? nameOf : wordsOf
  const keys = (slots: readonly Slot[]) => [...new Set(slots.flatMap(keysOf))]
  return {
    plcKeys: keys([...ofPlc].sort((one, other) => first(one) - first(other))),
    cellKeys: keys(map.slots.filter(({ meaning }) => meaning.from === 'cell')),
    items:
      by === 'name'
        ? (says) => map.variables(says).map(({ name, ...value }) => ({ key: name, ...value }))
        : (says) =>
            map.words(says).map((word) => ({
              key: keyOfWord(word.area, word.address),
              type: 'UINT',
              value: word.value,
              group: word.group,
              word,
            })),
    says:
      by === 'name'
        ? (valueOf) => map.readNames(valueOf)
        : (valueOf) =>
            map.readWords((area, address) => {
              const value = valueOf(keyOfWord(area, address))
              return typeof value === 'number' ? value : undefined
            }),
  }
}

const nameOf = ({ name = '' }: Slot) => [name]

const wordsOf = ({ area, address = 0, words }: Slot) =>
  Array.from({ length: words }, (_, offset) => keyOfWord(area, address + offset))
