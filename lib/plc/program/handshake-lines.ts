/** The PLC side of each handshake family, as statements of its program. */
import type { Family } from '../families'
import type { RowName } from '../rows'
import type { ProgramMemory } from './memory'
import type { programText } from './language'

/** The PLC's side of a family: the rows that it needs, and the statements of its steps. */
export interface HandshakeProgram {
  needs: readonly RowName[]
  /** Rows that the block writes by itself; the others are its inputs. */
  own: readonly RowName[]
  variables: readonly string[]
  /** Executed in each call before the steps. */
  always?: readonly string[]
  /** Cells tell a request that was not accepted by `missed` alone. */
  knowsMissed?: boolean
  /** The handshake begins anew after a timeout: its request may still be under way. */
  settlesAfterTimeout: boolean
  /** From `settling` on: the condition that ends a step, and its actions. */
  steps: readonly Step[]
}

export interface Step {
  phase: number
  /** A comment above it. */
  comment: Parameters<typeof programText>[0]
  /** Statements while it waits. */
  waits?: readonly string[]
  /** An expression. */
  seen: string
  /** Statements that end it. */
  then: readonly string[]
}

/** Phases that all families have; `idle` and `prepared` follow each other as soon as a start waits. */
export const phases = { settling: 0, idle: 1, prepared: 2, requested: 3 } as const

/** Largest number of a type that counts requests. */
const mostOf: Readonly<Partial<Record<string, number>>> = {
  INT: 32_767,
  UINT: 65_535,
  DINT: 2_147_483_647,
  UDINT: 4_294_967_295,
}

type Local = (name: string) => string

/**
 * The statements by which a PLC requests a cycle and reads its answer in this family.
 * @param local writes a variable of the block
 */
export function handshakeProgram(
  family: Family,
  { toCell, fromCell }: Pick<ProgramMemory, 'toCell' | 'fromCell'>,
  local: Local,
): HandshakeProgram {
  const has = (row: RowName) => fromCell.some(({ slot }) => slot.row === row)
  const names: Names = {
    phase: (number) => `${local('phase')} := ${number};`,
    sent: (row, value) => `${local('sent')}.${row} := ${value};`,
    received: (row) => `${local('received')}.${row}`,
    local,
    answered: `${local('isAnswered')} := TRUE;`,
  }
  if (family.request === 'sequence')
    return bySequence(names, toCell.find(({ slot }) => slot.row === 'sequence')?.type ?? 'UINT', has('life'))
  if (family.request === 'command') return byCommand(names, cycleCommand(family))
  if (family.answerUntil !== 'acknowledged') return byRelease(names, family)
  return byAcknowledgement(names, has('missedCount') ? 'missedCount' : has('missed') ? 'missed' : undefined)
}

interface Names {
  phase: (number: number) => string
  sent: (row: RowName, value: string) => string
  received: (row: RowName) => string
  local: Local
  answered: string
}

/** The command that runs a cycle. */
const cycleCommand = ({ commands = {} }: Family): number =>
  Number(Object.entries(commands).find(([, deed]) => deed === 'cycle')?.[0] ?? 1)

const bySequence = (
  { phase, sent, received, local, answered }: Names,
  type: string,
  hasLife: boolean,
): HandshakeProgram => {
  const number = local('number')
  const signs = (['ready', 'busy', 'done', 'error'] as const).map(received).join(' OR ')
  return {
    needs: ['sequence', 'sequenceEcho', 'ready', 'busy', 'done', 'error'],
    own: ['sequence'],
    variables: [`number : ${type};`],
    settlesAfterTimeout: false,
    steps: [
      {
        phase: phases.settling,
        comment: 'program-settling-number',
        // Words that nobody has written yet are all 0.
        seen: `NOT ${received('busy')}${hasLife ? '' : ` AND (${signs})`}`,
        then: [`${number} := ${received('sequenceEcho')};`, phase(phases.idle)],
      },
      {
        phase: phases.prepared,
        comment: 'program-prepared',
        seen: 'TRUE',
        then: [
          `IF ${number} >= ${mostOf[type] ?? 16_777_215} THEN`,
          `   ${number} := 1;`,
          'ELSE',
          `   ${number} := ${number} + 1;`,
          'END_IF;',
          sent('sequence', number),
          phase(phases.requested),
        ],
      },
      {
        phase: phases.requested,
        comment: 'program-requested',
        seen: `${received('sequenceEcho')} = ${number} AND (${received('done')} OR ${received('error')})`,
        then: [answered, phase(phases.idle)],
      },
    ],
  }
}

const byRelease = (
  { phase, sent, received, local, answered }: Names,
  { busyUntilRelease }: Family,
): HandshakeProgram => {
  const stands = `(${received('done')} OR ${received('error')})`
  const isOver = busyUntilRelease ? stands : `${stands} AND NOT ${received('busy')}`
  const isStale = local('isStale')
  return {
    needs: ['trigger', 'busy', 'done', 'error'],
    own: ['trigger'],
    variables: ['isStale : BOOL;'],
    settlesAfterTimeout: true,
    steps: [
      {
        phase: phases.settling,
        comment: 'program-settling',
        seen: `NOT ${received('busy')}`,
        then: [phase(phases.idle)],
      },
      {
        phase: phases.prepared,
        comment: 'program-prepared',
        seen: 'TRUE',
        then: [`${isStale} := ${stands};`, sent('trigger', 'TRUE'), phase(phases.requested)],
      },
      {
        phase: phases.requested,
        comment: 'program-requested-stale',
        waits: [`${isStale} := ${isStale} AND ${stands};`],
        seen: `NOT ${isStale} AND ${isOver}`,
        then: [answered, sent('trigger', 'FALSE'), phase(4)],
      },
      {
        phase: 4,
        comment: 'program-closing',
        seen: `NOT ${stands} AND NOT ${received('busy')}`,
        then: [phase(phases.idle)],
      },
    ],
  }
}

const byAcknowledgement = (
  { phase, sent, received, local, answered }: Names,
  missedRow: 'missedCount' | 'missed' | undefined,
): HandshakeProgram => {
  const stands = `(${received('resultsValid')} OR ${received('error')})`
  const before = local('missedBefore')
  const isMissed =
    missedRow === 'missedCount'
      ? `${received('missedCount')} <> ${before}`
      : `(${received('missed')} AND NOT ${before})`
  return {
    needs: ['enable', 'trigger', 'resultsAck', 'ready', 'triggerAck', 'resultsValid', 'error'],
    own: ['enable', 'trigger', 'resultsAck'],
    variables: missedRow ? [`missedBefore : ${missedRow === 'missed' ? 'BOOL' : '@missedCount'};`] : [],
    always: [sent('enable', 'TRUE')],
    knowsMissed: missedRow !== undefined,
    settlesAfterTimeout: true,
    steps: [
      {
        phase: phases.settling,
        comment: 'program-settling',
        waits: [sent('resultsAck', stands)],
        seen: `NOT ${received('triggerAck')} AND NOT ${stands}`,
        then: [phase(phases.idle)],
      },
      {
        phase: phases.prepared,
        comment: 'program-prepared-ready',
        waits: [sent('resultsAck', stands)],
        seen: `${received('ready')} AND NOT ${stands}`,
        then: [
          ...(missedRow ? [`${before} := ${received(missedRow)};`] : []),
          sent('trigger', 'TRUE'),
          phase(phases.requested),
        ],
      },
      {
        phase: phases.requested,
        comment: 'program-acknowledged',
        seen: `${received('triggerAck')} OR ${stands}${missedRow ? ` OR ${isMissed}` : ''}`,
        then: [
          sent('trigger', 'FALSE'),
          `IF ${received('triggerAck')} THEN`,
          `   ${phase(4)}`,
          'ELSE',
          `   ${local('isAnswered')} := ${stands};`,
          ...(missedRow ? [`   ${local('isMissed')} := NOT ${stands};`] : []),
          `   ${sent('resultsAck', stands)}`,
          `   ${phase(5)}`,
          'END_IF;',
        ],
      },
      {
        phase: 4,
        comment: 'program-requested',
        seen: stands,
        then: [answered, sent('resultsAck', 'TRUE'), phase(5)],
      },
      {
        phase: 5,
        comment: 'program-closing',
        seen: `NOT ${stands} AND NOT ${received('triggerAck')}`,
        then: [sent('resultsAck', 'FALSE'), phase(phases.idle)],
      },
    ],
  }
}

const byCommand = ({ phase, sent, received, answered }: Names, command: number): HandshakeProgram => ({
  needs: ['command', 'commandEcho', 'busy', 'done', 'error'],
  own: ['command'],
  variables: [],
  settlesAfterTimeout: true,
  steps: [
    {
      phase: phases.settling,
      comment: 'program-settling',
      seen: `${received('commandEcho')} = 0 AND NOT ${received('busy')}`,
      then: [phase(phases.idle)],
    },
    {
      phase: phases.prepared,
      comment: 'program-prepared',
      seen: 'TRUE',
      then: [sent('command', String(command)), phase(phases.requested)],
    },
    {
      phase: phases.requested,
      comment: 'program-requested',
      seen: `${received('commandEcho')} = ${command} AND NOT ${received('busy')} AND (${received('done')} OR ${received('error')})`,
      then: [answered, sent('command', '0'), phase(4)],
    },
    {
      phase: 4,
      comment: 'program-closing',
      seen: `${received('commandEcho')} = 0`,
      then: [phase(phases.idle)],
    },
  ],
})
