import type { PlcMap } from '../data'
import { readLines, writeLines } from './copy-words'
import type { Dialect } from './dialects'
import { blocksOf } from './fields'
import type { ProgramMemory } from './memory'
import { programText } from './program-texts'

/** The words of both sides as arrays, which Modbus blocks of the controller read and write. */
export function registerMemory(map: PlcMap, dialect: Dialect, language?: string): ProgramMemory {
  const { toCell, fromCell } = blocksOf(map)
  const order = map.order ?? 'ABCD'
  const shown = ({ count, address }: typeof toCell) => ({ count, address, shown: 40_001 + address })
  return {
    toCell: toCell.fields,
    fromCell: fromCell.fields,
    notes: [
      programText('program-words-from', shown(fromCell), language),
      programText('program-words-to', shown(toCell), language),
      programText('program-order', { order }, language),
    ],
    declarations: dialect.types,
    knowsLink: true,
    parameters: [
      `fromCell : ARRAY[0..${fromCell.count - 1}] OF WORD;`,
      `toCell : ARRAY[0..${toCell.count - 1}] OF WORD;`,
    ],
    variables: dialect.doubles,
    read: readLines(fromCell, order, dialect),
    write: writeLines(toCell, order, dialect),
  }
}
