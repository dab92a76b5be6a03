/** A function block for the PLC: structures of both sides, the exchange of their values, and the handshake. */
import type { PlcMap } from '../data'
import type { Family } from '../families'
import { type RowName, shortRowText } from '../rows'
import { melsec, scl, structuredText, type Dialect, inOneLine, programError, programText } from './language'
import { type ProgramField, registerMemory } from './memory'
import { handshakeProgram, phases, type HandshakeProgram } from './handshake-lines'
import { meaningOf } from './map-texts'
import { namedMemory, type ProgramProtocol } from './named-memory'

/** Languages that a program can be written in. */
export const programLanguages = ['scl', 'st'] as const
export type ProgramLanguage = (typeof programLanguages)[number]

const dialects: Readonly<Record<ProgramLanguage, Dialect>> = { scl, st: structuredText }

/** What decides about a program beside map and family. */
export interface ProgramOptions {
  /** Of the comments. @default that of the process */
  language?: string
  /** Who reads and writes the variables of a map by names, in data blocks or at devices. @default 'any' */
  protocol?: ProgramProtocol
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
  // GX Works has one language for both.
  const dialect = protocol === 'slmp' ? melsec : dialects[kind]
  const memory =
    map.by === 'name' || protocol === 's7-client' || protocol === 'slmp'
      ? namedMemory(map, family, protocol, dialect, language)
      : registerMemory(map, dialect, language)
  const { toCell, fromCell } = memory
  const { local } = dialect
  const program = handshakeProgram(family, memory, local)
  demandRows(program.needs, [...toCell, ...fromCell], family, language)

  const say = (key: Parameters<typeof programText>[0], values?: Record<string, unknown>) =>
    programText(key, values, language)
  const inputs = toCell.filter(({ slot }) => !isOwn(slot.row, program.own))
  const lives = toCell.filter(({ slot }) => slot.row === 'plcLife' || slot.row === 'plcLifeBit')
  const isWatched = fromCell.some(({ slot }) => slot.row === 'life')
  const commentOf = ({ slot }: ProgramField) => `   // ${inOneLine(meaningOf(slot, map, language))}`
  const members = (fields: readonly ProgramField[]) =>
    fields.map((field) => `${field.name} : ${field.type};${commentOf(field)}`)

  const codeType = fromCell.find(({ slot }) => slot.row === 'code')?.type
  const latched = inputs.filter(({ slot: { row } }) => belongToRequest.has(row))
  const output = (statements: Readonly<Record<string, string>>) =>
    Object.entries(statements).map(([name, value]) => `${local(name)} := ${value};`)

  const lines = [
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
      `exchange : TIME := T#0s;   // ${say('program-exchange')}`,
      ...inputs.map((field) => `${field.name} : ${field.type};${commentOf(field)}`),
    ]),
    ...section('VAR_OUTPUT', [
      'busy : BOOL;',
      'done : BOOL;',
      'error : BOOL;',
      `timedOut : BOOL;   // ${say('program-timed-out', { code: ownCodes.timedOut })}`,
      ...(program.knowsMissed
        ? [`missed : BOOL;   // ${say('program-missed', { code: ownCodes.missed })}`]
        : []),
      `code : ${codeType ?? 'INT'};   // ${say('program-code')}`,
      ...(isWatched ? [`alive : BOOL;   // ${say('program-alive')}`] : []),
      `result : ${dialect.typeName('VisionFromCell')};   // ${say('program-result')}`,
    ]),
    ...(memory.parameters.length > 0 ? section('VAR_IN_OUT', memory.parameters) : []),
    ...section('VAR', [
      `received : ${dialect.typeName('VisionFromCell')};`,
      `nothing : ${dialect.typeName('VisionFromCell')};   // ${say('program-nothing')}`,
      `sent : ${dialect.typeName('VisionToCell')};`,
      ...(latched.length > 0
        ? [`wanted : ${dialect.typeName('VisionToCell')};   // ${say('program-wanted')}`]
        : []),
      ...memory.variables,
      'phase : INT;',
      'lastPhase : INT;',
      'isStarting : BOOL;',
      'wasStarted : BOOL;',
      `isWaiting : BOOL;   // ${say('program-waiting')}`,
      'isSeen : BOOL;',
      'isAnswered : BOOL;',
      ...(program.knowsMissed ? ['isMissed : BOOL;'] : []),
      `cycleTimer : ${dialect.timer};`,
      `settleTimer : ${dialect.timer};`,
      `exchangeTimer : ${dialect.timer};`,
      ...(isWatched
        ? [
            `lastLife : ${typeIn(fromCell, 'life')};`,
            'isStill : BOOL;',
            'lives : INT;',
            `lifeTimer : ${dialect.timer};`,
          ]
        : []),
      ...program.variables.map((line) => line.replace('@missedCount', typeIn(fromCell, 'missedCount'))),
    ]),
    ...dialect.begin,
    ...comment([say('program-latch')]),
    `${local('isStarting')} := ${local('start')} AND NOT ${local('wasStarted')};`,
    `${local('wasStarted')} := ${local('start')};`,
    `IF ${local('isStarting')} THEN`,
    ...indented([
      ...output({ isWaiting: 'TRUE', busy: 'TRUE', done: 'FALSE', error: 'FALSE', timedOut: 'FALSE' }),
      ...output({ ...(program.knowsMissed && { missed: 'FALSE' }), code: '0', result: local('nothing') }),
      ...latched.map(({ name }) => `${local('wanted')}.${name} := ${local(name)};`),
    ]),
    'END_IF;',
    `IF ${local('connected')} THEN`,
    ...indented([
      ...memory.read,
      ...inputs
        .filter((field) => !latched.includes(field))
        .map(({ name }) => `${local('sent')}.${name} := ${local(name)};`),
      ...lives.map(({ name, slot, type }) =>
        slot.type === 'bit'
          ? `${local('sent')}.${name} := NOT ${local('sent')}.${name};`
          : countUp(`${local('sent')}.${name}`, type),
      ),
      ...(program.always ?? []),
      ...(isWatched
        ? [
            `IF ${local('phase')} = ${phases.settling} AND ${local('received')}.life <> ${local('lastLife')} AND ${local('lives')} < 2 THEN`,
            `   ${local('lives')} := ${local('lives')} + 1;`,
            'END_IF;',
          ]
        : []),
      `IF ${local('phase')} = ${phases.idle} AND ${local('isWaiting')} THEN`,
      ...indented([
        ...latched.map(({ name }) => `${local('sent')}.${name} := ${local('wanted')}.${name};`),
        ...output({ isWaiting: 'FALSE', phase: String(phases.prepared) }),
      ]),
      'END_IF;',
      ...stepLines(program, local, isWatched, (key) => say(key)),
      `IF ${local('isAnswered')} AND NOT ${local('isWaiting')} THEN`,
      ...indented([
        ...output({ result: local('received'), busy: 'FALSE', error: `${local('received')}.error` }),
        `${local('done')} := NOT ${local('received')}.error;`,
        ...(codeType ? output({ code: `${local('received')}.code` }) : []),
      ]),
      ...(program.knowsMissed
        ? [
            `ELSIF ${local('isMissed')} AND NOT ${local('isWaiting')} THEN`,
            ...indented(
              output({ busy: 'FALSE', error: 'TRUE', missed: 'TRUE', code: String(ownCodes.missed) }),
            ),
          ]
        : []),
      'END_IF;',
      ...output({ isAnswered: 'FALSE', ...(program.knowsMissed && { isMissed: 'FALSE' }) }),
    ]),
    'END_IF;',
    `${local('cycleTimer')}(IN := ${local('busy')} AND NOT ${local('isStarting')}, PT := ${local('timeout')});`,
    `IF ${local('cycleTimer')}.Q THEN`,
    ...indented([
      ...output({ isWaiting: 'FALSE', busy: 'FALSE', error: 'TRUE', timedOut: 'TRUE' }),
      ...output({ code: String(ownCodes.timedOut) }),
      `IF ${local('phase')} > ${phases.idle} THEN`,
      ...indented([
        ...program.own
          .filter((row) => row !== 'sequence' && row !== 'enable')
          .map((row) => reset(local, row, toCell)),
        ...output(
          program.settlesAfterTimeout
            ? { phase: String(phases.settling), ...(isWatched && { lives: '0' }) }
            : { phase: String(phases.idle) },
        ),
      ]),
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
  ]
  return (dialect.line ? lines.map(dialect.line) : lines).join('\n')
}

/** What `code` says where the cell has said nothing. */
const ownCodes = { timedOut: 901, missed: 902 } as const

/** Inputs that are taken with a start and stay as they are until the next one. */
const belongToRequest: ReadonlySet<RowName> = new Set(['job', 'argument', 'command'])

/** The steps of the handshake: what each waits for, and what it does once that stands for one exchange. */
function stepLines(
  { steps }: HandshakeProgram,
  local: (name: string) => string,
  isWatched: boolean,
  say: (key: Parameters<typeof programText>[0]) => string,
): string[] {
  const [phase, isSeen] = [local('phase'), local('isSeen')]
  const chain = (linesOf: (step: HandshakeProgram['steps'][number]) => readonly string[]) => [
    ...steps.flatMap((step, index) => [
      `${index === 0 ? 'IF' : 'ELSIF'} ${phase} = ${step.phase} THEN`,
      ...indented(linesOf(step)),
    ]),
    'END_IF;',
  ]
  const settled = `${local('settleTimer')}.Q${isWatched ? ` AND ${local('lives')} >= 2` : ''}`
  return [
    `${local('settleTimer')}(IN := ${phase} = ${phases.settling}, PT := T#1s);`,
    `${isSeen} := FALSE;`,
    ...chain((step) => [
      ...comment([say(step.comment)]),
      ...(step.waits ?? []),
      `${isSeen} := ${step.phase === phases.settling ? `${settled} AND ` : ''}${step.seen};`,
    ]),
    ...comment([say('program-stands')]),
    `${local('exchangeTimer')}(IN := ${isSeen} AND ${phase} = ${local('lastPhase')}, PT := ${local('exchange')});`,
    `${local('lastPhase')} := ${phase};`,
    `IF ${isSeen} AND (${local('exchange')} = T#0s OR ${local('exchangeTimer')}.Q) THEN`,
    ...indented(chain((step) => step.then)),
    'END_IF;',
  ]
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
