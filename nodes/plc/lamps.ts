import type { PlcValue, ShownValue } from '../../lib/plc/data'
import { shortMeaningOf } from '../../lib/plc/program'
import { isDataRow, type CellData, type CellSays, type PlcSays } from '../../lib/plc/rows'
import type { HandshakeSettings } from './handshake-settings'

/** A value of the map as it is now. */
export interface Lamp {
  row: string
  /** The meaning in a word or two. */
  name: string
  /** A bit is a lamp; everything else is written. */
  value: boolean | number | string
  unit?: string
  /** Registers or coils of a value of the cell. */
  words?: readonly number[]
}

type Of = Pick<HandshakeSettings, 'map' | 'plcMap'>

/** What the PLC says; values that were not read are missing. */
export const plcLamps = ({ map, plcMap }: Of, says: PlcSays, language?: string): Lamp[] =>
  map.slots
    .filter(({ meaning }) => meaning.from === 'plc')
    .flatMap((slot) => {
      const value =
        slot.row === 'argument' ? says.argument?.[slot.index - 1] : says[slot.row as keyof PlcSays]
      return typeof value === 'boolean' || typeof value === 'number'
        ? [{ row: slot.row, name: shortMeaningOf(slot, plcMap, language), value }]
        : []
    })

/** What the cell says. */
export const cellLamps = ({ map, plcMap }: Of, says: CellSays, language?: string): Lamp[] =>
  map.preview(says).map((shown) => lampOf(shown, plcMap, language))

/** The results of a cycle as the PLC would have got them. */
export const resultLamps = ({ map, plcMap }: Of, data: CellData, language?: string): Lamp[] =>
  map
    .preview({ data } as CellSays)
    .filter(({ slot }) => isDataRow(slot.row))
    .map((shown) => lampOf(shown, plcMap, language))

function lampOf({ slot, value, words }: ShownValue, plcMap: Of['plcMap'], language?: string): Lamp {
  return {
    row: slot.row,
    name: shortMeaningOf(slot, plcMap, language),
    value: plain(value),
    ...(slot.unit !== undefined && { unit: slot.unit }),
    ...(slot.type !== 'bit' && { words }),
  }
}

/** A REAL has seven digits. */
const plain = (value: PlcValue): Lamp['value'] =>
  typeof value === 'number'
    ? Number(value.toPrecision(7))
    : value instanceof Uint8Array
      ? Buffer.from(value).toString('hex')
      : value
