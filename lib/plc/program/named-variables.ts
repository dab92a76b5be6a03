import { later } from '../data/open-map'
import type { PlcMap, Slot } from '../data'
import { openMap } from '../data'
import type { RowGroup } from '../rows'
import { namesOf, type ProgramField } from './fields'

/** A variable of a map by names; bits of one name are one word. */
export interface NamedVariable {
  /** As the map has it. */
  name: string
  side: 'toCell' | 'fromCell'
  /** Its type in the PLC. */
  type: string
  /** In the memory of the PLC. */
  bytes: number
  isWordOfBits: boolean
  fields: readonly [ProgramField, ...ProgramField[]]
  /** When it is written, by the group of the last of its values. */
  group: RowGroup
}

/** The variables of a map by names, in the order of their lines. @throws PlcError `INVALID_INPUT` for a map with faults */
export function namedVariables(map: PlcMap): NamedVariable[] {
  const { slots } = openMap(map, 'name')
  const names = namesOf(slots, map)
  const found = new Map<string, NamedVariable>()
  for (const slot of slots) {
    const isBit = slot.type === 'bit'
    const isWordOfBits = isBit && slot.bit !== undefined
    const [type, bytes] = isWordOfBits ? ['WORD', 2] : typeOf(slot)
    const field = { slot, name: names.get(slot) ?? slot.row, type: isBit ? 'BOOL' : type }
    const name = slot.name ?? ''
    const before = found.get(name)
    found.set(name, {
      name,
      side: slot.meaning.from === 'plc' ? 'toCell' : 'fromCell',
      type,
      bytes,
      isWordOfBits,
      fields: before ? [...before.fields, field] : [field],
      group: before ? later(before.group, slot.meaning.group) : slot.meaning.group,
    })
  }
  return [...found.values()]
}

/** With its bytes; a bit of its own has none. */
function typeOf({ type, length, words }: Slot): [type: string, bytes: number] {
  if (type === 'bit') return ['BOOL', 0]
  // Two bytes tell how long the text can be, and is.
  if (type === 'STRING') return [`STRING[${length}]`, length + 2]
  return type === 'bytes' ? [`ARRAY[0..${length - 1}] OF BYTE`, length] : [type, 2 * words]
}
