/** Cycles and their answers: how one begins and ends, and what the PLC is shown of it. */
import type { CellData, CellSays, PlcSays } from '../rows'
import {
  type Answer,
  type Call,
  type NextAnswer,
  offlineReasons,
  type OwedAnswer,
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
  says: PlcSays
  since: number
  released: boolean
}

/** Why a request is not executed; undefined where it may be. */
export function refusalOf({ state, options }: Turn): number | undefined {
  const { codes } = options
  if (!state.device.ready) return state.device.code
  const { prepared } = state
  // Whoever wrote the request may be a PLC that has restarted, and has forgotten which job it prepared.
  if (prepared && (prepared.isLost || prepared.connection !== state.connection)) return codes.NOT_PREPARED
  return state.plcLife.stopped ? codes.NOT_ALLOWED : undefined
}

/** Sends the message to the flow, after the PLC and the journal know. */
export function begin(turn: Turn, { token, request, says, since, released }: Request): void {
  const { state, effects } = turn
  const doubtful = state.answer?.standsUntil !== undefined
  answerTaken(turn)
  takeDown(turn)
  state.missed = false
  state.acquisitionId += 1
  // Together with its number: a PLC that waits for it reads both.
  state.triggerAck = !released
  state.command = says.command ?? 0
  const cycle = {
    token,
    request,
    acquisitionId: state.acquisitionId,
    command: says.command,
    job: state.prepared?.job ?? says.job,
    arguments: says.argument ?? [],
    manual: false,
    since,
  }
  state.call = { ...underWay(turn), cycle, since, released, doubtful }
  const { acquisitionId } = state
  effects.push({ type: 'journal', entry: { kind: 'sent', token, request, acquisitionId } })
  show(turn)
  effects.push({ type: 'start', cycle })
}

/** A cycle for the person at the editor: no word of the PLC tells of it but *ready*. */
export function beginByHand(turn: Turn): void {
  const { state, options, effects, now } = turn
  const may = state.link && state.synced && state.says.manualAllowed === true
  if (!may || state.call || state.waiting || refusalOf(turn) !== undefined) {
    tell(turn, 'manual-refused')
    return
  }
  const cycle = {
    token: options.newToken(),
    request: 0,
    acquisitionId: 0,
    command: state.says.command,
    job: state.prepared?.job ?? state.says.job,
    arguments: state.says.argument ?? [],
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
    tell(turn, state.ended.includes(token) ? 'second' : 'foreign', { token, code })
    return
  }
  const { manual, request } = call.cycle
  if (call.answered) tell(turn, 'late', { token, request, code })
  else if (manual) tell(turn, code === options.codes.DONE ? 'manual-done' : 'manual-failed', { token, code })
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
    tell(turn, 'manual-failed', { token, code })
  } else answerFor(turn, call, code)
  effects.push({ type: 'abort', token, reason })
}

/** Nothing of the cycle is under way any more. */
export function settle(turn: Turn, { cycle: { token } }: Call): void {
  const { state, effects } = turn
  state.call = undefined
  state.ended = [...state.ended.slice(1 - remembered), token]
  effects.push({ type: 'journal', entry: { kind: 'settled', token } })
}

/** Results that the PLC has to acknowledge, and has not yet. */
const isUnread = ({ state: { answer }, options: { family } }: Turn): boolean =>
  family.answerUntil === 'acknowledged' && answer?.isCycle === true && !answer.taken && !answer.cleared

/** Begins what waits, where nothing is in its way any more. */
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

/** Tells people. */
export function tell(turn: Turn, what: Told, more: { token?: string; request?: number; code?: number } = {}) {
  turn.effects.push({ type: 'told', what, ...more })
}

/** Answers a request that is no cycle: refused, there too early, or a command that the handshake carries out itself. */
export function answerWith(turn: Turn, request: number, code: number): void {
  const token = turn.options.newToken()
  // Whoever raised it for a moment would wait for ever if the answer were forgotten.
  turn.effects.push({ type: 'journal', entry: { kind: 'noted', token, request } })
  answerOwed(turn, { request, token, code })
}

/** Answers for a request that is no cycle, or that has been one in another time. */
export function answerOwed(turn: Turn, { request, token, code }: OwedAnswer, unasked = false): void {
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

/** Takes an answer away for another one, or for a request that came beside it. */
export function takeDown({ state, now }: Turn): void {
  const { answer } = state
  if (answer && !answer.cleared) state.downAt = now
  state.answer = undefined
}

/** Shows the answer that waited until the flags of the one before were seen off. */
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
  if (next.of.isCycle) tell(turn, 'undelivered', { token, request, code: next.results.code })
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
    heard: false,
    stands: of.released,
    standsUntil: isBrief ? now + options.unasked : undefined,
    taken: false,
    cleared: false,
    reminded: false,
  }
  show(turn)
}

/** Tells the PLC how the cycle ended, unless it asks for something else by now. */
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
  else tell(turn, 'undelivered', { token, request, code })
  answerRefused(turn)
}

/** Its answer would be read as the answer to something else. */
function isOutdated({ state, options: { family } }: Turn, { cycle, superseded }: Call): boolean {
  if (family.request !== 'sequence') return superseded && !family.answerIsNumbered
  const again = state.waiting?.request === cycle.request || state.refused === cycle.request
  return again || state.request === 0
}

/** A request that came while the cycle was under way learns that it was not executed. */
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
export function answerUnasked(turn: Turn, owed: OwedAnswer): void {
  answerOwed(turn, { ...owed, code: turn.options.codes.INTERRUPTED }, true)
}

/** The PLC has taken the answer. */
export function answerTaken(turn: Turn): void {
  const { answer } = turn.state
  if (!answer || answer.taken) return
  answer.taken = true
  turn.effects.push({ type: 'journal', entry: { kind: 'taken', token: answer.token } })
}

/** The PLC takes the answer away by a bit of its own. */
export function takeAnswerAway(turn: Turn): void {
  const { state } = turn
  const { answer } = state
  if (!answer) return
  if (state.request !== 0) {
    answer.cleared = true
    return
  }
  answerTaken(turn)
  state.answer = undefined
}

/** Takes the answer away that the PLC has reset its request for, as soon as it stood long enough. */
export function clearAnswer(turn: Turn): void {
  const { state, options, now } = turn
  const { answer } = state
  if (!answer?.released) return
  const { standsUntil, request, token, since } = answer
  if (standsUntil !== undefined && state.link && now >= standsUntil) {
    if (state.own && state.readAt < since) return
    // Perhaps the connection is lost, and nobody has noticed: then it is owed still.
    if (!state.own && state.heardAt < standsUntil)
      state.unheard = { request, token, code: options.codes.INTERRUPTED }
    else answerTaken(turn)
    takeDown(turn)
    return
  }
  const ends = answer.cleared || (options.family.answerUntil === 'release' && !answer.stands)
  if (!ends || isHolding(turn)) return
  answerTaken(turn)
  state.answer = undefined
}

/** A cycle that the PLC asked for and has no answer to yet. */
export const isBusy = ({ state: { call, waiting, next } }: Turn): boolean =>
  waiting !== undefined ||
  next?.of.isCycle === true ||
  (call !== undefined && !call.answered && !call.cycle.manual)

/** The answer has not stood for its least time yet, or was not read yet where the PLC reads it here. */
export const isHolding = ({ state: { answer, own, readAt }, options, now }: Turn): boolean => {
  if (!answer) return false
  if (now < answer.holdsFrom + options.minimumDone) return true
  return own && options.family.answerUntil === 'release' && !answer.taken && readAt < answer.since
}

const isNeutral = ({ state, options: { family } }: Turn): boolean =>
  family.request === 'sequence' || state.request === 0

export const isEnabled = ({ state: { says }, options: { family } }: Turn): boolean =>
  !family.needsEnable || says.enable === true

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

/** Every word of the cell as it is to stand now. */
function saysOf(turn: Turn): CellSays {
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

/** Where the handshake is, for people. */
export function phaseOf(turn: Turn): Phase {
  const { state } = turn
  if (!state.link || !state.synced) return 'unknown'
  if (isBusy(turn)) return 'busy'
  if (isReady(turn)) return 'ready'
  const answer = shownAnswer(state)
  return answer ? (answer.failed ? 'error' : 'done') : 'not-ready'
}

/** Adds the writes by which the PLC sees the state as it is now. */
export function show(turn: Turn): void {
  const { state, effects } = turn
  // Memory of the cell's own is there for a PLC that is not connected just now.
  if (!state.link && !state.synced) return
  const before = state.said
  const says = saysOf(turn)
  if (before && !differ(before, says)) return
  // Results must not change below flags that call the former ones valid.
  if (before?.answered && resultRows.some((row) => before[row] !== says[row]))
    effects.push({ type: 'write', says: flagsDown(before, says.busy), all: false })
  effects.push({ type: 'write', says, all: before === undefined })
  state.said = says
}

const resultRows = [
  'code',
  'duration',
  'jobEcho',
  'data',
  'counter',
  'acquisitionId',
] as const satisfies (keyof CellSays)[]

/**
 * @param busy a cycle begins: a PLC that sees neither an answer nor *busy* takes the handshake for closed, and may reset and set
 * its request faster than it is polled. The next answer would be the one to the request before.
 */
const flagsDown = (says: CellSays, busy: boolean): CellSays => ({
  ...says,
  busy: says.busy || busy,
  ready: false,
  done: false,
  error: false,
  answered: false,
  resultsValid: false,
})

const differ = (one: CellSays, other: CellSays): boolean =>
  (Object.keys(other) as (keyof CellSays)[]).some((row) => one[row] !== other[row])
