/** Cycles and their answers: how one begins and ends, and the outputs that the PLC sees of it. */
import type { CellData, CellOutputs, PlcInputs } from '../rows'
import {
  type Answer,
  type Call,
  type NextAnswer,
  offlineReasons,
  type PendingAnswer,
  type Phase,
  type ShownResults,
  type State,
  type Told,
  type Turn,
} from './state'

/** Most tokens that are remembered to recognise a second answer. */
const remembered = 16

interface Request {
  token: string
  request: number
  inputs: PlcInputs
  since: number
  released: boolean
}

/** Why a request is not executed; undefined where it may be. */
export function refusalOf({ state, options }: Turn): number | undefined {
  const { codes } = options
  if (!state.device.ready) return state.device.code
  const { prepared } = state
  // A PLC that has restarted since has forgotten which job it prepared.
  if (prepared && (prepared.isLost || prepared.connection !== state.connection)) return codes.NOT_PREPARED
  return state.plcLife.stopped ? codes.NOT_ALLOWED : undefined
}

/** Sends the message to the flow, after the PLC and the journal know. */
export function begin(turn: Turn, { token, request, inputs, since, released }: Request): void {
  const { state, effects } = turn
  const doubtful = state.answer?.standsUntil !== undefined
  acknowledgeAnswer(turn)
  takeDown(turn)
  state.missed = false
  state.acquisitionId += 1
  // Together with its number: a PLC that waits for it reads both.
  state.triggerAck = !released
  state.command = inputs.command ?? 0
  const cycle = {
    token,
    request,
    acquisitionId: state.acquisitionId,
    command: inputs.command,
    job: state.prepared?.job ?? inputs.job,
    arguments: inputs.argument ?? [],
    manual: false,
    since,
  }
  state.call = { ...underWay(turn), cycle, since, released, doubtful }
  const { acquisitionId } = state
  effects.push({ type: 'journal', entry: { kind: 'sent', token, request, acquisitionId } })
  show(turn)
  effects.push({ type: 'start', cycle })
}

/** Started from the editor; the PLC sees only *ready* change. */
export function beginByHand(turn: Turn): void {
  const { state, options, effects, now } = turn
  const may = state.link && state.synced && state.inputs.manualAllowed === true
  if (!may || state.call || state.waiting || refusalOf(turn) !== undefined) {
    report(turn, 'manual-refused')
    return
  }
  const cycle = {
    token: options.newToken(),
    request: 0,
    acquisitionId: 0,
    command: state.inputs.command,
    job: state.prepared?.job ?? state.inputs.job,
    arguments: state.inputs.argument ?? [],
    manual: true,
    since: now,
  }
  state.call = { ...underWay(turn), cycle, since: now, released: true }
  // After a restart *ready* waits for it as for any other.
  effects.push({ type: 'journal', entry: { kind: 'hand', token: cycle.token } })
  show(turn)
  effects.push({ type: 'start', cycle })
}

const underWay = ({ now, options }: Turn) => ({
  superseded: false,
  doubtful: false,
  answered: false,
  deadlineAt: now + options.deadline,
  settlesAt: now + options.deadline + options.settling,
})

/** The flow ended the cycle of that token: with data, or with the code of a failure. */
export function end(turn: Turn, token: string, code: number, data?: CellData): void {
  const { state, options } = turn
  const { call } = state
  if (call?.cycle.token !== token) {
    report(turn, state.ended.includes(token) ? 'second' : 'foreign', { token, code })
    return
  }
  const { manual, request } = call.cycle
  if (call.answered) report(turn, 'late', { token, request, code })
  else if (manual)
    report(turn, code === options.codes.DONE ? 'manual-done' : 'manual-failed', { token, code })
  else answerFor(turn, call, code, data)
  settle(turn, call)
}

/** Answers a cycle before the flow does. *Ready* waits for the flow: as long as for a cycle that nobody ended early. */
export function endEarly(
  turn: Turn,
  call: Call,
  code: number,
  reason: 'deadline' | 'plc' | 'link' | 'close',
) {
  const { effects } = turn
  const { token, manual } = call.cycle
  if (manual) {
    call.answered = true
    report(turn, 'manual-failed', { token, code })
  } else answerFor(turn, call, code)
  effects.push({ type: 'abort', token, reason })
}

/** The flow has ended the cycle. */
export function settle(turn: Turn, { cycle: { token } }: Call): void {
  const { state, effects } = turn
  state.call = undefined
  state.ended = [...state.ended.slice(1 - remembered), token]
  effects.push({ type: 'journal', entry: { kind: 'settled', token } })
}

/** Results that the PLC has to acknowledge, and has not yet. */
const isUnread = ({ state: { answer }, options: { family } }: Turn): boolean =>
  family.answerUntil === 'acknowledged' && answer?.isCycle === true && !answer.acknowledged && !answer.cleared

/** Begins the waiting request as soon as nothing prevents it. */
export function beginWaiting(turn: Turn): void {
  const { state, options } = turn
  const { waiting } = state
  if (!waiting || state.call || state.next || isHolding(turn) || isUnread(turn)) return
  state.waiting = undefined
  const refusal = refusalOf(turn) ?? (isEnabled(turn) ? undefined : options.codes.NOT_ALLOWED)
  if (refusal === undefined) begin(turn, waiting)
  else answerWith(turn, waiting.request, refusal)
}

const nothing: CellData = {}

/** Reports an event for people. */
export function report(
  turn: Turn,
  what: Told,
  more: { token?: string; request?: number; code?: number } = {},
) {
  turn.effects.push({ type: 'told', what, ...more })
}

/** Answers a request that is no cycle: refused, there too early, or a command that the handshake carries out itself. */
export function answerWith(turn: Turn, request: number, code: number): void {
  const token = turn.options.newToken()
  // After a restart, a PLC that sent a pulse would wait for this answer for ever.
  turn.effects.push({ type: 'journal', entry: { kind: 'noted', token, request } })
  showPendingAnswer(turn, { request, token, code })
}

/** Answers for a request that is no cycle, or that has been one in another time. */
export function showPendingAnswer(
  turn: Turn,
  { request, token, code }: PendingAnswer,
  unasked = false,
): void {
  const { state, options } = turn
  const released = options.family.request !== 'sequence' && state.request === 0
  putAnswer(
    turn,
    { request, token, isCycle: code === options.codes.INTERRUPTED, released, unasked },
    { code, duration: 0, jobEcho: 0, data: nothing },
  )
}

type AnswerOf = NextAnswer['of']

function putAnswer(turn: Turn, of: AnswerOf, results: ShownResults): void {
  const { state, options } = turn
  // Two answers in a row, alike perhaps: the PLC sees the flags off in between.
  if (state.answer) {
    takeDown(turn)
    show(turn)
  }
  if (isSeenDown(turn)) showAnswer(turn, of, results)
  else state.next = { of, results, at: state.downAt + options.minimumDone }
}

/** The flags of the answer before were off for long enough, and the PLC has read it where it reads here. */
function isSeenDown({ state, options: { family, minimumDone }, now }: Turn): boolean {
  const { downAt, own, readAt } = state
  if (family.request === 'sequence' || downAt === -Infinity) return true
  return now >= downAt + minimumDone && (!own || family.answerUntil !== 'release' || readAt > downAt)
}

/** Removes an answer for another one, or for a new request. */
export function takeDown({ state, now }: Turn): void {
  const { answer } = state
  if (answer && !answer.cleared) state.downAt = now
  state.answer = undefined
}

/** Shows the next answer once the PLC has seen the flags of the one before off. */
export function showNext(turn: Turn, always = false): void {
  const { next } = turn.state
  if (!next || (!always && !isSeenDown(turn))) return
  turn.state.next = undefined
  showAnswer(turn, next.of, next.results)
}

/** The PLC asks anew without having waited for the answer that was about to be shown. */
export function dropNext(turn: Turn): void {
  const { next } = turn.state
  if (!next) return
  turn.state.next = undefined
  const { token, request } = next.of
  if (next.of.isCycle) report(turn, 'undelivered', { token, request, code: next.results.code })
}

function showAnswer(turn: Turn, of: AnswerOf, results: ShownResults): void {
  const { state, options, now } = turn
  const isBrief =
    of.unasked === true || (of.released && (options.family.busyUntilRelease || of.doubtful === true))
  state.results = results
  state.echo = of.request
  state.answer = {
    request: of.request,
    token: of.token,
    isCycle: of.isCycle,
    released: of.released,
    failed: results.code !== options.codes.DONE,
    since: now,
    holdsFrom: now,
    seenByPlc: false,
    stands: of.released,
    standsUntil: isBrief ? now + options.unasked : undefined,
    acknowledged: false,
    cleared: false,
    reminded: false,
  }
  show(turn)
}

/** Answers the PLC, unless it requests something else by now. */
function answerFor(turn: Turn, call: Call, code: number, data: CellData = nothing): void {
  const { state, options, effects, now } = turn
  const { token, request, job = 0 } = call.cycle
  call.answered = true
  const good = code === options.codes.DONE
  const shown = !isOutdated(turn, call)
  if (shown && good) state.counter += 1
  effects.push({ type: 'journal', entry: { kind: 'ended', token, code, counter: state.counter } })
  const duration = Math.round(now - call.since)
  const of = { request, token, isCycle: true, released: call.released, doubtful: call.doubtful }
  if (shown) putAnswer(turn, of, { code, duration, jobEcho: job, data })
  else report(turn, 'undelivered', { token, request, code })
  answerRefused(turn)
}

/** The PLC would read the answer as that of another request. */
function isOutdated({ state, options: { family } }: Turn, { cycle, superseded }: Call): boolean {
  if (family.request !== 'sequence') return superseded && !family.answerIsNumbered
  const again = state.waiting?.request === cycle.request || state.refused === cycle.request
  return again || state.request === 0
}

/** Answers a request that was refused while the cycle was running. */
function answerRefused(turn: Turn): void {
  const { state, options } = turn
  const { refused } = state
  state.refused = undefined
  if (refused === undefined) return
  if (options.family.request === 'sequence' && state.request !== refused) return
  answerWith(turn, refused, options.codes.STILL_BUSY)
}

/**
 * At a look that finds no request, after an interruption: perhaps the PLC has read an answer and has reset its request, perhaps
 * its pulse has ended and it waits. It is told for a while that the outcome is unknown: never a result, never for ever.
 */
export function answerUnasked(turn: Turn, pendingAnswer: PendingAnswer): void {
  showPendingAnswer(turn, { ...pendingAnswer, code: turn.options.codes.INTERRUPTED }, true)
}

/** The PLC has acknowledged the answer, or had the time to read it. */
export function acknowledgeAnswer(turn: Turn): void {
  const { answer } = turn.state
  if (!answer || answer.acknowledged) return
  answer.acknowledged = true
  turn.effects.push({ type: 'journal', entry: { kind: 'taken', token: answer.token } })
}

/** The PLC clears the answer by a bit of its own. */
export function takeAnswerAway(turn: Turn): void {
  const { state } = turn
  const { answer } = state
  if (!answer) return
  if (state.request !== 0) {
    answer.cleared = true
    return
  }
  acknowledgeAnswer(turn)
  state.answer = undefined
}

/** Removes an answer after the PLC has reset its request, once it was visible for the minimum time. */
export function clearAnswer(turn: Turn): void {
  const { state, options, now } = turn
  const { answer } = state
  if (!answer?.released) return
  const { standsUntil, request, token, since } = answer
  if (standsUntil !== undefined && state.link && now >= standsUntil) {
    if (state.own && state.readAt < since) return
    // Perhaps the connection is lost, and nobody has noticed: then the answer stays pending.
    if (!state.own && state.heardAt < standsUntil)
      state.unheard = { request, token, code: options.codes.INTERRUPTED }
    else acknowledgeAnswer(turn)
    takeDown(turn)
    return
  }
  const ends = answer.cleared || (options.family.answerUntil === 'release' && !answer.stands)
  if (!ends || isHolding(turn)) return
  acknowledgeAnswer(turn)
  state.answer = undefined
}

/** The PLC has requested a cycle and has no answer yet. */
export const isBusy = ({ state: { call, waiting, next } }: Turn): boolean =>
  waiting !== undefined ||
  next?.of.isCycle === true ||
  (call !== undefined && !call.answered && !call.cycle.manual)

/** The answer has not stood for its least time yet, or was not read yet where the PLC reads it here. */
export const isHolding = ({ state: { answer, own, readAt }, options, now }: Turn): boolean => {
  if (!answer) return false
  if (now < answer.holdsFrom + options.minimumDone) return true
  return own && options.family.answerUntil === 'release' && !answer.acknowledged && readAt < answer.since
}

const isNeutral = ({ state, options: { family } }: Turn): boolean =>
  family.request === 'sequence' || state.request === 0

export const isEnabled = ({ state: { inputs }, options: { family } }: Turn): boolean =>
  !family.needsEnable || inputs.enable === true

/** The next request will be executed. */
const isReady = (turn: Turn): boolean => {
  const { state } = turn
  return (
    state.link &&
    state.synced &&
    !state.closed &&
    state.device.ready &&
    !state.call &&
    !state.waiting &&
    !state.next &&
    !state.plcLife.stopped &&
    isNeutral(turn) &&
    isEnabled(turn) &&
    !isHolding(turn)
  )
}

/** An answer stands, or is about to, and the request that it belongs to as well. */
const isUnreleased = ({ answer, next }: State): boolean => {
  if (next) return !next.of.released
  return answer !== undefined && !answer.cleared && !answer.released && !answer.stands
}

const shownAnswer = ({ synced, answer }: State): Answer | undefined =>
  synced && !answer?.cleared ? answer : undefined

/** All outputs of the cell for the present state. */
function outputsOf(turn: Turn): CellOutputs {
  const { state, options } = turn
  const { family } = options
  // Until the PLC was looked at no old answer may be seen.
  const answer = shownAnswer(state)
  return {
    ready: isReady(turn),
    busy: isBusy(turn) || (family.busyUntilRelease && state.synced && isUnreleased(state)),
    done: answer !== undefined && !answer.failed,
    error: answer?.failed ?? false,
    answered: answer !== undefined,
    resultsValid: answer?.isCycle === true && !answer.failed,
    triggerAck: state.synced && state.triggerAck,
    missed: state.missed,
    online: state.device.ready && !state.closed,
    offlineReason: state.device.ready ? offlineReasons.none : offlineReasons[state.device.reason],
    sequenceEcho: family.request === 'sequence' && state.synced ? state.echo : 0,
    commandEcho: commandEchoOf(turn),
    ...state.results,
    counter: state.counter,
    acquisitionId: state.acquisitionId,
    missedCount: state.missedCount,
    life: state.life,
    lifeBit: state.life % 2 === 1,
  }
}

/** The command under way, then the one that was answered until the PLC asks for nothing. */
function commandEchoOf({ state, options: { family } }: Turn): number {
  const { call, answer, request, synced } = state
  if (family.request === 'sequence' || !synced) return 0
  if (family.request === 'trigger') return state.command
  if (call && !call.answered && !call.cycle.manual) return call.cycle.request
  return request === 0 ? 0 : (answer?.request ?? 0)
}

/** The phase for people. */
export function phaseOf(turn: Turn): Phase {
  const { state } = turn
  if (!state.link || !state.synced) return 'unknown'
  if (isBusy(turn)) return 'busy'
  if (isReady(turn)) return 'ready'
  const answer = shownAnswer(state)
  return answer ? (answer.failed ? 'error' : 'done') : 'not-ready'
}

/** Writes the outputs that have changed. */
export function show(turn: Turn): void {
  const { state, effects } = turn
  // Memory of the cell's own is there for a PLC that is not connected just now.
  if (!state.link && !state.synced) return
  const before = state.written
  const outputs = outputsOf(turn)
  if (before && !differ(before, outputs)) return
  // Results must not change below flags that call the former ones valid.
  if (before?.answered && resultRows.some((row) => before[row] !== outputs[row]))
    effects.push({ type: 'write', outputs: flagsDown(before, outputs.busy), all: false })
  effects.push({ type: 'write', outputs, all: before === undefined })
  state.written = outputs
}

const resultRows = [
  'code',
  'duration',
  'jobEcho',
  'data',
  'counter',
  'acquisitionId',
] as const satisfies (keyof CellOutputs)[]

/**
 * @param busy a cycle begins: a PLC that sees neither an answer nor *busy* takes the handshake for closed, and may reset and set
 * its request faster than it is polled. The next answer would be the one to the request before.
 */
const flagsDown = (outputs: CellOutputs, busy: boolean): CellOutputs => ({
  ...outputs,
  busy: outputs.busy || busy,
  ready: false,
  done: false,
  error: false,
  answered: false,
  resultsValid: false,
})

const differ = (one: CellOutputs, other: CellOutputs): boolean =>
  (Object.keys(other) as (keyof CellOutputs)[]).some((row) => one[row] !== other[row])
