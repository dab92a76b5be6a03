import type { CellData, CellSays, PlcSays } from '../rows'
import type { Cycle, Effect, OfflineReason } from './events'
import type { JournalMemory } from './journal-memory'
import type { Settled } from './options'

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
export interface WaitingRequest {
  token: string
  request: number
  says: PlcSays
  since: number
  released: boolean
}

/** What the PLC is shown: done where the code is that of `DONE`, error otherwise. */
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
  /** The PLC was heard since, so that it can have read it. */
  heard: boolean
  /** The PLC had the time to read it. */
  taken: boolean
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

/** What the PLC is owed at the next look at it, after an interruption. */
export interface OwedAnswer {
  /** For families with numbers: the one that it belongs to. */
  request: number
  token: string
  code: number
}

export interface State {
  link: boolean
  /** The PLC's request was looked at since the link is up; where the memory is the cell's own, since the start. */
  synced: boolean
  /** The memory is the cell's own: each write of the PLC is told, and nothing changes while nobody is connected. */
  own: boolean
  /** What the PLC had written into it before the start, or `undefined` where nobody knows its request. */
  restored: PlcSays | undefined
  /** The PLC's words as the journal has them. */
  journaled: PlcSays
  /** When the first look is due at a PLC that is connected and does not write its request. */
  lookAt: number | undefined
  /** When the PLC last read the state from the cell's own memory. */
  readAt: number
  /** An answer that was taken away while nobody had heard the PLC since it was due. */
  unheard: OwedAnswer | undefined
  /** The connection that wrote the request. */
  connection: number | undefined
  closed: boolean
  /** The request as last seen: 0 asks for nothing. */
  request: number
  says: PlcSays
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
  owed: OwedAnswer | undefined
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
  said: CellSays | undefined
}

/** What each part of the machine works with during one event. */
export interface Turn {
  readonly state: State
  readonly options: Settled
  now: number
  effects: Effect[]
}

/** The state of a machine that has heard nothing yet, after what its journal says. */
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
    says: {},
    device: { ready: false, code: codes.STARTING, reason: 'starting' },
    call: unsettled && leftOver(unsettled, journal.acquisitionId, now, deadline + settling),
    waiting: undefined,
    refused: undefined,
    answer: undefined,
    next: undefined,
    downAt: -Infinity,
    echo: 0,
    owed: owed && {
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
    said: undefined,
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
