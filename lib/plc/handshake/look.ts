import type { PlcSays } from '../rows'
import { answerOwed, answerUnasked, answerWith, takeAnswerAway, tell } from './answer'
import { abandon, interrupt } from './interrupt'
import type { HandshakeEvent } from './events'
import { acknowledges, hearPlcLife } from './life'
import { abortByPlc, onRelease, onRequest } from './request'
import { show } from './show'
import type { OwedAnswer, Turn } from './state'

type Sample = Extract<HandshakeEvent, { type: 'sample' }>

/** A look at the PLC's words. */
export function onSample(turn: Turn, { says, kept, write }: Sample): void {
  const { state } = turn
  const request = requestIn(turn, says)
  state.heardAt = turn.now
  if (request === undefined) return
  if (write) remember(turn, says, write)
  hearPlcLife(turn, says)
  if (state.synced && kept === false) {
    tell(turn, 'memory-lost')
    interrupt(turn)
    // Written anew before anything is answered: what the PLC has is unknown.
    show(turn)
  }
  if (state.unheard && state.synced) {
    turn.effects.push({ type: 'journal', entry: { kind: 'taken', token: state.unheard.token } })
    state.unheard = undefined
  }
  const before = state.says
  const { answer } = state
  state.says = says
  if (!state.synced) {
    // What no write has set says nothing of the PLC: our memory is empty after a start.
    if (!write || write.request) firstLook(turn, request, kept)
    return
  }
  hearBits(turn, before, says)
  const last = state.request
  state.request = request
  if (request === 0 && last !== 0) onRelease(turn)
  if (request !== 0 && request !== last) onRequest(turn, request, says)
  if (answer) answer.heard = true
}

/** Notes what the PLC has written into memory of the cell's own: the next run begins with it. */
function remember({ state, options, effects }: Turn, says: PlcSays, write: Required<Sample>['write']): void {
  if (write.request) state.connection = write.connection
  const known: Readonly<Record<string, unknown>> = { ...state.journaled }
  const isKnown = state.synced || write.request
  const changed = Object.entries(says).filter(
    ([row, value]) =>
      row !== 'plcLife' &&
      row !== 'plcLifeBit' &&
      (row !== options.family.request || isKnown) &&
      JSON.stringify(value) !== JSON.stringify(known[row]),
  )
  if (!changed.length) return
  const entry = { kind: 'plc', says: Object.fromEntries(changed) } as const
  state.journaled = { ...state.journaled, ...entry.says }
  effects.push({ type: 'journal', entry })
}

/**
 * A PLC that writes its words when they change has written nothing since it is connected: what it had written before the start
 * stands. Where nobody knows what that was, it is told, and the request is awaited.
 */
export function lookWhenDue(turn: Turn): void {
  const { state, now } = turn
  if (state.lookAt === undefined || now < state.lookAt) return
  state.lookAt = undefined
  const request = state.restored && requestIn(turn, state.restored)
  if (request === undefined) tell(turn, 'request-unknown')
  else firstLook(turn, request, true)
}

/** What the PLC asks for, as a number: 0 asks for nothing. Undefined where the row was not read. */
function requestIn({ options: { family } }: Turn, says: PlcSays): number | undefined {
  const asked = says[family.request]
  if (typeof asked === 'boolean') return asked ? 1 : 0
  return asked !== undefined && Number.isFinite(asked) ? asked : undefined
}

/** The bits beside the request: what counts is that they are set, not that they are on. */
function hearBits(turn: Turn, before: PlcSays, says: PlcSays): void {
  const { state, options } = turn
  const { answer } = state
  const set = (row: 'abort' | 'resultsAck' | 'clearError') => says[row] === true && before[row] !== true
  if (options.family.needsEnable && before.enable === true && says.enable !== true) state.missed = false
  if (answer && (set('resultsAck') || (set('clearError') && answer.failed))) takeAnswerAway(turn)
  if (set('clearError')) state.missed = false
  // Last: its own answer has not been read yet.
  if (set('abort')) abortByPlc(turn)
}

/** The first look after a start, a deploy, or a loss: nothing that is already there is executed. */
function firstLook(turn: Turn, request: number, kept: boolean | undefined): void {
  const { state, options } = turn
  const { codes, family } = options
  const isNumbered = family.request === 'sequence'
  state.lookAt = undefined
  state.synced = true
  state.request = request
  if (isNumbered && resumes(turn, request, kept === true)) return
  const { owed } = state
  state.owed = undefined
  state.unheard = undefined
  state.answer = undefined
  state.echo = 0
  if (request === 0) {
    if (owed && !isNumbered) atRest(turn, owed)
    return
  }
  const isOwed = owed && (!isNumbered || owed.request === request)
  tell(turn, 'already-set', { request, code: isOwed ? owed.code : codes.ALREADY_SET })
  if (isOwed && owed.code !== codes.ALREADY_SET) {
    answerOwed(turn, { ...owed, request })
    return
  }
  state.missed = true
  state.missedCount += 1
  answerWith(turn, request, codes.ALREADY_SET)
}

/** The PLC asks for nothing, and may have been owed an answer before it was out of sight. */
function atRest(turn: Turn, owed: OwedAnswer): void {
  const { state, effects } = turn
  if (acknowledges(state.says, { failed: true }))
    effects.push({ type: 'journal', entry: { kind: 'taken', token: owed.token } })
  else answerUnasked(turn, owed)
}

/** Whether the PLC still asks for the number that is under way or was answered, and its memory holds our words. */
function resumes(turn: Turn, request: number, kept: boolean): boolean {
  const { state } = turn
  const { call, answer } = state
  const running = call && !call.answered && !call.cycle.manual ? call : undefined
  const isOurs = kept && request !== 0 && (running?.cycle.request ?? answer?.request) === request
  if (isOurs) return true
  if (running) abandon(turn, running)
  return false
}
