import type { PlcSays } from '../rows'
import { answerOwed, answerWith, takeAnswerAway, tell } from './answer'
import { abandon, interrupt } from './interrupt'
import { hearPlcLife } from './life'
import { abortByPlc, onRelease, onRequest } from './request'
import { show } from './show'
import type { Turn } from './state'

/** A look at the PLC's words. */
export function onSample(turn: Turn, says: PlcSays, kept: boolean | undefined): void {
  const { state } = turn
  const request = requestIn(turn, says)
  state.heardAt = turn.now
  if (request === undefined) return
  hearPlcLife(turn, says)
  if (state.synced && kept === false) {
    tell(turn, 'memory-lost')
    interrupt(turn)
    // Written anew before anything is answered: what the PLC has is unknown.
    show(turn)
  }
  const before = state.says
  const { answer } = state
  state.says = says
  if (!state.synced) {
    firstLook(turn, request, kept)
    return
  }
  hearBits(turn, before, says)
  const last = state.request
  state.request = request
  if (request === 0 && last !== 0) onRelease(turn)
  if (request !== 0 && request !== last) onRequest(turn, request, says)
  if (answer) answer.heard = true
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
  state.synced = true
  state.request = request
  if (isNumbered && resumes(turn, request, kept === true)) return
  const { owed } = state
  state.owed = undefined
  state.answer = undefined
  state.echo = 0
  if (request === 0) {
    // Nobody knows which request the PLC waits for, if for any: an error, never a result, and no word of what was not done.
    if (owed && !isNumbered) answerOwed(turn, { ...owed, code: codes.INTERRUPTED })
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
