import type { PlcSays } from '../rows'
import { answerTaken, takeAnswerAway, tell } from './answer'
import { endEarly, settle } from './cycle'
import { interrupt } from './interrupt'
import type { Answer, Turn } from './state'
import { isHolding } from './words'

/** Notes whether the PLC's own life signal moves. One that never moved is not watched: the PLC does not write it. */
export function hearPlcLife({ state, now, effects }: Turn, says: PlcSays): void {
  const { plcLife } = state
  if (says.plcLife === undefined && says.plcLifeBit === undefined) return
  const value = `${says.plcLife} ${says.plcLifeBit}`
  if (plcLife.value === value) return
  // What stands in memory of our own at first is not the PLC's.
  plcLife.moves = plcLife.value !== undefined && plcLife.isPlcs
  plcLife.isPlcs = plcLife.value !== undefined || !state.own
  plcLife.value = value
  plcLife.changedAt = now
  if (plcLife.stopped) effects.push({ type: 'told', what: 'plc-back' })
  plcLife.stopped = false
}

/** Everything that is due by now. */
export function onClock(turn: Turn): void {
  const { state, options, now } = turn
  const { call, answer, plcLife } = state
  if (call && !call.answered && now >= call.deadlineAt) {
    tell(turn, 'no-answer', { token: call.cycle.token, request: call.cycle.request })
    endEarly(turn, call, options.codes.NO_ANSWER, 'deadline')
  }
  if (call?.answered && now >= call.settlesAt) {
    tell(turn, 'never-ended', { token: call.cycle.token, request: call.cycle.request })
    settle(turn, call)
  }
  if (answer && isReminded(turn) && now >= answer.since + options.release) stoodLong(turn)
  if (answer && isAcknowledged(turn) && now >= answer.since + options.unasked) takeAnswerAway(turn)
  if (isWatched(turn) && now >= plcLife.changedAt + options.plcLife) {
    plcLife.stopped = true
    tell(turn, 'plc-stopped')
  }
  if (isSilenceWatched(turn) && now >= state.heardAt + options.silence) {
    tell(turn, 'silence')
    interrupt(turn)
  }
  if (beats(turn) && now >= state.beatAt) {
    state.life += 1
    state.beatAt = Math.max(state.beatAt, now - options.beat) + options.beat
  }
}

/** An answer stands, and the PLC can read it. */
const isReminded = ({ state: { answer, link } }: Turn): boolean =>
  link && answer !== undefined && !answer.taken && !answer.cleared

/**
 * The PLC acknowledges what stands there, and has done so since before: a bit that was set while the PLC was out of sight is
 * never seen to be set.
 */
const isAcknowledged = ({ state: { answer, link, says } }: Turn): boolean =>
  link && answer !== undefined && !answer.cleared && acknowledges(says, answer)

export const acknowledges = (says: PlcSays, { failed }: Pick<Answer, 'failed'>): boolean =>
  says.resultsAck === true || (failed && says.clearError === true)

/** An answer that stood for so long was read, or the PLC does not do its part. */
function stoodLong(turn: Turn): void {
  const { state, options } = turn
  const { answer } = state
  if (!answer) return
  const { answerUntil, request } = options.family
  const misses = answerUntil === 'acknowledged' || (request !== 'sequence' && !answer.released)
  if (misses && !answer.reminded) tell(turn, 'release-missing', { request: answer.request })
  answer.reminded = true
  if (state.waiting || (!misses && request !== 'sequence')) answerTaken(turn)
}

const isWatched = ({ state: { plcLife, link }, options }: Turn) =>
  link && options.plcLife > 0 && plcLife.moves && !plcLife.stopped

const isSilenceWatched = ({ state, options }: Turn) => state.synced && options.silence > 0

/** Our life signal says that triggers are seen: it stands still while nobody looks for them. */
const beats = ({ state: { link, synced } }: Turn) => link && synced

/** When the machine has to be told the time at the latest. */
export function wakeAtOf(turn: Turn): number | undefined {
  const { state, options } = turn
  const { call, answer, closed, waiting, link } = state
  if (closed) return undefined
  // What is past waits for the PLC.
  const later = (at: number) => (at > turn.now ? at : undefined)
  const times = [
    call && (call.answered ? call.settlesAt : call.deadlineAt),
    answer && isHolding(turn) ? later(answer.holdsFrom + options.minimumDone) : undefined,
    answer && isReminded(turn) && (!answer.reminded || waiting) ? answer.since + options.release : undefined,
    answer && isAcknowledged(turn) ? answer.since + options.unasked : undefined,
    link && answer?.standsUntil ? later(answer.standsUntil) : undefined,
    state.next && later(state.next.at),
    state.lookAt,
    isWatched(turn) ? state.plcLife.changedAt + options.plcLife : undefined,
    isSilenceWatched(turn) ? state.heardAt + options.silence : undefined,
    beats(turn) ? state.beatAt : undefined,
  ].filter((time) => time !== undefined)
  return times.length ? Math.min(...times) : undefined
}
