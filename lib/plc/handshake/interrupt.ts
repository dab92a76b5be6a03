import { answerWith, showNext, tell } from './answer'
import { endEarly } from './cycle'
import { show } from './show'
import type { Call, OwedAnswer, Turn } from './state'

/** The PLC is out of sight, or its memory is lost: what it asks for has to be looked at anew. */
export function interrupt(turn: Turn): void {
  const { state, options } = turn
  const { call, waiting } = state
  if (state.synced) state.owed = owedBy(turn)
  if (state.synced && options.family.request !== 'sequence') {
    state.answer = undefined
    state.next = undefined
    if (call && !call.answered && !call.cycle.manual) abandon(turn, call)
  }
  if (waiting)
    tell(turn, 'undelivered', {
      token: waiting.token,
      request: waiting.request,
      code: options.codes.ALREADY_SET,
    })
  // A PLC that restarted has forgotten what it prepared.
  if (state.prepared) state.prepared.isLost = true
  state.waiting = undefined
  state.refused = undefined
  state.triggerAck = false
  state.synced = false
  state.said = undefined
}

/** What the PLC waits for, perhaps: nobody knows whether it has read an answer, or asks for something else by then. */
function owedBy({ state, options: { codes, family } }: Turn): OwedAnswer | undefined {
  const { call, waiting, answer, next } = state
  if (waiting) return { request: waiting.request, token: waiting.token, code: codes.ALREADY_SET }
  if (call && !call.answered && !call.cycle.manual)
    return { request: call.cycle.request, token: call.cycle.token, code: codes.INTERRUPTED }
  if (next) {
    const { request, token, isCycle } = next.of
    return { request, token, code: isCycle ? codes.INTERRUPTED : codes.ALREADY_SET }
  }
  if (!answer && state.unheard) return state.unheard
  // A number that stands is never out of date.
  if (!answer || (answer.taken && family.request !== 'sequence')) return undefined
  const { request, token, isCycle } = answer
  return { request, token, code: isCycle ? codes.INTERRUPTED : codes.ALREADY_SET }
}

/** The cycle's result will not be shown. *Ready* still waits for its end. */
export function abandon(turn: Turn, call: Call): void {
  const { state, options, effects } = turn
  const { token, request } = call.cycle
  call.answered = true
  const code = options.codes.INTERRUPTED
  state.owed = { request, token, code }
  effects.push({ type: 'journal', entry: { kind: 'ended', token, code, counter: state.counter } })
  tell(turn, 'undelivered', { token, request, code })
  effects.push({ type: 'abort', token, reason: 'link' })
}

/** The connection is there, or lost. @param own nothing is missed without it */
export function onLink(turn: Turn, up: boolean, own: boolean): void {
  const { state, options, now } = turn
  if (up === state.link) return
  if (!up && !own) interrupt(turn)
  state.own = own
  state.link = up
  // Whoever writes slowly is not reported.
  const quiet = state.restored ? options.quiet : 5 * options.quiet
  state.lookAt = up && own && !state.synced ? now + quiet : undefined
  // What the PLC has read last is not known: it may have been flags of the run before.
  if (up && own && !state.synced) state.downAt = now
  const { answer } = state
  if (up && answer) {
    // The PLC has the time to read it only from now on.
    answer.since = now
    if (answer.standsUntil !== undefined) answer.standsUntil = now + options.unasked
  }
  state.heardAt = now
  state.plcLife.changedAt = now
  state.beatAt = now + options.beat
}

/** The last words: not ready, and an answer for whatever is under way. */
export function onClose(turn: Turn): void {
  const { state, options } = turn
  const { call, waiting } = state
  const { codes } = options
  state.waiting = undefined
  showNext(turn, true)
  if (call && !call.answered) endEarly(turn, call, codes.INTERRUPTED, 'close')
  if (waiting) answerWith(turn, waiting.request, codes.ALREADY_SET)
  showNext(turn, true)
  state.closed = true
  show(turn)
}
