import { defaultCodes, type CodeTable } from '../codes'
import type { Family } from '../families'
import { nothingKnown, type JournalMemory } from './journal-memory'

/** How one handshake behaves. Times in milliseconds. */
export interface HandshakeOptions {
  family: Family
  /** A token that cannot be guessed, new each time. */
  newToken: () => string
  /** Monotonic clock at the beginning. */
  now: number
  /** What the journal knew at the start. */
  journal?: JournalMemory
  codes?: CodeTable
  /** From the message to the flow until the PLC is told that no answer came. @default 5000 */
  deadline?: number
  /** How long an answer may still be under way after the PLC was told; *ready* waits for it. @default 5000 */
  settling?: number
  /**
   * An answer stands at least so long, also where the PLC resets its request at the same moment; *ready* waits for it.
   * @default as the family has it
   */
  minimumDone?: number
  /** After this a missing release or acknowledgement is told; an answer that stood so long counts as read. @default 10000 */
  release?: number
  /**
   * An answer for which perhaps nobody waits stands so long: the PLC was out of sight, and asks for nothing when it is back.
   * @default 2000
   */
  unasked?: number
  /**
   * A PLC that is connected to the cell's own memory, and does not write its request, has what it wrote before the start.
   * @default 1000
   */
  quiet?: number
  /** Of our life signal. @default 1000 */
  beat?: number
  /** Without a look at the PLC for so long the state is unknown; 0 for readers that tell changes alone. @default 0 */
  silence?: number
  /** The PLC's life signal may stand still so long, once it was seen to move; 0 for ever. @default 3000 */
  plcLife?: number
  /** What happens to a cycle whose trigger drops. @default 'finish' */
  onDrop?: 'finish' | 'abort'
  /** What a request meets while another is under way. @default as the family has it */
  whileBusy?: 'refuse' | 'queue'
}

/** The options with all their defaults. */
export type Settled = Required<HandshakeOptions>

export const settled = ({
  family,
  newToken,
  now,
  journal = nothingKnown,
  codes = defaultCodes,
  deadline = 5000,
  settling = 5000,
  minimumDone = family.minimumDone,
  release = 10_000,
  unasked = 2000,
  quiet = 1000,
  beat = 1000,
  silence = 0,
  plcLife = 3000,
  onDrop = 'finish',
  whileBusy = family.whileBusy,
}: HandshakeOptions): Settled => ({
  family,
  newToken,
  now,
  journal,
  codes,
  deadline,
  settling,
  minimumDone,
  release,
  unasked,
  quiet,
  beat,
  silence,
  plcLife,
  onDrop,
  whileBusy,
})
