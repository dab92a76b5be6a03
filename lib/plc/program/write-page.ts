import { poseFormat } from '../../robotics/pose-formats'
import { defaultCodes, type CodeTable } from '../codes'
import type { PlcMap } from '../data'
import { registersOf } from '../data/values'
import { defaultFormat } from '../data/map'
import type { FamilyId } from '../families'
import { codeNameText } from './code-text'
import { mapColumns, mapTable } from './map-table'
import { programText } from './program-texts'

/** What stands on the page beside the map. */
export interface PageOptions {
  family: FamilyId
  /** @default the codes of `docs/plc-handshake.md` */
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
