import type { CellSays } from '../rows'
import { offlineReasons, type Phase } from './events'
import type { Answer, State, Turn } from './state'

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
export const isReady = (turn: Turn): boolean => {
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
export function saysOf(turn: Turn): CellSays {
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
