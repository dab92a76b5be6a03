import type { PlcMap } from '../data'
import type { Family } from '../families'
import type { RowName } from '../rows'
import { readLines, writeLines } from './copy-words'
import { scl, structuredText, type Dialect } from './dialects'
import { blocksOf, type ProgramBlock, type ProgramField } from './fields'
import { handshakeProgram } from './handshake-lines'
import { programError, programText } from './program-texts'

/** Languages that a program can be written in. */
export const programLanguages = ['scl', 'st'] as const
export type ProgramLanguage = (typeof programLanguages)[number]

const dialects: Readonly<Record<ProgramLanguage, Dialect>> = { scl, st: structuredText }

/**
 * The map as two structures, and the PLC's side of the family as a function block. It has not run on a controller.
 * @param language of the comments
 * @throws PlcError `INVALID_INPUT` for a map with faults, or without a row that the family needs
 */
export function writeProgram(map: PlcMap, family: Family, kind: ProgramLanguage, language?: string): string {
  const dialect = dialects[kind]
  const blocks = blocksOf(map)
  const { toCell, fromCell } = blocks
  const program = handshakeProgram(family, blocks)
  demandRows(program.needs, [...toCell.fields, ...fromCell.fields], family)

  const { local } = dialect
  const order = map.order ?? 'ABCD'
  const say = (key: Parameters<typeof programText>[0], values?: Record<string, unknown>) =>
    programText(key, values, language)
  const has = (row: RowName, { fields }: ProgramBlock) => fields.some(({ slot }) => slot.row === row)
  const inputs = toCell.fields.filter(({ slot }) => !isOwn(slot.row, program.own))
  const lives = toCell.fields.filter(({ slot }) => slot.row === 'plcLife' || slot.row === 'plcLifeBit')
  const isWatched = has('life', fromCell)
  const members = ({ fields }: ProgramBlock) =>
    fields.map((field) => `${field.name} : ${field.type};${meaningOf(field, language)}`)

  return [
    ...comment([
      say('program-not-run'),
      say('program-words-from', {
        count: fromCell.count,
        address: fromCell.address,
        shown: 40_001 + fromCell.address,
      }),
      say('program-words-to', {
        count: toCell.count,
        address: toCell.address,
        shown: 40_001 + toCell.address,
      }),
      say('program-order', { order }),
    ]),
    '',
    ...dialect.types,
    ...dialect.structure('VisionToCell', members(toCell)),
    '',
    ...dialect.structure('VisionFromCell', members(fromCell)),
    '',
    ...dialect.blockStart('VisionHandshake'),
    ...section('VAR_INPUT', [
      `start : BOOL;   // ${say('program-start')}`,
      `connected : BOOL;   // ${say('program-connected')}`,
      `timeout : TIME := T#10s;   // ${say('program-timeout')}`,
      ...inputs.map((field) => `${field.name} : ${field.type};${meaningOf(field, language)}`),
    ]),
    ...section('VAR_OUTPUT', [
      'busy : BOOL;',
      'done : BOOL;',
      'error : BOOL;',
      `timedOut : BOOL;   // ${say('program-timed-out')}`,
      ...(isWatched ? [`alive : BOOL;   // ${say('program-alive')}`] : []),
      `result : ${dialect.typeName('VisionFromCell')};   // ${say('program-result')}`,
    ]),
    ...section('VAR_IN_OUT', [
      `fromCell : ARRAY[0..${fromCell.count - 1}] OF WORD;`,
      `toCell : ARRAY[0..${toCell.count - 1}] OF WORD;`,
    ]),
    ...section('VAR', [
      `received : ${dialect.typeName('VisionFromCell')};`,
      `sent : ${dialect.typeName('VisionToCell')};`,
      ...dialect.doubles,
      'phase : INT;',
      'isStarting : BOOL;',
      'wasStarted : BOOL;',
      'isAnswered : BOOL;',
      `cycleTimer : ${dialect.timer};`,
      ...(isWatched
        ? [`lastLife : ${typeIn(fromCell, 'life')};`, 'isStill : BOOL;', `lifeTimer : ${dialect.timer};`]
        : []),
      ...program.variables,
    ]),
    ...dialect.begin,
    `IF ${local('connected')} THEN`,
    ...indented([
      ...readLines(fromCell, order, dialect),
      `${local('isStarting')} := ${local('start')} AND NOT ${local('wasStarted')};`,
      `${local('wasStarted')} := ${local('start')};`,
      `IF ${local('isStarting')} AND ${local('phase')} = 0 THEN`,
      ...indented(['busy := TRUE;', 'done := FALSE;', 'error := FALSE;', 'timedOut := FALSE;'].map(local)),
      'END_IF;',
      ...inputs.map(({ name }) => `${local('sent')}.${name} := ${local(name)};`),
      ...lives.map(({ name, slot, type }) =>
        slot.type === 'bit'
          ? `${local('sent')}.${name} := NOT ${local('sent')}.${name};`
          : countUp(`${local('sent')}.${name}`, type),
      ),
      ...program.lines(local),
      `IF ${local('isAnswered')} THEN`,
      ...indented([
        `${local('isAnswered')} := FALSE;`,
        `${local('result')} := ${local('received')};`,
        `${local('busy')} := FALSE;`,
        `${local('error')} := ${local('received')}.error;`,
        `${local('done')} := NOT ${local('received')}.error;`,
      ]),
      'END_IF;',
    ]),
    'END_IF;',
    `${local('cycleTimer')}(IN := ${local('phase')} > 0, PT := ${local('timeout')});`,
    `IF ${local('cycleTimer')}.Q THEN`,
    ...indented([
      ...program.own
        .filter((row) => row !== 'sequence' && row !== 'enable')
        .map((row) => reset(local, row, toCell)),
      `${local('phase')} := 0;`,
      `IF ${local('busy')} THEN`,
      ...indented(['busy := FALSE;', 'error := TRUE;', 'timedOut := TRUE;'].map(local)),
      'END_IF;',
    ]),
    'END_IF;',
    ...(isWatched
      ? [
          `${local('isStill')} := ${local('received')}.life = ${local('lastLife')};`,
          `${local('lastLife')} := ${local('received')}.life;`,
          `${local('lifeTimer')}(IN := ${local('isStill')} OR NOT ${local('connected')}, PT := T#3s);`,
          `${local('alive')} := NOT ${local('lifeTimer')}.Q;`,
        ]
      : []),
    ...writeLines(toCell, order, dialect),
    ...dialect.blockEnd,
    '',
  ].join('\n')
}

/** What the block writes by itself, life signals included. */
const isOwn = (row: RowName, own: readonly RowName[]) =>
  own.includes(row) || row === 'plcLife' || row === 'plcLifeBit'

function demandRows(needs: readonly RowName[], fields: readonly ProgramField[], { id }: Family): void {
  const missing = needs.filter((row) => !fields.some(({ slot }) => slot.row === row))
  if (missing.length)
    throw programError({
      code: 'INVALID_INPUT',
      key: 'program-rows',
      values: { family: id, rows: missing.join(', ') },
    })
}

const typeIn = ({ fields }: ProgramBlock, row: RowName) =>
  fields.find(({ slot }) => slot.row === row)?.type ?? 'UINT'

/** Starts again at 0 before the type ends. */
const countUp = (name: string, type: string): string =>
  `IF ${name} >= ${type === 'INT' ? 32_767 : type === 'UINT' ? 65_535 : 16_777_215} THEN ${name} := 0; ELSE ${name} := ${name} + 1; END_IF;`

const reset = (local: (name: string) => string, row: RowName, block: ProgramBlock): string =>
  `${local('sent')}.${row} := ${typeIn(block, row) === 'BOOL' ? 'FALSE' : '0'};`

const indented = (lines: readonly string[]) => lines.map((line) => `   ${line}`)
const comment = (lines: readonly string[]) => lines.map((line) => `// ${line}`)
const section = (name: string, lines: readonly string[]) => [name, ...indented(lines), 'END_VAR']

const meaningOf = ({ slot }: ProgramField, language?: string): string =>
  `   // ${programText(`row-${slot.row}`, {}, language)}`
