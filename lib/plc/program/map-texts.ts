/** The register map for people: as a table, a spreadsheet and a page to print. */
import { labelOf, openMap, type PlcMap, type Slot } from '../data'
import { formatOf, defaultFormat } from '../data/map'
import { rowText } from '../rows'
import { programText, codeNameText } from './language'
import { poseFormat } from '../../robotics/pose-formats'
import { defaultCodes, type CodeTable } from '../codes'
import { registersOf } from '../data/values'
import type { FamilyId } from '../families'

/** A line of the printed map; texts in the language that was asked for. */
export interface MapTableRow {
  from: string
  row: string
  /** Registers or coils, from 0; or the name, where the protocol has names. */
  register: string
  /** The same as tools show it that count from 1: 40001 is register 0. */
  shown: string
  bit: string
  type: string
  unit: string
  meaning: string
}

const mapColumns = ['from', 'row', 'register', 'shown', 'bit', 'type', 'unit', 'meaning'] as const

/** The map, line by line in the order of its addresses. @throws PlcError `INVALID_INPUT` for a map with faults */
export function mapTable(map: PlcMap, language?: string): MapTableRow[] {
  const slots = [...openMap(map).slots].sort((one, other) =>
    // Names stay in the order of their lines.
    one.address === undefined || other.address === undefined
      ? 0
      : one.address - other.address || (one.bit ?? 0) - (other.bit ?? 0),
  )
  return slots.map((slot) => {
    const first = slot.address ?? 0
    const last = first + slot.words - 1
    const span = (from: number) =>
      slot.words === 1 ? String(first + from) : `${first + from}–${last + from}`
    const isNamed = slot.address === undefined
    const noted = isNamed ? slot.name : map.notation?.write(slot)
    return {
      from: programText(`from-${slot.meaning.from}`, {}, language),
      row: labelOf(slot),
      register: noted ?? (isNamed ? '' : span(0)),
      shown: isNamed || map.notation ? '' : span(firstShown[slot.area] ?? 0),
      // An address of a bit has its number.
      bit: slot.bit === undefined || map.notation ? '' : String(slot.bit),
      type: typeText(slot),
      unit: unitText(slot),
      meaning: meaningOf(slot, map, language),
    }
  })
}

/** The meaning in a word or two, without what it means in detail. */
export const shortMeaningOf = (slot: Slot, map: PlcMap, language?: string): string =>
  slot.row === 'property' ? labelOf(slot) : meaningOf(slot, map, language).replace(/;[^,]*/, '')

/** What tools call the first item of each memory. */
const firstShown: Readonly<Partial<Record<Slot['area'], number>>> = {
  ...{ coils: 1, discreteInputs: 10_001, inputRegisters: 30_001, registers: 40_001 },
}

/** With its length, and with an order that is not that of the map. */
const typeText = ({ type, length, order }: Slot): string =>
  `${type}${length > 0 && type !== 'bit' ? `[${length}]` : ''}${order === undefined ? '' : ` ${order}`}`

function unitText({ unit, factor, quantity }: Slot): string {
  if (unit !== undefined) return unit
  return quantity === 'number' && factor !== 1 ? `× ${factor}` : ''
}

/** The meaning as it is printed. */
export function meaningOf(slot: Slot, map: PlcMap, language?: string): string {
  const text = rowText(slot.row, language)
  if (!slot.meaning.components) return slot.meaning.indexed ? `${text} ${slot.index}` : text
  return `${text} ${slot.index}, ${formatOf(map).numbers[slot.component - 1]?.name ?? slot.component}`
}

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

/** Contents of the page beside the map. */
export interface PageOptions {
  family: FamilyId
  /** @default the codes of `docs/plc-codes.md` */
  codes?: CodeTable
  /** @default 'en-US' */
  language?: string
}

/** The register map and the codes as a page to print, without anything from elsewhere. */
export function writePage(
  map: PlcMap,
  { family, codes = defaultCodes, language = 'en-US' }: PageOptions,
): string {
  const say = (key: Parameters<typeof programText>[0], values?: Record<string, unknown>) =>
    escaped(programText(key, values, language))
  const order = map.order ?? 'ABCD'
  const hex = (value: number, type: 'REAL' | 'DINT') =>
    registersOf(value, type, order)
      .map((word) => word.toString(16).toUpperCase().padStart(4, '0'))
      .join(' ')
  const table = mapTable(map, language)
  const { maker, numbers } = poseFormat(map.pose?.format ?? defaultFormat)
  const hasPose = map.lines.some(({ row }) => row === 'pose')

  return [
    '<!doctype html>',
    `<html lang="${escaped(language)}">`,
    `<head><meta charset="utf-8"><title>${say('page-title')}</title><style>${style}</style></head>`,
    `<body><h1>${say('page-title')}</h1>`,
    `<p>${say('page-family', { family })}</p>`,
    tableOf(
      mapColumns.map((column) => say(`column-${column}`)),
      table.map((row) => mapColumns.map((column) => escaped(row[column]))),
    ),
    `<p>${say('page-orders', { order, real: hex(1234.5, 'REAL'), integer: hex(123_456, 'DINT') })}</p>`,
    ...(hasPose
      ? [`<p>${say('page-pose', { format: `${maker} (${numbers.map(({ name }) => name).join(', ')})` })}</p>`]
      : []),
    `<h2>${say('page-codes')}</h2>`,
    tableOf([say('column-code'), say('column-meaning')], codeRows(codes, language)),
    `<p>${say('device-codes')} ${say('program-not-run')}</p>`,
    '</body></html>',
    '',
  ].join('\n')
}

const style = [
  'body{font:14px/1.4 sans-serif;margin:2em}',
  'table{border-collapse:collapse;margin:1em 0}',
  'th,td{border:1px solid #999;padding:2px 8px;text-align:left}',
  'th{background:#eee}',
  'tr{break-inside:avoid}',
  '@page{margin:15mm}',
].join('')

/** Codes in their order; a code of the user's own stands under its name. */
const codeRows = (codes: CodeTable, language: string): string[][] =>
  Object.entries(codes)
    .filter((entry): entry is [string, number] => entry[1] !== undefined)
    .sort(([, one], [, other]) => one - other)
    .map(([name, code]) => [String(code), escaped(codeNameText(name, language))])

/** @param rows cells of text that is escaped already */
const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    '<table>',
    `<thead><tr>${head.map((text) => `<th>${text}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map((cells) => `<tr>${cells.map((text) => `<td>${text}</td>`).join('')}</tr>`),
    '</tbody></table>',
  ].join('\n')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
