/** The presets of the one state machine, as data: how a PLC asks and is answered, and its register map. */
import type { DefaultLine, RowName } from './rows'

/** The recommended one first. */
export const familyIds = ['sequence', 'four-phases', 'control-words', 'exe-busy-flg', 'command-echo'] as const

export type FamilyId = (typeof familyIds)[number]

/** What a command does: it runs a cycle, or the handshake answers it alone. */
export type CommandDeed =
  | 'cycle'
  | 'accept'
  | 'prepare'
  | 'release'
  | 'take'
  | 'clear'
  | 'abort'
  | 'unsupported'

/** One way to ask and to answer: data for the one state machine. */
export interface Family {
  id: FamilyId
  /** The row that asks: 0 or off asks for nothing, every change to something else is a request. */
  request: 'trigger' | 'sequence' | 'command'
  /** Requests count only while the PLC sets `enable`. */
  needsEnable: boolean
  /** What a request meets that cannot be executed: an answer with its code, or the bit `missed` alone. */
  refusal: 'answer' | 'missed'
  /**
   * How long the answer stands: until the PLC resets its request (an answer to a request that was reset before stands until
   * the next one), until the next request, or until the PLC acknowledges it.
   */
  answerUntil: 'release' | 'next-request' | 'acknowledged'
  /** `busy` stays on beside the answer until the PLC resets its request. */
  busyUntilRelease: boolean
  /** The number or the id in the answer tells to which request it belongs. */
  answerIsNumbered: boolean
  /**
   * Milliseconds that an answer stands at least, unless chosen otherwise: the end of a pulse may come with it, before the PLC
   * has read it.
   */
  minimumDone: number
  /** What a request meets while another is under way, unless chosen otherwise. */
  whileBusy: 'refuse' | 'queue'
  /** Commands by their code; missing where the code is the flow's affair. */
  commands?: Readonly<Partial<Record<number, CommandDeed>>>
  /** The register map, complete; a line may be changed or left out. */
  map: readonly DefaultLine[]
}

/** Words one after the other, from `address`: `['code', 'INT'], …`. */
function wordsFrom(address: number, ...values: readonly [RowName, 'INT' | 'UINT'][]): DefaultLine[] {
  return values.map(([row, type], offset) => ({ row, address: address + offset, type }))
}

/** Bits of one word, from bit 0. */
const bitsOf = (address: number, ...names: readonly RowName[]): DefaultLine[] =>
  names.map((row, bit) => ({ row, address, bit, type: 'bit' }))

/** The first pose as six REAL of two words each. */
const poseAt = (address: number): DefaultLine[] =>
  [1, 2, 3, 4, 5, 6].map((component) => ({
    row: 'pose',
    index: 1,
    component,
    address: address + (component - 1) * 2,
    type: 'REAL',
  }))

/** A number that the PLC counts up, and its echo beside the results: nothing that polls can lose it. */
const sequence: Family = {
  id: 'sequence',
  request: 'sequence',
  needsEnable: false,
  refusal: 'answer',
  answerUntil: 'next-request',
  busyUntilRelease: false,
  answerIsNumbered: true,
  minimumDone: 0,
  whileBusy: 'queue',
  map: [
    ...wordsFrom(0, ['sequence', 'UINT'], ['job', 'UINT'], ['plcLife', 'UINT']),
    ...bitsOf(3, 'abort', 'manualAllowed'),
    ...wordsFrom(
      8,
      ['code', 'INT'],
      ['counter', 'UINT'],
      ['duration', 'UINT'],
      ['jobEcho', 'UINT'],
      ['count', 'UINT'],
    ),
    ...poseAt(14),
    ...wordsFrom(26, ['life', 'UINT']),
    ...bitsOf(27, 'ready', 'busy', 'done', 'error'),
    ...wordsFrom(28, ['sequenceEcho', 'UINT']),
  ],
}

/** Trigger, busy, done or error, release: one bit of the PLC, four of the cell. The map of `docs/plc-families.md`. */
const fourPhases: Family = {
  id: 'four-phases',
  request: 'trigger',
  needsEnable: false,
  refusal: 'answer',
  answerUntil: 'release',
  busyUntilRelease: false,
  answerIsNumbered: false,
  minimumDone: 50,
  whileBusy: 'refuse',
  map: [
    ...bitsOf(0, 'trigger'),
    ...bitsOf(1, 'ready', 'busy', 'done', 'error'),
    ...wordsFrom(2, ['code', 'INT'], ['counter', 'UINT'], ['duration', 'UINT'], ['life', 'UINT']),
  ],
}

/** Two handshakes beside each other: trigger and its acknowledgement, results and theirs. */
const controlWords: Family = {
  id: 'control-words',
  request: 'trigger',
  needsEnable: true,
  refusal: 'missed',
  answerUntil: 'acknowledged',
  busyUntilRelease: false,
  answerIsNumbered: true,
  minimumDone: 0,
  whileBusy: 'refuse',
  map: [
    ...bitsOf(0, 'enable', 'trigger', 'resultsAck', 'clearError', 'abort', 'manualAllowed'),
    ...wordsFrom(1, ['job', 'UINT'], ['plcLife', 'UINT']),
    ...wordsFrom(
      8,
      ['code', 'INT'],
      ['counter', 'UINT'],
      ['duration', 'UINT'],
      ['jobEcho', 'UINT'],
      ['count', 'UINT'],
    ),
    ...poseAt(14),
    ...wordsFrom(
      26,
      ['life', 'UINT'],
      ['acquisitionId', 'UINT'],
      ['offlineReason', 'UINT'],
      ['missedCount', 'UINT'],
    ),
    ...bitsOf(30, 'ready', 'triggerAck', 'busy', 'resultsValid', 'error', 'missed', 'online'),
  ],
}

/** EXE starts the command in its word, FLG tells that the response stands, BUSY ends with EXE. */
const exeBusyFlg: Family = {
  id: 'exe-busy-flg',
  request: 'trigger',
  needsEnable: false,
  refusal: 'answer',
  answerUntil: 'release',
  busyUntilRelease: true,
  answerIsNumbered: false,
  minimumDone: 50,
  whileBusy: 'refuse',
  map: [
    ...bitsOf(0, 'trigger', 'manualAllowed'),
    { row: 'plcLife', address: 1, type: 'UINT' },
    { row: 'command', address: 2, type: 'UDINT' },
    ...[1, 2, 3].map((index) => ({
      row: 'argument' as const,
      index,
      address: 2 + index * 2,
      type: 'DINT' as const,
    })),
    { row: 'commandEcho', address: 16, type: 'UDINT' },
    ...wordsFrom(18, ['code', 'INT'], ['counter', 'UINT'], ['duration', 'UINT'], ['count', 'UINT']),
    ...poseAt(22),
    ...wordsFrom(34, ['life', 'UINT']),
    // FLG, BUSY, READY, OR (the overall judgement) and error.
    ...bitsOf(35, 'answered', 'busy', 'ready', 'done', 'error'),
  ],
}

/** A command code and its echo: the echo stands until the command has ended and the PLC asks for nothing. */
const commandEcho: Family = {
  id: 'command-echo',
  request: 'command',
  needsEnable: false,
  refusal: 'answer',
  answerUntil: 'next-request',
  busyUntilRelease: false,
  answerIsNumbered: false,
  minimumDone: 0,
  whileBusy: 'refuse',
  commands: {
    // Automatic mode: the cell has no other.
    1: 'accept',
    2: 'prepare',
    3: 'release',
    4: 'cycle',
    // Continuous operation: each result needs a request.
    5: 'unsupported',
    // Halt and stop: nothing goes on by itself.
    6: 'accept',
    7: 'clear',
    8: 'accept',
    9: 'abort',
    10: 'take',
    11: 'clear',
  },
  map: [
    ...wordsFrom(0, ['command', 'INT'], ['job', 'UINT'], ['plcLife', 'UINT']),
    ...bitsOf(3, 'manualAllowed', 'plcLifeBit'),
    ...wordsFrom(
      8,
      ['code', 'INT'],
      ['counter', 'UINT'],
      ['duration', 'UINT'],
      ['jobEcho', 'UINT'],
      ['count', 'UINT'],
    ),
    ...poseAt(14),
    ...wordsFrom(26, ['life', 'UINT']),
    ...bitsOf(27, 'ready', 'busy', 'done', 'error', 'resultsValid', 'online', 'lifeBit'),
    ...wordsFrom(28, ['commandEcho', 'INT']),
  ],
}

/** Presets of the one state machine, the recommended one first. */
export const families: Readonly<Record<FamilyId, Family>> = {
  sequence,
  'four-phases': fourPhases,
  'control-words': controlWords,
  'exe-busy-flg': exeBusyFlg,
  'command-echo': commandEcho,
}
