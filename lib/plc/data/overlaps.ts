import type { MapFault } from './map-fault'
import type { PlcMap } from './map'
import { RowLabel } from './row-label'
import { slotsOf, type Slot } from './slots'

interface Occupied {
  slot: Slot
  /** The bits of the word that it has. */
  bits: number
}

/** Values that share a place, words that both sides write, and blocks that alternate. */
export function overlaps(map: PlcMap, by: 'address' | 'name'): MapFault[] {
  const taken = new Map<string, Occupied[]>()
  const faults: MapFault[] = []
  for (const slot of slotsOf(map)) {
    const bits = slot.type === 'bit' && slot.bit !== undefined ? 1 << slot.bit : 0xffff
    for (const place of placesOf(slot, by)) {
      const others = taken.get(place) ?? []
      const fault = faultBetween(slot, bits, others)
      // One value of several words, and a line of several numbers, is told once.
      if (fault && faults.at(-1)?.line !== slot.line) faults.push(fault)
      taken.set(place, [...others, { slot, bits }])
    }
  }
  return faults.length || by === 'name' ? faults : alternations(map)
}

const placesOf = ({ area, address = 0, name = '', words }: Slot, by: 'address' | 'name'): string[] =>
  by === 'name' ? [name] : Array.from({ length: words }, (_, offset) => `${area} ${address + offset}`)

function faultBetween(slot: Slot, bits: number, others: readonly Occupied[]): MapFault | undefined {
  const same = others.find((each) => (each.bits & bits) !== 0)
  const foreign = others.find((each) => each.slot.meaning.from !== slot.meaning.from)
  const other = same ?? foreign
  if (!other) return undefined
  return {
    key: same ? 'map-overlap' : 'map-mixed-word',
    severity: 'error',
    line: slot.line,
    values: {
      row: new RowLabel(slot),
      other: new RowLabel(other.slot),
      address: slot.address ?? slot.name ?? '',
    },
  }
}

/** Each change from the PLC's words to the cell's and back costs a request. */
function alternations(map: PlcMap): MapFault[] {
  const registers = slotsOf(map)
    .filter(({ area }) => area === 'registers')
    .sort((one, other) => (one.address ?? 0) - (other.address ?? 0))
  const changes = registers.filter((slot, index) => {
    const before = registers[index - 1]
    return before !== undefined && before.meaning.from !== slot.meaning.from
  })
  const third = changes[1]
  if (!third) return []
  const values = { row: new RowLabel(third), address: third.address ?? 0 }
  return [{ key: 'map-alternates', severity: 'warning', line: third.line, values }]
}
