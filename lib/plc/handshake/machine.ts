/** The state machine of all families. In: events and time. Out: effects. Keeps no timer and no socket. */
import type { PlcInputs } from '../rows'
import {
  showPendingAnswer,
  acknowledgeAnswer,
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
  report,
} from './cycle'
import {
  type Answer,
  type Call,
  type Effect,
  type HandshakeEvent,
  type HandshakeOptions,
  initialState,
  type PendingAnswer,
  type Phase,
  settled,
  type Turn,
} from './state'

/** The handshake with one PLC. */
export interface Handshake {
  /** The effects, in order; none after `close`. @param now milliseconds of a monotonic clock */
  handle: (event: HandshakeEvent, now: number) => Effect[]
  /** Latest time for the next `clock` event; undefined: not before another event. */
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

/** Processes a sample of the PLC's inputs. */
function onSample(turn: Turn, { inputs, kept, write }: Sample): void {
  const { state } = turn
  const request = requestIn(turn, inputs)
  state.heardAt = turn.now
  if (request === undefined) return
  if (write) remember(turn, inputs, write)
  watchPlcLife(turn, inputs)
  if (state.synced && kept === false) {
    report(turn, 'memory-lost')
    interrupt(turn)
    // Written anew before anything is answered: what the PLC has is unknown.
    show(turn)
  }
  if (state.unheard && state.synced) {
    turn.effects.push({ type: 'journal', entry: { kind: 'taken', token: state.unheard.token } })
    state.unheard = undefined
  }
  const before = state.inputs
  const { answer } = state
  state.inputs = inputs
  if (!state.synced) {
    // What no write has set says nothing of the PLC: our memory is empty after a start.
    if (!write || write.request) firstSample(turn, request, kept)
    return
  }
  onBits(turn, before, inputs)
  const last = state.request
  state.request = request
  if (request === 0 && last !== 0) onRelease(turn)
  if (request !== 0 && request !== last) onRequest(turn, request, inputs)
  if (answer) answer.seenByPlc = true
}

/** Journals the inputs in the cell's own memory: the next run restores them. */
function remember(
  { state, options, effects }: Turn,
  inputs: PlcInputs,
  write: Required<Sample>['write'],
): void {
  if (write.request) state.connection = write.connection
  const known: Readonly<Record<string, unknown>> = { ...state.journaled }
  const isKnown = state.synced || write.request
  const changed = Object.entries(inputs).filter(
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
  if (request === undefined) report(turn, 'request-unknown')
  else firstSample(turn, request, true)
}

/** The request as a number; 0: none. Undefined if the row was not read. */
function requestIn({ options: { family } }: Turn, inputs: PlcInputs): number | undefined {
  const asked = inputs[family.request]
  if (typeof asked === 'boolean') return asked ? 1 : 0
  return asked !== undefined && Number.isFinite(asked) ? asked : undefined
}

/** Bits other than the request: only their rising edges count. */
function onBits(turn: Turn, before: PlcInputs, inputs: PlcInputs): void {
  const { state, options } = turn
  const { answer } = state
  const set = (row: 'abort' | 'resultsAck' | 'clearError') => inputs[row] === true && before[row] !== true
  if (options.family.needsEnable && before.enable === true && inputs.enable !== true) state.missed = false
  if (answer && (set('resultsAck') || (set('clearError') && answer.failed))) takeAnswerAway(turn)
  if (set('clearError')) state.missed = false
  // Last: its own answer has not been read yet.
  if (set('abort')) abortByPlc(turn)
}

/** The first sample after a start, a deploy or a loss: a request that is already set is not executed. */
function firstSample(turn: Turn, request: number, kept: boolean | undefined): void {
  const { state, options } = turn
  const { codes, family } = options
  const isNumbered = family.request === 'sequence'
  state.lookAt = undefined
  state.synced = true
  state.request = request
  if (isNumbered && resumes(turn, request, kept === true)) return
  const { pendingAnswer } = state
  state.pendingAnswer = undefined
  state.unheard = undefined
  state.answer = undefined
  state.echo = 0
  if (request === 0) {
    if (pendingAnswer && !isNumbered) atRest(turn, pendingAnswer)
    return
  }
  const isPending = pendingAnswer && (!isNumbered || pendingAnswer.request === request)
  report(turn, 'already-set', { request, code: isPending ? pendingAnswer.code : codes.ALREADY_SET })
  if (isPending && pendingAnswer.code !== codes.ALREADY_SET) {
    showPendingAnswer(turn, { ...pendingAnswer, request })
    return
  }
  state.missed = true
  state.missedCount += 1
  answerWith(turn, request, codes.ALREADY_SET)
}

/** The PLC requests nothing; an answer may have been pending before the interruption. */
function atRest(turn: Turn, pendingAnswer: PendingAnswer): void {
  const { state, effects } = turn
  if (acknowledges(state.inputs, { failed: true }))
    effects.push({ type: 'journal', entry: { kind: 'taken', token: pendingAnswer.token } })
  else answerUnasked(turn, pendingAnswer)
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

/** A new request. */
function onRequest(turn: Turn, request: number, inputs: PlcInputs): void {
  const { state, options, now } = turn
  const { commands } = options.family
  dropNext(turn)
  const action = commands ? (commands[request] ?? 'unsupported') : 'cycle'
  if (action === 'abort') {
    onAbortCommand(turn, request)
    return
  }
  if (state.call || state.waiting) {
    onRequestWhileBusy(turn, request, inputs, action === 'cycle')
    return
  }
  if (action !== 'cycle') {
    onCommand(turn, request, action, inputs)
    return
  }
  const refusal = isEnabled(turn) ? refusalOf(turn) : options.codes.NOT_ALLOWED
  if (refusal !== undefined) {
    refuse(turn, request, refusal)
    return
  }
  begin(turn, { token: options.newToken(), request, inputs, since: now, released: false })
}

function refuse(turn: Turn, request: number, code: number): void {
  miss(turn, request, code)
  if (turn.options.family.refusal === 'answer') answerWith(turn, request, code)
}

function miss(turn: Turn, request: number, code: number): void {
  const { state } = turn
  state.missed = true
  state.missedCount += 1
  report(turn, 'missed', { request, code })
}

function onRequestWhileBusy(turn: Turn, request: number, inputs: PlcInputs, mayWait: boolean): void {
  const { state, options } = turn
  const { family, codes } = options
  const running = isPlcsCallOpen(turn)
  // Where numbers tell the answers apart, both can be given.
  if (running && state.call) state.call.superseded = true
  if (mayWait && options.whileBusy === 'queue') {
    wait(turn, request, inputs)
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

/** A cycle of the PLC is running without an answer yet: the visible answer does not belong to a new request. */
const isPlcsCallOpen = ({ state: { call } }: Turn): boolean =>
  call !== undefined && !call.answered && !call.cycle.manual

/** The newest request waits: the one before it would get an answer that the PLC reads as the answer to this one. */
function wait(turn: Turn, request: number, inputs: PlcInputs): void {
  const { state, options, effects, now } = turn
  if (state.waiting) miss(turn, state.waiting.request, options.codes.STILL_BUSY)
  const token = options.newToken()
  if (!isPlcsCallOpen(turn)) {
    // Nothing may be read as the answer to this one.
    acknowledgeAnswer(turn)
    takeDown(turn)
  }
  state.waiting = { token, request, inputs, since: now, released: false }
  effects.push({ type: 'journal', entry: { kind: 'noted', token, request } })
}

/** The PLC aborts the cycle; the outcome on the device is unknown. */
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
function onCommand(turn: Turn, request: number, action: string, inputs: PlcInputs): void {
  const { state, options } = turn
  if (action === 'unsupported') {
    refuse(turn, request, options.codes.NOT_ALLOWED)
    return
  }
  if (action === 'prepare') prepare(turn, inputs.job)
  if (action === 'release') prepare(turn, undefined)
  if (action === 'clear') state.missed = false
  state.command = inputs.command ?? 0
  acknowledgeAnswer(turn)
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
    if (!answer.seenByPlc) answer.holdsFrom = now
    // Elsewhere a request ends without a look at the results.
    const isRead = !state.own || state.readAt >= answer.since
    if ((options.family.answerUntil === 'release' && isRead) || answer.cleared) acknowledgeAnswer(turn)
  }
  // A number of 0 is a PLC that begins anew: it may count up to the same number again.
  if (isNumbered) {
    state.echo = 0
    state.answer = undefined
    state.waiting = undefined
    state.refused = undefined
  }
}

/** Watches the PLC's life signal. One that never changed is ignored: the PLC does not write it. */
function watchPlcLife({ state, now, effects }: Turn, inputs: PlcInputs): void {
  const { plcLife } = state
  if (inputs.plcLife === undefined && inputs.plcLifeBit === undefined) return
  const value = `${inputs.plcLife} ${inputs.plcLifeBit}`
  if (plcLife.value === value) return
  // What stands in memory of our own at first is not the PLC's.
  plcLife.moves = plcLife.value !== undefined && plcLife.isPlcs
  plcLife.isPlcs = plcLife.value !== undefined || !state.own
  plcLife.value = value
  plcLife.changedAt = now
  if (plcLife.stopped) effects.push({ type: 'told', what: 'plc-back' })
  plcLife.stopped = false
}

/** Handles all deadlines that have passed. */
function onClock(turn: Turn): void {
  const { state, options, now } = turn
  const { call, answer, plcLife } = state
  if (call && !call.answered && now >= call.deadlineAt) {
    report(turn, 'no-answer', { token: call.cycle.token, request: call.cycle.request })
    endEarly(turn, call, options.codes.NO_ANSWER, 'deadline')
  }
  if (call?.answered && now >= call.settlesAt) {
    report(turn, 'never-ended', { token: call.cycle.token, request: call.cycle.request })
    settle(turn, call)
  }
  if (answer && isReminded(turn) && now >= answer.since + options.release) stoodLong(turn)
  if (answer && isAcknowledged(turn) && now >= answer.since + options.unasked) takeAnswerAway(turn)
  if (isWatched(turn) && now >= plcLife.changedAt + options.plcLife) {
    plcLife.stopped = true
    report(turn, 'plc-stopped')
  }
  if (isSilenceWatched(turn) && now >= state.heardAt + options.silence) {
    report(turn, 'silence')
    interrupt(turn)
  }
  if (beats(turn) && now >= state.beatAt) {
    state.life += 1
    state.beatAt = Math.max(state.beatAt, now - options.beat) + options.beat
  }
}

/** An answer is visible and not acknowledged. */
const isReminded = ({ state: { answer, link } }: Turn): boolean =>
  link && answer !== undefined && !answer.acknowledged && !answer.cleared

/**
 * The PLC acknowledges what stands there, and has done so since before: a bit that was set while the PLC was out of sight is
 * never seen to be set.
 */
const isAcknowledged = ({ state: { answer, link, inputs } }: Turn): boolean =>
  link && answer !== undefined && !answer.cleared && acknowledges(inputs, answer)

const acknowledges = (inputs: PlcInputs, { failed }: Pick<Answer, 'failed'>): boolean =>
  inputs.resultsAck === true || (failed && inputs.clearError === true)

/** An answer that stood for so long was read, or the PLC does not do its part. */
function stoodLong(turn: Turn): void {
  const { state, options } = turn
  const { answer } = state
  if (!answer) return
  const { answerUntil, request } = options.family
  const misses = answerUntil === 'acknowledged' || (request !== 'sequence' && !answer.released)
  if (misses && !answer.reminded) report(turn, 'release-missing', { request: answer.request })
  answer.reminded = true
  if (state.waiting || (!misses && request !== 'sequence')) acknowledgeAnswer(turn)
}

const isWatched = ({ state: { plcLife, link }, options }: Turn) =>
  link && options.plcLife > 0 && plcLife.moves && !plcLife.stopped

const isSilenceWatched = ({ state, options }: Turn) => state.synced && options.silence > 0

/** The cell's life signal advances only while triggers are watched. */
const beats = ({ state: { link, synced } }: Turn) => link && synced

/** Latest time for the next clock event. */
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

/** The PLC is unreachable or has lost its memory: its request is read anew. */
function interrupt(turn: Turn): void {
  const { state, options } = turn
  const { call, waiting } = state
  if (state.synced) state.pendingAnswer = pendingAnswerOf(turn)
  if (state.synced && options.family.request !== 'sequence') {
    state.answer = undefined
    state.next = undefined
    if (call && !call.answered && !call.cycle.manual) abandon(turn, call)
  }
  if (waiting)
    report(turn, 'undelivered', {
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
  state.written = undefined
}

/** The answer that the PLC may be waiting for. */
function pendingAnswerOf({ state, options: { codes, family } }: Turn): PendingAnswer | undefined {
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
  if (!answer || (answer.acknowledged && family.request !== 'sequence')) return undefined
  const { request, token, isCycle } = answer
  return { request, token, code: isCycle ? codes.INTERRUPTED : codes.ALREADY_SET }
}

/** The cycle's result will not be shown. *Ready* still waits for its end. */
function abandon(turn: Turn, call: Call): void {
  const { state, options, effects } = turn
  const { token, request } = call.cycle
  call.answered = true
  const code = options.codes.INTERRUPTED
  state.pendingAnswer = { request, token, code }
  effects.push({ type: 'journal', entry: { kind: 'ended', token, code, counter: state.counter } })
  report(turn, 'undelivered', { token, request, code })
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

/** Shutdown: not ready, and an answer for the running cycle. */
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
