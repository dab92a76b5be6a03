/**
 * What the handshake with a PLC knows: events and effects, the journal's memory, options, and the state between two events.
 * Pure data; no timer, no socket, no Node-RED.
 */
import { type CodeTable, defaultCodes } from '../codes'
import type { Family } from '../families'
import type { CellData, CellOutputs, PlcInputs } from '../rows'

/** A cycle in the flow, from its message until the flow has really ended it. */
export interface Call {
  cycle: Cycle
  /** When the request was seen. */
  since: number
  deadlineAt: number
  /** The PLC reset its request before the answer. */
  released: boolean
  /** Another request came meanwhile: the answer would be taken for the answer to that one. */
  superseded: boolean
  /** It came beside an answer that nobody had asked for: the PLC may have taken that one for its own, and wait for its end. */
  doubtful: boolean
  /** The PLC has its answer, or needs none any more; until then *ready* waits for the flow's end. */
  answered: boolean
  settlesAt: number
}

/** A request that waits for the end of the cycle before it. */
interface WaitingRequest {
  token: string
  request: number
  inputs: PlcInputs
  since: number
  released: boolean
}

/** The visible answer: done if its code is that of `DONE`, otherwise error. */
export interface Answer {
  request: number
  token: string
  /** It was sent to the flow: no refusal, and no command that the handshake carries out itself. */
  isCycle: boolean
  failed: boolean
  since: number
  /** The PLC has reset its request since the answer. */
  released: boolean
  /** The request was reset before the answer: it stands until the next one, or until `standsUntil`. */
  stands: boolean
  /**
   * Nobody may be waiting for it any more: it is taken away then. It came at a look that found no request after an interruption,
   * or the family knows no answer without a request.
   */
  standsUntil: number | undefined
  /** Its least time counts from here. */
  holdsFrom: number
  /** The PLC has been sampled since, so it may have read it. */
  seenByPlc: boolean
  /** The PLC has acknowledged it, or had the time to read it. */
  acknowledged: boolean
  /** The PLC has taken it away, and its request still stands: another look must not call that request a new one. */
  cleared: boolean
  /** That the release is missing has been told. */
  reminded: boolean
}

/** What the result words hold: of the last answer. */
export interface ShownResults {
  code: number
  duration: number
  jobEcho: number
  data: CellData
}

/** An answer that is shown as soon as the flags of the one before were seen off. */
export interface NextAnswer {
  of: Pick<Answer, 'request' | 'token' | 'isCycle' | 'released'> & {
    /** Perhaps nobody waits for it. */
    unasked?: boolean
    /** Of a cycle that is `doubtful`. */
    doubtful?: boolean
  }
  results: ShownResults
  at: number
}

/** An answer that the PLC gets at its next sample, after an interruption. */
export interface PendingAnswer {
  /** For families with numbers: the one that it belongs to. */
  request: number
  token: string
  code: number
}

export interface State {
  link: boolean
  /** The PLC's request was read since the link is up; where the memory is the cell's own, since the start. */
  synced: boolean
  /** The memory is the cell's own: each write of the PLC is told, and nothing changes while nobody is connected. */
  own: boolean
  /** What the PLC had written into it before the start, or `undefined` where nobody knows its request. */
  restored: PlcInputs | undefined
  /** The PLC's words as the journal has them. */
  journaled: PlcInputs
  /** When the first look is due at a PLC that is connected and does not write its request. */
  lookAt: number | undefined
  /** When the PLC last read the state from the cell's own memory. */
  readAt: number
  /** An answer that was taken away while nobody had heard the PLC since it was due. */
  unheard: PendingAnswer | undefined
  /** The connection that wrote the request. */
  connection: number | undefined
  closed: boolean
  /** The request as last seen: 0 asks for nothing. */
  request: number
  inputs: PlcInputs
  device: { ready: boolean; code: number; reason: OfflineReason }
  call: Call | undefined
  waiting: WaitingRequest | undefined
  /** A request that was refused while a cycle was under way: answered after it. */
  refused: number | undefined
  answer: Answer | undefined
  next: NextAnswer | undefined
  /** The flags of an answer went off for a request that came beside them, then. */
  downAt: number
  /** Number of the last request that was answered. */
  echo: number
  pendingAnswer: PendingAnswer | undefined
  results: ShownResults
  /** Command of the last request that was executed. */
  command: number
  /**
   * Job that a command prepared. Once the PLC may have restarted since, and so have forgotten it, it `isLost`: a cycle is
   * refused until the PLC prepares or releases a job.
   */
  prepared: { job: number; connection: number | undefined; isLost: boolean } | undefined
  triggerAck: boolean
  missed: boolean
  missedCount: number
  counter: number
  acquisitionId: number
  life: number
  beatAt: number
  heardAt: number
  plcLife: {
    value: string | undefined
    /** The PLC itself wrote it. */
    isPlcs: boolean
    changedAt: number
    moves: boolean
    stopped: boolean
  }
  /** Tokens of the last cycles, to tell a second answer from a foreign one. */
  ended: string[]
  /** As last written; undefined where the PLC's memory is unknown. */
  written: CellOutputs | undefined
}

/** The context of one event. */
export interface Turn {
  readonly state: State
  readonly options: Settled
  now: number
  effects: Effect[]
}

/** The initial state, restored from the journal. */
export function initialState({ now, beat, settling, deadline, journal, codes, family }: Settled): State {
  const { owed, unsettled, plc, prepared } = journal
  return {
    link: false,
    synced: false,
    own: false,
    restored: plc?.[family.request] === undefined ? undefined : plc,
    journaled: plc ?? {},
    lookAt: undefined,
    readAt: -Infinity,
    unheard: undefined,
    connection: undefined,
    closed: false,
    request: 0,
    inputs: {},
    device: { ready: false, code: codes.STARTING, reason: 'starting' },
    call: unsettled && leftOver(unsettled, journal.acquisitionId, now, deadline + settling),
    waiting: undefined,
    refused: undefined,
    answer: undefined,
    next: undefined,
    downAt: -Infinity,
    echo: 0,
    pendingAnswer: owed && {
      request: owed.request,
      token: owed.token,
      code: owed.sent ? codes.INTERRUPTED : codes.ALREADY_SET,
    },
    results: { code: codes.DONE, duration: 0, jobEcho: 0, data: {} },
    command: 0,
    // What the PLC has done meanwhile is not known.
    prepared: prepared === undefined ? undefined : { job: prepared, connection: undefined, isLost: true },
    triggerAck: false,
    missed: false,
    missedCount: 0,
    counter: journal.counter,
    acquisitionId: journal.acquisitionId,
    life: 0,
    beatAt: now + beat,
    heardAt: now,
    plcLife: { value: undefined, isPlcs: false, changedAt: now, moves: false, stopped: false },
    ended: [],
    written: undefined,
  }
}

/** A cycle of the run before, whose end the flow may still bring. @param within milliseconds from its beginning */
function leftOver(
  { token, request, at }: NonNullable<JournalMemory['unsettled']>,
  acquisitionId: number,
  now: number,
  within: number,
): Call {
  // Where it is not known when it began, it may have begun just before; a clock that was set back says nothing either.
  const elapsed = at === undefined ? 0 : Math.max(0, Date.now() - at)
  return {
    cycle: {
      token,
      request,
      acquisitionId,
      command: undefined,
      job: undefined,
      arguments: [],
      manual: false,
      since: now,
    },
    since: now,
    deadlineAt: now,
    released: true,
    superseded: false,
    doubtful: false,
    answered: true,
    settlesAt: now + Math.max(0, within - elapsed),
  }
}

/** Events of the machine. */
export type HandshakeEvent =
  /** The PLC's inputs were sampled, or the PLC has written. */
  | {
      type: 'sample'
      inputs: PlcInputs
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
  /** Time has passed; due at `wakeAt`. */
  | { type: 'clock' }
  /** The node ends. */
  | { type: 'close' }

/** Actions, in order. */
export type Effect =
  /**
   * Write what differs from the write before, in the order of the groups; the next write only after the answer to this one.
   * Only what differs: a PLC that lost its memory is recognised by what is missing there, and must not get an old answer back.
   */
  | { type: 'write'; outputs: CellOutputs; /** Every row, for a PLC whose memory is unknown. */ all: boolean }
  /** Send one message to the flow. */
  | { type: 'start'; cycle: Cycle }
  /** The cycle is abandoned; the outcome on the device is unknown. */
  | { type: 'abort'; token: string; reason: 'deadline' | 'plc' | 'link' | 'close' }
  /** Append to the journal before anything that follows. */
  | { type: 'journal'; entry: JournalEntry }
  /** Report to people: a log line, the second output, a counter. */
  | { type: 'told'; what: Told; token?: string; request?: number; code?: number }

/** A cycle with the PLC's inputs at its request. */
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
  /** The PLC's life signal has stopped, and runs again. */
  | 'plc-stopped'
  | 'plc-back'
  /** No sample of the PLC for too long. */
  | 'silence'
  /** The PLC's memory no longer holds the cell's outputs. */
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

/** One line of the journal. */
export type JournalEntry =
  /** A request waits for the cycle before it, or is answered without one: nothing was sent. */
  | { kind: 'noted'; token: string; request: number }
  /** The message leaves for the flow now. */
  | {
      kind: 'sent'
      token: string
      request: number
      acquisitionId: number
      /** Epoch milliseconds. */ at?: number
    }
  /** The message of a trigger by hand leaves for the flow now: the PLC is owed nothing. */
  | { kind: 'hand'; token: string; at?: number }
  /** The PLC is told so now. */
  | { kind: 'ended'; token: string; code: number; counter: number }
  /** The flow has ended it too: nothing of it is under way. */
  | { kind: 'settled'; token: string }
  /** The PLC has taken the answer, or had the time for it. */
  | { kind: 'taken'; token: string }
  /** The PLC wrote that into memory that is the cell's own; its life signals are left out. */
  | { kind: 'plc'; says: PlcInputs }
  /** The PLC has prepared that job for the cycles that follow, or released it. */
  | { kind: 'prepared'; job?: number }

/** What a restart needs. */
export interface JournalMemory {
  counter: number
  acquisitionId: number
  /** The last request, until the PLC has taken its answer. */
  owed?: { token: string; request: number; sent: boolean }
  /** The last cycle, until the flow has ended it. */
  unsettled?: { token: string; request: number; /** When it began, epoch milliseconds. */ at?: number }
  /** What stood in memory that is the cell's own: rows that the PLC has written. */
  plc?: PlcInputs
  /** A job was prepared, and not released. */
  prepared?: number
}

export const nothingKnown: JournalMemory = { counter: 0, acquisitionId: 0 }

/** The memory after one more line. A line about another cycle than the last one changes nothing of it. */
export function remembered(memory: JournalMemory, entry: JournalEntry): JournalMemory {
  const { owed, unsettled, ...numbers } = memory
  switch (entry.kind) {
    case 'noted':
      return { ...memory, owed: { token: entry.token, request: entry.request, sent: false } }
    case 'sent': {
      const { token, request, acquisitionId, at } = entry
      const unsettled = { token, request, ...(at !== undefined && { at }) }
      return { ...memory, acquisitionId, owed: { token, request, sent: true }, unsettled }
    }
    case 'hand':
      return {
        ...memory,
        unsettled: { token: entry.token, request: 0, ...(entry.at !== undefined && { at: entry.at }) },
      }
    case 'ended':
      return { ...memory, counter: entry.counter }
    case 'settled':
      return unsettled?.token === entry.token ? { ...numbers, ...(owed && { owed }) } : memory
    case 'taken':
      return owed?.token === entry.token ? { ...numbers, ...(unsettled && { unsettled }) } : memory
    case 'plc':
      return { ...memory, plc: { ...memory.plc, ...entry.says } }
    case 'prepared': {
      const { prepared: _, ...others } = memory
      return { ...others, ...(entry.job !== undefined && { prepared: entry.job }) }
    }
  }
}

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
type Settled = Required<HandshakeOptions>

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
