/** The state machine of all families: events and time come in, effects go out. */
import type { PlcSays } from '../rows'
import {
  answerOwed,
  answerTaken,
  answerUnasked,
  answerWith,
  begin,
  beginByHand,
  beginWaiting,
  clearAnswer,
  dropNext,
  end,
  endEarly,
  isBusy,
  isEnabled,
  isHolding,
  phaseOf,
  refusalOf,
  settle,
  show,
  showNext,
  takeAnswerAway,
  takeDown,
  tell,
} from './cycle'
import {
  type Answer,
  type Call,
  type Effect,
  type HandshakeEvent,
  type HandshakeOptions,
  initialState,
  type OwedAnswer,
  type Phase,
  settled,
  type Turn,
} from './state'

/** The handshake with one PLC: events and time come in, what to do comes out. Keeps no timer and no socket. */
export interface Handshake {
  /** What to do, in this order. After `close` nothing any more. @param now milliseconds of a monotonic clock */
  handle: (event: HandshakeEvent, now: number) => Effect[]
  /** When to send `clock` at the latest; undefined: not before another event. */
  readonly wakeAt: number | undefined
  readonly phase: Phase
}

/**
 * A handshake of one family that knows nothing of its PLC yet. A request that is already there at the first look, or after
 * a loss, is answered with a code and never executed; each other is executed once at most, and gets its own answer.
 */
export function createHandshake(options: HandshakeOptions): Handshake {
  const all = settled(options)
  const turn: Turn = { state: initialState(all), options: all, now: options.now, effects: [] }

  return {
    handle(event, now) {
      if (turn.state.closed) return []
      turn.now = Math.max(now, turn.now)
      turn.effects = []
      // What was due before comes first: a result after its deadline is late.
      onClock(turn)
      lookWhenDue(turn)
      take(turn, event)
      clearAnswer(turn)
      showNext(turn)
      beginWaiting(turn)
      show(turn)
      return turn.effects
    },
    get wakeAt() {
      return wakeAtOf(turn)
    },
    get phase() {
      return phaseOf(turn)
    },
  }
}

function take(turn: Turn, event: HandshakeEvent): void {
  const { state, options } = turn
  switch (event.type) {
    case 'sample':
      if (state.link) onSample(turn, event)
      return
    case 'link': {
      onLink(turn, event.up, event.own === true)
      return
    }
    case 'read': {
      // A PLC that reads on and on, and never the state, does not look at flags.
      const isSeen = event.state || turn.now >= Math.max(state.readAt, state.downAt) + options.unasked
      if (isSeen) state.readAt = turn.now
      return
    }
    case 'device':
      state.device = event.ready
        ? { ready: true, code: options.codes.DONE, reason: 'none' }
        : { ready: false, code: event.code, reason: event.reason }
      return
    case 'result': {
      end(turn, event.token, options.codes.DONE, event.data)
      return
    }
    case 'error': {
      end(turn, event.token, event.code)
      return
    }
    case 'settled': {
      if (state.call?.answered && state.call.cycle.token === event.token) settle(turn, state.call)
      return
    }
    case 'manual': {
      beginByHand(turn)
      return
    }
    case 'clock':
      return
    case 'close': {
      onClose(turn)
      return
    }
  }
}

type Sample = Extract<HandshakeEvent, { type: 'sample' }>

/** A look at the PLC's words. */
function onSample(turn: Turn, { says, kept, write }: Sample): void {
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
function lookWhenDue(turn: Turn): void {
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

/** The PLC asks for something. */
function onRequest(turn: Turn, request: number, says: PlcSays): void {
  const { state, options, now } = turn
  const { commands } = options.family
  dropNext(turn)
  const deed = commands ? (commands[request] ?? 'unsupported') : 'cycle'
  if (deed === 'abort') {
    onAbortCommand(turn, request)
    return
  }
  if (state.call || state.waiting) {
    onRequestWhileBusy(turn, request, says, deed === 'cycle')
    return
  }
  if (deed !== 'cycle') {
    onCommand(turn, request, deed, says)
    return
  }
  const refusal = isEnabled(turn) ? refusalOf(turn) : options.codes.NOT_ALLOWED
  if (refusal !== undefined) {
    refuse(turn, request, refusal)
    return
  }
  begin(turn, { token: options.newToken(), request, says, since: now, released: false })
}

function refuse(turn: Turn, request: number, code: number): void {
  miss(turn, request, code)
  if (turn.options.family.refusal === 'answer') answerWith(turn, request, code)
}

function miss(turn: Turn, request: number, code: number): void {
  const { state } = turn
  state.missed = true
  state.missedCount += 1
  tell(turn, 'missed', { request, code })
}

function onRequestWhileBusy(turn: Turn, request: number, says: PlcSays, mayWait: boolean): void {
  const { state, options } = turn
  const { family, codes } = options
  const running = isPlcsCallOpen(turn)
  // Where numbers tell the answers apart, both can be given.
  if (running && state.call) state.call.superseded = true
  if (mayWait && options.whileBusy === 'queue') {
    wait(turn, request, says)
    return
  }
  if (family.refusal === 'missed') {
    miss(turn, request, codes.STILL_BUSY)
    return
  }
  if (!isBusy(turn)) {
    refuse(turn, request, codes.STILL_BUSY)
    return
  }
  miss(turn, request, codes.STILL_BUSY)
  state.refused = request
}

/** A cycle of the PLC is under way and has no answer yet: what stands there is no answer to a request that comes now. */
const isPlcsCallOpen = ({ state: { call } }: Turn): boolean =>
  call !== undefined && !call.answered && !call.cycle.manual

/** The newest request waits: the one before it would get an answer that the PLC reads as the answer to this one. */
function wait(turn: Turn, request: number, says: PlcSays): void {
  const { state, options, effects, now } = turn
  if (state.waiting) miss(turn, state.waiting.request, options.codes.STILL_BUSY)
  const token = options.newToken()
  if (!isPlcsCallOpen(turn)) {
    // Nothing may be read as the answer to this one.
    answerTaken(turn)
    takeDown(turn)
  }
  state.waiting = { token, request, says, since: now, released: false }
  effects.push({ type: 'journal', entry: { kind: 'noted', token, request } })
}

/** The PLC ends the cycle; what the device does is unknown. */
function abortByPlc(turn: Turn): void {
  const { state, options } = turn
  const { ABORTED_BY_PLC } = options.codes
  const { call, waiting } = state
  state.waiting = undefined
  if (call && !call.answered && !call.cycle.manual) endEarly(turn, call, ABORTED_BY_PLC, 'plc')
  if (waiting) answerWith(turn, waiting.request, ABORTED_BY_PLC)
}

function onAbortCommand(turn: Turn, request: number): void {
  const { call } = turn.state
  if (call && !call.answered) call.superseded = true
  abortByPlc(turn)
  answerWith(turn, request, turn.options.codes.DONE)
}

/** Commands that need no cycle. */
function onCommand(turn: Turn, request: number, deed: string, says: PlcSays): void {
  const { state, options } = turn
  if (deed === 'unsupported') {
    refuse(turn, request, options.codes.NOT_ALLOWED)
    return
  }
  if (deed === 'prepare') prepare(turn, says.job)
  if (deed === 'release') prepare(turn, undefined)
  if (deed === 'clear') state.missed = false
  state.command = says.command ?? 0
  answerTaken(turn)
  takeDown(turn)
  show(turn)
  answerWith(turn, request, options.codes.DONE)
}

function prepare({ state, effects }: Turn, job: number | undefined): void {
  state.prepared = job === undefined ? undefined : { job, connection: state.connection, isLost: false }
  effects.push({ type: 'journal', entry: { kind: 'prepared', ...(job !== undefined && { job }) } })
}

/** The PLC has reset its request. */
function onRelease(turn: Turn): void {
  const { state, options, now } = turn
  const { call, waiting, answer, next } = state
  const isNumbered = options.family.request === 'sequence'
  state.triggerAck = false
  if (waiting) waiting.released = true
  if (next) next.of.released = true
  if (call && !call.answered && !call.released) {
    call.released = true
    if (options.onDrop === 'abort' && !call.cycle.manual)
      endEarly(turn, call, options.codes.ABORTED_BY_PLC, 'plc')
  }
  if (waiting && options.onDrop === 'abort') {
    state.waiting = undefined
    answerWith(turn, waiting.request, options.codes.ABORTED_BY_PLC)
  }
  if (answer && !answer.released) {
    answer.released = true
    // A pulse that ended while the connection was away: the PLC has the answer before it only now.
    if (!answer.heard) answer.holdsFrom = now
    // Elsewhere a request ends without a look at the results.
    const isRead = !state.own || state.readAt >= answer.since
    if ((options.family.answerUntil === 'release' && isRead) || answer.cleared) answerTaken(turn)
  }
  // A number of 0 is a PLC that begins anew: it may count up to the same number again.
  if (isNumbered) {
    state.echo = 0
    state.answer = undefined
    state.waiting = undefined
    state.refused = undefined
  }
}

/** Notes whether the PLC's own life signal moves. One that never moved is not watched: the PLC does not write it. */
function hearPlcLife({ state, now, effects }: Turn, says: PlcSays): void {
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
function onClock(turn: Turn): void {
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

const acknowledges = (says: PlcSays, { failed }: Pick<Answer, 'failed'>): boolean =>
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
function wakeAtOf(turn: Turn): number | undefined {
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

/** The PLC is out of sight, or its memory is lost: what it asks for has to be looked at anew. */
function interrupt(turn: Turn): void {
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
function abandon(turn: Turn, call: Call): void {
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
function onLink(turn: Turn, up: boolean, own: boolean): void {
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
function onClose(turn: Turn): void {
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
