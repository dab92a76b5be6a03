import type { PlcSays } from '../rows'
import { answerTaken, answerWith, dropNext, takeDown, tell } from './answer'
import { begin, endEarly, refusalOf } from './cycle'
import { show } from './show'
import type { Turn } from './state'
import { isBusy, isEnabled } from './words'

/** The PLC asks for something. */
export function onRequest(turn: Turn, request: number, says: PlcSays): void {
  const { state, options, now } = turn
  const { commands } = options.family
  dropNext(turn)
  const deed = commands ? (commands[request] ?? 'unsupported') : 'cycle'
  if (deed === 'abort') {
    onAbortCommand(turn, request)
    return
  }
  if (state.call || state.waiting) {
    onRequestWhileBusy(turn, request, says, deed === 'cycle')
    return
  }
  if (deed !== 'cycle') {
    onCommand(turn, request, deed, says)
    return
  }
  const refusal = isEnabled(turn) ? refusalOf(turn) : options.codes.NOT_ALLOWED
  if (refusal !== undefined) {
    refuse(turn, request, refusal)
    return
  }
  begin(turn, { token: options.newToken(), request, says, since: now, released: false })
}

function refuse(turn: Turn, request: number, code: number): void {
  miss(turn, request, code)
  if (turn.options.family.refusal === 'answer') answerWith(turn, request, code)
}

function miss(turn: Turn, request: number, code: number): void {
  const { state } = turn
  state.missed = true
  state.missedCount += 1
  tell(turn, 'missed', { request, code })
}

function onRequestWhileBusy(turn: Turn, request: number, says: PlcSays, mayWait: boolean): void {
  const { state, options } = turn
  const { family, codes } = options
  const running = isPlcsCallOpen(turn)
  // Where numbers tell the answers apart, both can be given.
  if (running && state.call) state.call.superseded = true
  if (mayWait && options.whileBusy === 'queue') {
    wait(turn, request, says)
    return
  }
  if (family.refusal === 'missed') {
    miss(turn, request, codes.STILL_BUSY)
    return
  }
  if (!isBusy(turn)) {
    refuse(turn, request, codes.STILL_BUSY)
    return
  }
  miss(turn, request, codes.STILL_BUSY)
  state.refused = request
}

/** A cycle of the PLC is under way and has no answer yet: what stands there is no answer to a request that comes now. */
const isPlcsCallOpen = ({ state: { call } }: Turn): boolean =>
  call !== undefined && !call.answered && !call.cycle.manual

/** The newest request waits: the one before it would get an answer that the PLC reads as the answer to this one. */
function wait(turn: Turn, request: number, says: PlcSays): void {
  const { state, options, effects, now } = turn
  if (state.waiting) miss(turn, state.waiting.request, options.codes.STILL_BUSY)
  const token = options.newToken()
  if (!isPlcsCallOpen(turn)) {
    // Nothing may be read as the answer to this one.
    answerTaken(turn)
    takeDown(turn)
  }
  state.waiting = { token, request, says, since: now, released: false }
  effects.push({ type: 'journal', entry: { kind: 'noted', token, request } })
}

/** The PLC ends the cycle; what the device does is unknown. */
export function abortByPlc(turn: Turn): void {
  const { state, options } = turn
  const { ABORTED_BY_PLC } = options.codes
  const { call, waiting } = state
  state.waiting = undefined
  if (call && !call.answered && !call.cycle.manual) endEarly(turn, call, ABORTED_BY_PLC, 'plc')
  if (waiting) answerWith(turn, waiting.request, ABORTED_BY_PLC)
}

function onAbortCommand(turn: Turn, request: number): void {
  const { call } = turn.state
  if (call && !call.answered) call.superseded = true
  abortByPlc(turn)
  answerWith(turn, request, turn.options.codes.DONE)
}

/** Commands that need no cycle. */
function onCommand(turn: Turn, request: number, deed: string, says: PlcSays): void {
  const { state, options } = turn
  if (deed === 'unsupported') {
    refuse(turn, request, options.codes.NOT_ALLOWED)
    return
  }
  if (deed === 'prepare') prepare(turn, says.job)
  if (deed === 'release') prepare(turn, undefined)
  if (deed === 'clear') state.missed = false
  state.command = says.command ?? 0
  answerTaken(turn)
  takeDown(turn)
  show(turn)
  answerWith(turn, request, options.codes.DONE)
}

function prepare({ state, effects }: Turn, job: number | undefined): void {
  state.prepared = job === undefined ? undefined : { job, connection: state.connection, isLost: false }
  effects.push({ type: 'journal', entry: { kind: 'prepared', ...(job !== undefined && { job }) } })
}

/** The PLC has reset its request. */
export function onRelease(turn: Turn): void {
  const { state, options, now } = turn
  const { call, waiting, answer, next } = state
  const isNumbered = options.family.request === 'sequence'
  state.triggerAck = false
  if (waiting) waiting.released = true
  if (next) next.of.released = true
  if (call && !call.answered && !call.released) {
    call.released = true
    if (options.onDrop === 'abort' && !call.cycle.manual)
      endEarly(turn, call, options.codes.ABORTED_BY_PLC, 'plc')
  }
  if (waiting && options.onDrop === 'abort') {
    state.waiting = undefined
    answerWith(turn, waiting.request, options.codes.ABORTED_BY_PLC)
  }
  if (answer && !answer.released) {
    answer.released = true
    // A pulse that ended while the connection was away: the PLC has the answer before it only now.
    if (!answer.heard) answer.holdsFrom = now
    // Elsewhere a request ends without a look at the results.
    const isRead = !state.own || state.readAt >= answer.since
    if ((options.family.answerUntil === 'release' && isRead) || answer.cleared) answerTaken(turn)
  }
  // A number of 0 is a PLC that begins anew: it may count up to the same number again.
  if (isNumbered) {
    state.echo = 0
    state.answer = undefined
    state.waiting = undefined
    state.refused = undefined
  }
}
