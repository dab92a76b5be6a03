import type { CellData } from '../rows'
import type { Told } from './events'
import { show } from './show'
import type { Call, OwedAnswer, Turn } from './state'
import { isHolding } from './words'

const nothing: CellData = {}

/** Tells people. */
export function tell(turn: Turn, what: Told, more: { token?: string; request?: number; code?: number } = {}) {
  turn.effects.push({ type: 'told', what, ...more })
}

/** Answers a request that is no cycle: refused, there too early, or a command that the handshake carries out itself. */
export function answerWith(turn: Turn, request: number, code: number): void {
  putAnswer(turn, request, code, {})
}

interface Shown {
  /** Of the cycle. */
  call?: Call
  token?: string
  data?: CellData
}

function putAnswer(turn: Turn, request: number, code: number, { call, token, data = nothing }: Shown): void {
  const { state, options, now } = turn
  const released = call?.released ?? (options.family.request !== 'sequence' && state.request === 0)
  const of = token ?? call?.cycle.token
  state.results = {
    code,
    duration: call ? Math.round(now - call.since) : 0,
    jobEcho: call?.cycle.job ?? 0,
    data,
  }
  state.answer = {
    request,
    ...(of !== undefined && { token: of }),
    failed: code !== options.codes.DONE,
    since: now,
    released,
    stands: released,
    taken: false,
    reminded: false,
  }
  show(turn)
}

/** Answers for a cycle whose end nobody saw. */
export function answerOwed(turn: Turn, { request, code, token }: OwedAnswer): void {
  putAnswer(turn, request, code, token === undefined ? {} : { token })
}

/** Tells the PLC how the cycle ended, unless it asks for something else by now. */
export function answerFor(turn: Turn, call: Call, code: number, data: CellData = nothing): void {
  const { state, options, effects } = turn
  const { token, request } = call.cycle
  call.answered = true
  const good = code === options.codes.DONE
  const shown = !isOutdated(turn, call)
  if (shown && good) state.counter += 1
  effects.push({ type: 'journal', entry: { kind: 'ended', token, code, counter: state.counter } })
  if (shown) putAnswer(turn, request, code, { call, data })
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

/** The PLC has taken the answer. */
export function answerTaken(turn: Turn): void {
  const { answer } = turn.state
  if (!answer || answer.taken) return
  answer.taken = true
  if (answer.token !== undefined)
    turn.effects.push({ type: 'journal', entry: { kind: 'taken', token: answer.token } })
}

/** Takes the answer away that the PLC has reset its request for, as soon as it stood long enough. */
export function clearAnswer(turn: Turn): void {
  const { state, options } = turn
  const { answer } = state
  if (options.family.answerUntil !== 'release' || !answer?.released || answer.stands) return
  if (isHolding(turn)) return
  state.answer = undefined
}
