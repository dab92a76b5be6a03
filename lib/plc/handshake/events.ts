import type { CellData, CellSays, PlcSays } from '../rows'
import type { JournalEntry } from './journal-memory'

/** What the machine hears. */
export type HandshakeEvent =
  /** A look at the PLC's words, or a write of the PLC. */
  | {
      type: 'sample'
      says: PlcSays
      /**
       * Whether the cell's own words still stand as they were last written: true where the memory is the cell's own, false
       * after the PLC lost its memory, undefined where nobody looked.
       */
      kept?: boolean
      /**
       * Where the memory is the cell's own: whether this write set the request itself, and by which connection. What no write
       * has set says nothing about the PLC.
       */
      write?: { request: boolean; connection: number }
    }
  /** The PLC has read from memory that is the cell's own: the state, or other words alone. */
  | { type: 'read'; state: boolean }
  /** @param own the memory is the cell's own: nothing is missed while no PLC is connected */
  | { type: 'link'; up: boolean; own?: boolean }
  /** The device takes triggers, or why not: the code that a trigger is answered with. */
  | { type: 'device'; ready: true }
  | { type: 'device'; ready: false; code: number; reason: OfflineReason }
  /** The flow ended the cycle of that token. */
  | { type: 'result'; token: string; data: CellData }
  /** With the code for the PLC: of a failure, or that a result does not fit its row. */
  | { type: 'error'; token: string; code: number }
  /** The flow has ended the cycle of that token, which had been answered before it did: nothing of it is under way. */
  | { type: 'settled'; token: string }
  /** A trigger by hand: its result goes to no word of the PLC. */
  | { type: 'manual' }
  /** Time has passed: at `wakeAt`, at the latest. */
  | { type: 'clock' }
  /** The node ends: the last words. */
  | { type: 'close' }

/** What to do, in this order. */
export type Effect =
  /**
   * Write what differs from the write before, in the order of the groups; the next write only after the answer to this one.
   * Only what differs: a PLC that lost its memory is recognised by what is missing there, and must not get an old answer back.
   */
  | { type: 'write'; says: CellSays; /** Every row, for a PLC whose memory is unknown. */ all: boolean }
  /** Send one message to the flow. */
  | { type: 'start'; cycle: Cycle }
  /** Nobody waits for the cycle any more; what the device does is unknown. */
  | { type: 'abort'; token: string; reason: 'deadline' | 'plc' | 'link' | 'close' }
  /** Append to the journal before anything that follows. */
  | { type: 'journal'; entry: JournalEntry }
  /** Tell people: a log line, the second output, a counter. */
  | { type: 'told'; what: Told; token?: string; request?: number; code?: number }

/** What a cycle begins with: everything as the PLC had it with its request. */
export interface Cycle {
  token: string
  /** 1 for a trigger, the number or the command of the other families; 0 by hand. */
  request: number
  acquisitionId: number
  command: number | undefined
  job: number | undefined
  arguments: readonly number[]
  manual: boolean
  /** When the request was seen, milliseconds of the machine's clock. */
  since: number
}

export type Told =
  /** A request came while it could not be executed. */
  | 'missed'
  /** An answer came for a cycle that had been answered already, because of its deadline or an abort. */
  | 'late'
  /** A second answer for a cycle. */
  | 'second'
  /** An answer with a token that was never given out. */
  | 'foreign'
  /** The PLC asks for something else by now, or was not there: the result was not shown. */
  | 'undelivered'
  /** The request was already there when the cell began to look: not executed. */
  | 'already-set'
  /** No answer by the deadline. */
  | 'no-answer'
  /** The flow never ended the cycle; the cell takes triggers again all the same. */
  | 'never-ended'
  /** The PLC does not reset its request, or does not acknowledge. */
  | 'release-missing'
  /** The PLC's life signal stands still, and goes on. */
  | 'plc-stopped'
  | 'plc-back'
  /** No look at the PLC for too long. */
  | 'silence'
  /** The PLC's memory does not hold our words any more. */
  | 'memory-lost'
  /** The PLC is connected, and has not written its request since the start: nobody knows what it asks for. */
  | 'request-unknown'
  | 'manual-done'
  | 'manual-failed'
  | 'manual-refused'

/** For the row `offlineReason`. */
export const offlineReasons = {
  none: 0,
  unreachable: 1,
  starting: 2,
  notSetUp: 3,
  other: 7,
} as const
export type OfflineReason = keyof typeof offlineReasons

/** For the status below the node. */
export type Phase = 'unknown' | 'not-ready' | 'ready' | 'busy' | 'done' | 'error'
