import type { DefaultLine, RowName } from '../rows'

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
export function wordsFrom(address: number, ...values: readonly [RowName, 'INT' | 'UINT'][]): DefaultLine[] {
  return values.map(([row, type], offset) => ({ row, address: address + offset, type }))
}

/** Bits of one word, from bit 0. */
export const bitsOf = (address: number, ...names: readonly RowName[]): DefaultLine[] =>
  names.map((row, bit) => ({ row, address, bit, type: 'bit' }))

/** The first pose as six REAL of two words each. */
export const poseAt = (address: number): DefaultLine[] =>
  [1, 2, 3, 4, 5, 6].map((component) => ({
    row: 'pose',
    index: 1,
    component,
    address: address + (component - 1) * 2,
    type: 'REAL',
  }))
