import type { Family } from '../families'
import type { RowName } from '../rows'
import type { ProgramMemory } from './memory'

/** The PLC's side of a family: what must be in the map, and the statements of its steps. */
export interface HandshakeProgram {
  needs: readonly RowName[]
  /** Rows that the block writes by itself; the others are its inputs. */
  own: readonly RowName[]
  variables: readonly string[]
  /** Names of timers. */
  timers?: readonly string[]
  /** @param local writes a variable of the block */
  lines: (local: (name: string) => string) => readonly string[]
}

/** Largest number of a type that counts requests. */
const mostOf: Readonly<Partial<Record<string, number>>> = {
  INT: 32_767,
  UINT: 65_535,
  DINT: 2_147_483_647,
  UDINT: 4_294_967_295,
}

/** The statements by which a PLC asks for a cycle and takes its answer, as the family has them. */
export function handshakeProgram(
  family: Family,
  { toCell, fromCell }: Pick<ProgramMemory, 'toCell' | 'fromCell'>,
): HandshakeProgram {
  if (family.request === 'sequence') {
    const type = toCell.find(({ slot }) => slot.row === 'sequence')?.type ?? 'UINT'
    const life = fromCell.find(({ slot }) => slot.row === 'life')
    return bySequence(type, life !== undefined)
  }
  if (family.request === 'command') return byCommand(cycleCommand(family))
  return family.answerUntil === 'acknowledged' ? byAcknowledgement : byRelease(family)
}

/** The command that runs a cycle. */
const cycleCommand = ({ commands = {} }: Family): number =>
  Number(Object.entries(commands).find(([, deed]) => deed === 'cycle')?.[0] ?? 1)

const bySequence = (type: string, hasLife: boolean): HandshakeProgram => ({
  needs: ['sequence', 'sequenceEcho', 'ready', 'busy', 'done', 'error'],
  own: ['sequence'],
  variables: [`number : ${type};`, 'isKnown : BOOL;', 'hasWords : BOOL;'],
  timers: ['wordsTimer'],
  lines: (local) => {
    const received = local('received')
    const signs = ['ready', 'busy', 'done', 'error'].map((row) => `${received}.${row}`)
    return [
      '// After a start of the PLC the numbers go on where the cell stands: an old answer belongs to none.',
      '// Its words may still be empty then.',
      `${local('hasWords')} := ${[...signs, ...(hasLife ? [`${received}.life <> 0`] : [])].join(' OR ')};`,
      `${local('wordsTimer')}(IN := ${local('hasWords')}, PT := T#1s);`,
      `IF NOT ${local('isKnown')} AND ${local('wordsTimer')}.Q THEN`,
      `   ${local('number')} := ${received}.sequenceEcho;`,
      `   ${local('isKnown')} := TRUE;`,
      'END_IF;',
      `IF ${local('phase')} = 0 AND ${local('isStarting')} THEN`,
      `   ${local('phase')} := 1;`,
      'END_IF;',
      `IF ${local('phase')} = 1 AND ${local('isKnown')} THEN`,
      `   IF ${local('number')} >= ${mostOf[type] ?? 16_777_215} THEN`,
      `      ${local('number')} := 1;`,
      '   ELSE',
      `      ${local('number')} := ${local('number')} + 1;`,
      '   END_IF;',
      `   ${local('sent')}.sequence := ${local('number')};`,
      `   ${local('phase')} := 2;`,
      `ELSIF ${local('phase')} = 2 AND ${received}.sequenceEcho = ${local('number')} AND (${received}.done OR ${received}.error) THEN`,
      `   ${local('isAnswered')} := TRUE;`,
      `   ${local('phase')} := 0;`,
      'END_IF;',
    ]
  },
})

const byRelease = ({ busyUntilRelease }: Family): HandshakeProgram => ({
  needs: ['trigger', 'busy', 'done', 'error'],
  own: ['trigger'],
  variables: ['isStale : BOOL;'],
  lines: (local) => {
    const stands = `(${local('received')}.done OR ${local('received')}.error)`
    const isOver = busyUntilRelease ? stands : `${stands} AND NOT ${local('received')}.busy`
    return [
      `IF ${local('phase')} = 0 AND ${local('isStarting')} THEN`,
      '   // An answer that still stands is not the one to this trigger.',
      `   ${local('isStale')} := ${stands};`,
      `   ${local('sent')}.trigger := TRUE;`,
      `   ${local('phase')} := 1;`,
      `ELSIF ${local('phase')} = 1 THEN`,
      `   IF ${local('isStale')} THEN`,
      `      ${local('isStale')} := ${stands};`,
      `   ELSIF ${isOver} THEN`,
      `      ${local('isAnswered')} := TRUE;`,
      `      ${local('sent')}.trigger := FALSE;`,
      `      ${local('phase')} := 2;`,
      '   END_IF;',
      `ELSIF ${local('phase')} = 2 AND NOT ${stands} AND NOT ${local('received')}.busy THEN`,
      `   ${local('phase')} := 0;`,
      'END_IF;',
    ]
  },
})

const byAcknowledgement: HandshakeProgram = {
  needs: ['enable', 'trigger', 'resultsAck', 'ready', 'triggerAck', 'resultsValid', 'error'],
  own: ['enable', 'trigger', 'resultsAck'],
  variables: [],
  lines: (local) => {
    const stands = `(${local('received')}.resultsValid OR ${local('received')}.error)`
    return [
      `${local('sent')}.enable := TRUE;`,
      `IF ${local('phase')} = 0 AND ${local('isStarting')} THEN`,
      `   ${local('phase')} := 1;`,
      'END_IF;',
      `IF ${local('phase')} = 1 THEN`,
      '   // An answer that still stands is taken first.',
      `   ${local('sent')}.resultsAck := ${stands};`,
      `   IF ${local('received')}.ready AND NOT ${stands} THEN`,
      `      ${local('sent')}.trigger := TRUE;`,
      `      ${local('phase')} := 2;`,
      '   END_IF;',
      `ELSIF ${local('phase')} = 2 AND ${local('received')}.triggerAck THEN`,
      `   ${local('sent')}.trigger := FALSE;`,
      `   ${local('phase')} := 3;`,
      `ELSIF ${local('phase')} = 3 AND ${stands} THEN`,
      `   ${local('isAnswered')} := TRUE;`,
      `   ${local('sent')}.resultsAck := TRUE;`,
      `   ${local('phase')} := 4;`,
      `ELSIF ${local('phase')} = 4 AND NOT ${stands} THEN`,
      `   ${local('sent')}.resultsAck := FALSE;`,
      `   ${local('phase')} := 0;`,
      'END_IF;',
    ]
  },
}

const byCommand = (command: number): HandshakeProgram => ({
  needs: ['command', 'commandEcho', 'busy', 'done', 'error'],
  own: ['command'],
  variables: [],
  lines: (local) => [
    `IF ${local('phase')} = 0 AND ${local('isStarting')} THEN`,
    `   ${local('sent')}.command := ${command};`,
    `   ${local('phase')} := 1;`,
    `ELSIF ${local('phase')} = 1 AND ${local('received')}.commandEcho = ${command} AND NOT ${local('received')}.busy AND (${local('received')}.done OR ${local('received')}.error) THEN`,
    `   ${local('isAnswered')} := TRUE;`,
    `   ${local('sent')}.command := 0;`,
    `   ${local('phase')} := 2;`,
    `ELSIF ${local('phase')} = 2 AND ${local('received')}.commandEcho = 0 THEN`,
    `   ${local('phase')} := 0;`,
    'END_IF;',
  ],
})
