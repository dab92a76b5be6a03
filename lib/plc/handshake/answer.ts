import type { CellData } from '../rows'
import type { Told } from './events'
import { show } from './show'
import type { Call, NextAnswer, OwedAnswer, ShownResults, Turn } from './state'
import { isHolding } from './words'

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
export function answerFor(turn: Turn, call: Call, code: number, data: CellData = nothing): void {
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
