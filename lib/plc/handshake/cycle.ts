import type { CellData, PlcSays } from '../rows'
import { answerFor, answerTaken, answerWith, takeDown, tell } from './answer'
import { show } from './show'
import type { Call, Turn } from './state'
import { isEnabled, isHolding } from './words'

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
