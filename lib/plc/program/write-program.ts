import type { PlcMap } from '../data'
import type { Family } from '../families'
import { shortRowText } from '../row-text'
import type { RowName } from '../rows'
import { scl, structuredText, type Dialect } from './dialects'
import type { ProgramField } from './fields'
import { handshakeProgram } from './handshake-lines'
import { inOneLine } from './identifiers'
import { meaningOf } from './map-table'
import { namedMemory } from './named-memory'
import { programError, programText } from './program-texts'
import { registerMemory } from './register-memory'
import type { NamedProtocol } from './variable-path'

/** Languages that a program can be written in. */
export const programLanguages = ['scl', 'st'] as const
export type ProgramLanguage = (typeof programLanguages)[number]

const dialects: Readonly<Record<ProgramLanguage, Dialect>> = { scl, st: structuredText }

/** What decides about a program beside map and family. */
export interface ProgramOptions {
  /** Of the comments. @default that of the process */
  language?: string
  /** Who reads and writes the names of a map that has no addresses. @default 'any' */
  protocol?: NamedProtocol
}

/**
 * The map as two structures, and the PLC's side of the family as a function block. It has not run on a controller.
 * @throws PlcError `INVALID_INPUT` for a map with faults, or without a row that the family needs
 */
export function writeProgram(
  map: PlcMap,
  family: Family,
  kind: ProgramLanguage,
  { language, protocol = 'any' }: ProgramOptions = {},
): string {
  const dialect = dialects[kind]
  const memory =
    map.by === 'name'
      ? namedMemory(map, family, protocol, dialect, language)
      : registerMemory(map, dialect, language)
  const { toCell, fromCell } = memory
  const program = handshakeProgram(family, memory)
  demandRows(program.needs, [...toCell, ...fromCell], family, language)

  const { local } = dialect
  const say = (key: Parameters<typeof programText>[0], values?: Record<string, unknown>) =>
    programText(key, values, language)
  const inputs = toCell.filter(({ slot }) => !isOwn(slot.row, program.own))
  const lives = toCell.filter(({ slot }) => slot.row === 'plcLife' || slot.row === 'plcLifeBit')
  const isWatched = fromCell.some(({ slot }) => slot.row === 'life')
  const commentOf = ({ slot }: ProgramField) => `   // ${inOneLine(meaningOf(slot, map, language))}`
  const members = (fields: readonly ProgramField[]) =>
    fields.map((field) => `${field.name} : ${field.type};${commentOf(field)}`)

  return [
    ...comment([say('program-not-run'), ...memory.notes]),
    '',
    ...memory.declarations,
    ...dialect.structure('VisionToCell', members(toCell)),
    '',
    ...dialect.structure('VisionFromCell', members(fromCell)),
    '',
    ...dialect.blockStart('VisionHandshake'),
    ...section('VAR_INPUT', [
      `start : BOOL;   // ${say('program-start')}`,
      memory.knowsLink
        ? `connected : BOOL;   // ${say('program-connected')}`
        : `connected : BOOL := TRUE;   // ${say('program-exchanged')}`,
      `timeout : TIME := T#10s;   // ${say('program-timeout')}`,
      ...inputs.map((field) => `${field.name} : ${field.type};${commentOf(field)}`),
    ]),
    ...section('VAR_OUTPUT', [
      'busy : BOOL;',
      'done : BOOL;',
      'error : BOOL;',
      `timedOut : BOOL;   // ${say('program-timed-out')}`,
      ...(isWatched ? [`alive : BOOL;   // ${say('program-alive')}`] : []),
      `result : ${dialect.typeName('VisionFromCell')};   // ${say('program-result')}`,
    ]),
    ...(memory.parameters.length > 0 ? section('VAR_IN_OUT', memory.parameters) : []),
    ...section('VAR', [
      `received : ${dialect.typeName('VisionFromCell')};`,
      `sent : ${dialect.typeName('VisionToCell')};`,
      ...memory.variables,
      'phase : INT;',
      'isStarting : BOOL;',
      'wasStarted : BOOL;',
      'isAnswered : BOOL;',
      `cycleTimer : ${dialect.timer};`,
      ...(isWatched
        ? [`lastLife : ${typeIn(fromCell, 'life')};`, 'isStill : BOOL;', `lifeTimer : ${dialect.timer};`]
        : []),
      ...program.variables,
      ...(program.timers ?? []).map((name) => `${name} : ${dialect.timer};`),
    ]),
    ...dialect.begin,
    `IF ${local('connected')} THEN`,
    ...indented([
      ...memory.read,
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
    ...memory.write,
    ...dialect.blockEnd,
    '',
  ].join('\n')
}

/** What the block writes by itself, life signals included. */
const isOwn = (row: RowName, own: readonly RowName[]) =>
  own.includes(row) || row === 'plcLife' || row === 'plcLifeBit'

function demandRows(
  needs: readonly RowName[],
  fields: readonly ProgramField[],
  { id }: Family,
  language?: string,
): void {
  const missing = needs.filter((row) => !fields.some(({ slot }) => slot.row === row))
  if (missing.length)
    throw programError({
      code: 'INVALID_INPUT',
      key: 'program-rows',
      values: { family: id, rows: missing.map((row) => shortRowText(row, language)).join(', ') },
    })
}

const typeIn = (fields: readonly ProgramField[], row: RowName) =>
  fields.find(({ slot }) => slot.row === row)?.type ?? 'UINT'

/** Starts again at 0 before the type ends. */
const countUp = (name: string, type: string): string =>
  `IF ${name} >= ${type === 'INT' ? 32_767 : type === 'UINT' ? 65_535 : 16_777_215} THEN ${name} := 0; ELSE ${name} := ${name} + 1; END_IF;`

const reset = (local: (name: string) => string, row: RowName, fields: readonly ProgramField[]): string =>
  `${local('sent')}.${row} := ${typeIn(fields, row) === 'BOOL' ? 'FALSE' : '0'};`

const indented = (lines: readonly string[]) => lines.map((line) => `   ${line}`)
const comment = (lines: readonly string[]) => lines.map((line) => `// ${line}`)
const section = (name: string, lines: readonly string[]) => [name, ...indented(lines), 'END_VAR']
