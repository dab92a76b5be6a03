import type { PlcMap } from '../data'
import { mapColumns, mapTable } from './map-table'
import { programText } from './program-texts'

/** The map for a spreadsheet: columns with semicolons between them, as those of a comma decimal read it too. */
export function writeCsv(map: PlcMap, language?: string): string {
  const lines = [
    mapColumns.map((column) => programText(`column-${column}`, {}, language)),
    ...mapTable(map, language).map((row) => mapColumns.map((column) => row[column])),
  ]
  return lines.map((cells) => `${cells.map(cell).join(';')}\r\n`).join('')
}

/** A spreadsheet must not take a path that a person wrote for a formula. */
const cell = (text: string): string => {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[";\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
