/** One call, from its turn to its end, and what it sends next. */
import { startTimeout, watchAbort } from '../kernel/timers'
import type { AbsenceWaiter, Expiring, Engine, Waiter, AbsenceReason } from './create-client'
import { Attempt, type HttpAnswer } from './connection'
import {
  type AttemptFailure,
  faultHere,
  noAnswerWithin,
  notConnected,
  noTurnWithin,
  stalled,
  tooLate,
  unreadableFile,
  networkFailure,
  outcomeUnknown,
} from './failures'
import { SentFile } from './upload'
import type { CallOptions } from './options'
import { type Plan, requestOf, type CallInput, type PreparedRequest, planOf } from './request'
import { holdsValue, readAnswer, readLongAnswer, isLong } from './answer'
import type { Failure } from './vision-error'
import { retryPause } from '../kernel/connection'
import { renderJson } from '../codec/json'
import type { Parameter, OperationId } from '../contract'

/** `thrown`: by the caller's code, or a programming error here. */
type CallEnding = { result: unknown } | { failure: Failure } | { thrown: unknown }

/** Waits for its turn, is sent, is repeated where that is safe, and ends exactly once, in `end`. */
export class Call implements AbsenceWaiter, EventListenerObject, Expiring, Waiter {
  deadline?: Expiring['deadline']
  private readonly steps: Steps
  private readonly startedAt: number
  private readonly endsAt: number
  private readonly file: SentFile | undefined
  private readonly request: PreparedRequest
  private sending: PreparedRequest
  private attempt: Attempt | undefined
  private isFirst = true
  private repetitions = 0
  private timer: NodeJS.Timeout | undefined
  private last: Failure | undefined
  /** The current attempt, or pause, tests whether the device accepts requests again. */
  private isAwaiting = false
  private over = false
  /** Its deadline has passed while the device was to answer. */
  private isLate = false

  /** @throws VisionError `INVALID_INPUT` */
  constructor(
    private readonly engine: Engine,
    plan: Plan,
    private readonly input: CallInput,
    private readonly options: CallOptions | undefined,
    private readonly resolve: (result: unknown) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    const { settings, deadlines } = engine
    const { deadline, stall } = engine.limitsOf(plan, options)
    this.request = this.sending = requestOf(plan, input, settings)
    this.startedAt = deadlines.now()
    this.endsAt = this.startedAt + deadline
    this.steps =
      plan.repeat === 'read'
        ? new ReadSteps(this.request)
        : new WriteSteps(engine, this.request, input, this.endsAt)
    const { upload } = this.request
    if (upload)
      this.file = new SentFile(upload, stall, () => deadlines.now(), {
        onProgress: options?.onProgress,
        onThrown: (thrown) => this.end({ thrown }),
      })
  }

  start(): void {
    const { engine, options } = this
    const signal = options?.signal
    engine.live.add(this)
    if (engine.closed || signal?.aborted) {
      this.abort()
      return
    }
    if (signal) watchAbort(signal, this)
    engine.deadlines.set(this, Math.min(this.endsAt, this.startedAt + engine.settings.connectDeadline))
    if (this.file) this.measure(this.file)
    else this.queueUp()
  }

  private measure(file: SentFile) {
    file.measure().then(
      (length) => {
        this.request.headers.push('content-length', `${length}`)
        if (!this.over) this.queueUp()
      },
      (error: unknown) => this.fail(unreadableFile(file.path, error)),
    )
  }

  private queueUp(repetition = false) {
    if (this.engine.turns.enter(this, repetition)) return
    this.fail({ code: 'BUSY', key: 'busy', values: { limit: this.engine.settings.queue } })
  }

  turn(): void {
    const { connections, deadlines, late, settings, turns } = this.engine
    const now = deadlines.now()
    const connectBy = now + settings.connectDeadline
    if (turns.areAllTaken) late.giveUp()
    const attempt = new Attempt(this, connections.take(), connectBy, this.file)
    this.attempt = attempt
    try {
      this.sending = this.steps.next()
      const stream = this.sending === this.request ? this.file?.begin() : undefined
      if (this.file || !this.isFirst)
        deadlines.set(this, Math.min(this.endsAt, connectBy, this.file?.partBy ?? Infinity))
      this.isFirst = false
      attempt.start(this.sending, stream, now)
    } catch (error) {
      this.breakOff(error)
    }
  }

  answered(answer: HttpAnswer): void {
    if (!isLong(answer) || !holdsValue(answer, this.sending)) this.conclude(answer)
    else this.readInSlices(answer).catch((error: unknown) => this.breakOff(error))
  }

  /** Keeps its turn while reading, so that a client reads only a few long answers at a time. */
  private async readInSlices(answer: HttpAnswer) {
    let read: () => unknown
    try {
      const value = await readLongAnswer(answer, () => this.over)
      read = () => value
    } catch (error) {
      read = () => {
        throw error
      }
    }
    if (!this.over) this.conclude(answer, read)
  }

  private conclude(answer: HttpAnswer, read?: () => unknown) {
    try {
      this.engine.noteAnswer(this.sending.plan, answer.status)
      const outcome = readAnswer(answer, this.sending, this.engine.settings, read)
      this.take('failure' in outcome ? this.failedWith(outcome.failure) : this.steps.answered(outcome.result))
    } catch (error) {
      this.breakOff(error)
    }
  }

  failed(error: Error, sent: boolean, proven: boolean): void {
    const { maxAnswerBytes: limit, language } = this.engine.settings
    const file = this.file?.path
    try {
      this.take(this.failedWith(networkFailure(error, { sent, proven, limit, file, language })))
    } catch (fault) {
      this.breakOff(fault)
    }
  }

  private failedWith(failure: AttemptFailure): NextStep {
    this.last = failure
    return this.steps.failed(failure)
  }

  private take(step: NextStep) {
    this.endAttempt()
    this.isAwaiting = false
    switch (step.do) {
      case 'succeed':
        this.end(step)
        return
      case 'fail':
        this.fail(step.failure)
        return
      case 'go-on':
        this.queueUp(true)
        return
      case 'wait':
        this.queueUpIn(step.milliseconds)
        return
      case 'repeat':
        this.repeat(step.because)
        return
      case 'await':
        if (!this.awaitDevice(step.because)) this.repeat(step.because)
    }
  }

  /** Waits until the device accepts requests. Returns false if this call must not wait. */
  private awaitDevice(failure: AttemptFailure): boolean {
    const { absence, deadlines, settings } = this.engine
    const { waitForDevice = true } = this.options ?? {}
    const reason = absenceIn(failure)
    const rest = 1000 * (failure.cause?.retryAfter ?? 0)
    if (!reason || !waitForDevice || settings.retries === 0 || deadlines.now() + rest >= this.endsAt)
      return false
    this.isAwaiting = absence.wait(this, reason, rest)
    return this.isAwaiting
  }

  tryAgain(): void {
    this.queueUp(true)
  }

  private repeat(failure: Failure) {
    const { bucket, deadlines, settings } = this.engine
    const wait = waitBefore(this.repetitions + 1, failure.cause?.retryAfter, settings.random)
    if (deadlines.now() + wait >= this.endsAt) this.fail(tooLate(failure))
    else if (this.repetitions >= settings.retries || !bucket.take()) this.fail(failure)
    else {
      this.repetitions++
      this.queueUpIn(wait)
    }
  }

  private queueUpIn(milliseconds: number) {
    // One more millisecond, because timers may fire up to a millisecond early.
    this.timer = startTimeout(() => this.queueUp(true), milliseconds + 1)
  }

  /** Called when the deadline of the call, its connection or a part of its file has passed. */
  expire(now: number): void {
    const { deadlines, settings } = this.engine
    const { attempt, file } = this
    if (now >= this.endsAt) this.runOut()
    else if (attempt && !attempt.sent && now >= attempt.connectBy) {
      this.take(this.failedWith(notConnected(settings.connectDeadline)))
    } else if (attempt?.sent && file && now >= file.partBy) {
      this.fail(stalled(file.stall, settings.language))
    } else {
      const next = attempt?.nextCheck(now) ?? now + settings.connectDeadline
      deadlines.set(this, Math.min(this.endsAt, next))
    }
  }

  private runOut() {
    const milliseconds = Math.round(this.endsAt - this.startedAt)
    const isUnsent = !this.attempt || (this.isAwaiting && !this.steps.maybeDone(this.isSent()))
    if (isUnsent) this.fail(this.last ?? noTurnWithin(milliseconds))
    else if (!this.isSent()) this.fail(notConnected(milliseconds))
    else {
      const { late, settings } = this.engine
      this.isLate = !this.file
      this.fail(noAnswerWithin(milliseconds, late.last, settings.language))
    }
  }

  handleEvent(): void {
    this.abort()
  }

  /** Because of its signal or because the client is closed. */
  abort(): void {
    const maybeDone = this.steps.maybeDone(this.isSent())
    const key = maybeDone ? 'aborted-sent' : this.engine.closed ? 'closed' : 'aborted'
    this.end({ failure: { code: 'ABORTED', key } })
  }

  private fail(failure: Failure) {
    this.end({ failure: this.steps.ending(failure, this.isSent()) })
  }

  /** A programming error must not look like a network error, nor wait for the deadline. */
  private breakOff(error: unknown) {
    this.end({ failure: faultHere(error, this.steps.maybeDone(this.isSent())) })
  }

  private isSent() {
    return Boolean(this.attempt?.sent)
  }

  private end(ending: CallEnding) {
    if (this.over) return
    this.over = true
    const { engine, options } = this
    clearTimeout(this.timer)
    engine.deadlines.remove(this)
    engine.live.delete(this)
    engine.turns.withdraw(this)
    engine.absence.withdraw(this)
    options?.signal?.removeEventListener('abort', this)
    this.endAttempt()
    this.report(ending)
    if ('result' in ending) this.resolve(ending.result)
    else if ('thrown' in ending) this.reject(ending.thrown)
    else this.reject(engine.errorOf(this.request.plan.id, ending.failure))
  }

  private report(ending: CallEnding) {
    const { deadlines, settings } = this.engine
    settings.onCallEnded({
      operation: this.request.plan.id,
      input: this.input,
      milliseconds: deadlines.now() - this.startedAt,
      ...('result' in ending
        ? { result: ending.result }
        : { failure: 'failure' in ending ? ending.failure.code : 'INTERNAL' }),
    })
  }

  private endAttempt() {
    const { attempt } = this
    if (!attempt) return
    this.attempt = undefined
    if (!this.isLate || !this.engine.late.await(attempt, this.endsAt - this.startedAt)) {
      attempt.cancel()
      attempt.connection.used(this.engine.deadlines.now())
      this.engine.connections.give(attempt.connection)
    }
    this.engine.turns.leave()
  }
}

// What a call sends next: when a request may be repeated, and how a write whose answer was lost is settled.

/** The device did not execute the request and may do so next time: nothing was sent, or it answered 429. */
const mayPass = ({ code, uncertain, final }: AttemptFailure): boolean =>
  !final && !uncertain && (code === 'RATE_LIMITED' || code === 'UNREACHABLE')

const mayAnswer = (failure: AttemptFailure): boolean =>
  mayPass(failure) || (!failure.final && (failure.code === 'STARTING' || failure.code === 'UNREACHABLE'))

/**
 * Why the device accepts no requests; undefined if it does, or if waiting will not help: a host name that cannot be
 * resolved is more often misspelled than missing for a moment. @param failure of a request that was not sent or is
 * harmless to repeat
 */
export function absenceIn({ code, uncertain, final, cause }: AttemptFailure): AbsenceReason | undefined {
  if (final) return undefined
  if (code === 'STARTING') return code
  return code === 'UNREACHABLE' && !uncertain && cause?.reason !== 'ENOTFOUND' ? code : undefined
}

/** Milliseconds before repetition number `count`, from 1: the full time that the device asked for, or full jitter. */
export function waitBefore(count: number, retryAfter: number | undefined, random: () => number): number {
  if (retryAfter !== undefined) return retryAfter * 1000
  return retryPause(count - 1, { shortest: 0, random })
}

export type NextStep =
  | { do: 'succeed'; result: unknown }
  | { do: 'fail'; failure: Failure }
  /** Sends the next request immediately. */
  | { do: 'go-on' }
  /** Sends the next request after this many milliseconds. */
  | { do: 'wait'; milliseconds: number }
  /** If the call has a repetition left. */
  | { do: 'repeat'; because: Failure }
  /** When the device, which accepts no requests now, may be back. */
  | { do: 'await'; because: AttemptFailure }

/** For a request that was not sent or is harmless to repeat. */
const afterFailure = (failure: AttemptFailure): NextStep =>
  absenceIn(failure) ? { do: 'await', because: failure } : { do: 'repeat', because: failure }

export interface Steps {
  next: () => PreparedRequest
  answered: (result: unknown) => NextStep
  failed: (failure: AttemptFailure) => NextStep
  /** The device may have changed something. @param sent it may have received the last request of `next` */
  maybeDone: (sent: boolean) => boolean
  /** The failure that ends the call after this one. */
  ending: (failure: Failure, sent: boolean) => Failure
}

export class ReadSteps implements Steps {
  constructor(private readonly request: PreparedRequest) {}

  next(): PreparedRequest {
    return this.request
  }

  answered(result: unknown): NextStep {
    return { do: 'succeed', result }
  }

  failed(failure: AttemptFailure): NextStep {
    return mayAnswer(failure) ? afterFailure(failure) : { do: 'fail', failure }
  }

  maybeDone(): boolean {
    return false
  }

  ending(failure: Failure): Failure {
    return failure
  }
}

type Input = Record<string, unknown>

function readBackInput({ pipeline, node, param, parameters }: Input): Input {
  if (!Array.isArray(parameters)) return { pipeline, node, param }
  return { pipeline, node, name: [...writtenValues({ parameters }).keys()] }
}

function tookEffect(input: Input, result: unknown): boolean {
  return [...writtenValues(input)].every(([name, written]) => {
    const record = recordOf(name, result)
    return record !== undefined && isSame(record.value, written, record.type)
  })
}

/** The device's values that differ from the written ones, for comparing two read-backs. */
function foundValues(input: Input, result: unknown): string {
  return renderJson([...writtenValues(input).keys()].map((name) => recordOf(name, result)?.value ?? null))
}

function recordOf(name: unknown, result: unknown): Parameter | undefined {
  const records = (Array.isArray(result) ? result : [result]) as Parameter[]
  return records.find((one) => one.name === name)
}

/** If a name is written twice, the device keeps the last value. */
function writtenValues({ param, value, parameters }: Input): Map<unknown, unknown> {
  if (!Array.isArray(parameters)) return new Map([[param, value]])
  return new Map((parameters as Parameter[]).map((one) => [one.name, one.value]))
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

function isSame(stored: unknown, written: unknown, type: string): boolean {
  if (isNumber(stored) && isNumber(written)) {
    // A float32 returns 0.1 as 0.10000000149011612, the same number in that type.
    return type === 'float32'
      ? Math.fround(Number(stored)) === Math.fround(Number(written))
      : Number(stored) === Number(written)
  }
  return stored === written || renderJson(stored) === renderJson(written)
}

interface ReadBack {
  because: AttemptFailure
  /** When a late write must have arrived, milliseconds. */
  arrivedBy: number
  found?: string
}

/**
 * Repeats a write only if it is certain that the device did not execute it.
 *
 * If the answer was lost, or may be a gateway's, the parameters are read back. One read-back proves nothing: a gateway
 * may still hold the write, and the values may have been there before. What counts is a read-back after the time in
 * which a late write must have arrived: if it shows the written values, the write succeeded; if it shows the same
 * values as the first one, the write was not executed and is sent again; otherwise another client writes too, and the
 * outcome is unknown.
 *
 * If the device may be starting (by the last answer, by `mayBeStarting`, or because it just refused a connection), it
 * is queried before the write, so that `STARTING` means that nothing was sent.
 */
export class WriteSteps implements Steps {
  private stage: 'check' | 'write' | ReadBack = 'write'
  private isUp = false // the device was queried and is not starting
  private wasAway = false // A connection was refused: the device may have restarted since
  private unsettled: AttemptFailure | undefined

  constructor(
    private readonly engine: Engine,
    private readonly write: PreparedRequest,
    private readonly input: CallInput,
    private readonly endsAt: number, // deadline of the call, milliseconds
  ) {}

  next(): PreparedRequest {
    if (this.stage === 'write' && !this.isUp && (this.wasAway || this.engine.mayBeStarting))
      this.stage = 'check'
    const { settings } = this.engine
    if (this.stage === 'write') return this.write
    if (this.stage === 'check') return requestOf(planOf('getSystem'), {}, settings)
    const { readBack } = this.write.plan.operation
    return requestOf(planOf(readBack as OperationId), readBackInput(this.input), settings)
  }

  answered(result: unknown): NextStep {
    if (this.stage === 'write') return { do: 'succeed', result }
    return this.stage === 'check' ? this.proceed() : this.afterReadBack(this.stage, result)
  }

  failed(failure: AttemptFailure): NextStep {
    if (this.stage === 'write') return this.notWritten(failure)
    if (this.stage === 'check') return this.notChecked(failure)
    return mayAnswer(failure) ? afterFailure(failure) : { do: 'fail', failure }
  }

  maybeDone(sent: boolean): boolean {
    return this.unsettled !== undefined || (sent && this.stage === 'write')
  }

  ending(failure: Failure, sent: boolean): Failure {
    return this.maybeDone(sent) ? outcomeUnknown(this.unsettled ?? failure, failure.cause) : failure
  }

  private proceed(): NextStep {
    this.isUp = true
    this.stage = 'write'
    return { do: 'go-on' }
  }

  private notChecked(failure: AttemptFailure): NextStep {
    // Any other answer of the device itself shows that it has started.
    if (!failure.uncertain && !mayAnswer(failure)) return this.proceed()
    this.stage = 'write'
    // The write was not sent, so no connection ended while it was in flight.
    const because: AttemptFailure =
      failure.uncertain === 'unanswered' ? { ...failure, key: 'unreachable' } : failure
    return mayAnswer(failure) ? afterFailure(because) : { do: 'fail', failure: because }
  }

  private notWritten(failure: AttemptFailure): NextStep {
    if (failure.uncertain) return this.doubt(failure)
    const mayRepeat = this.write.plan.repeat === 'settled' ? mayAnswer : mayPass
    if (!mayRepeat(failure)) return { do: 'fail', failure }
    if (absenceIn(failure)) {
      this.wasAway = true
      this.isUp = false
    }
    return afterFailure(failure)
  }

  private doubt(failure: AttemptFailure): NextStep {
    this.unsettled = failure
    const arrivedBy = this.engine.deadlines.now() + this.engine.settings.lateArrival
    // Without a later read-back, nothing would be proven.
    if (this.write.plan.repeat === 'once' || arrivedBy >= this.endsAt) return { do: 'fail', failure }
    this.stage = { because: failure, arrivedBy }
    return { do: 'go-on' }
  }

  private afterReadBack(readBack: ReadBack, result: unknown): NextStep {
    const values = foundValues(this.input, result)
    const milliseconds = readBack.arrivedBy - this.engine.deadlines.now()
    if (milliseconds > 0) {
      readBack.found ??= values
      return { do: 'wait', milliseconds }
    }
    if (tookEffect(this.input, result)) return { do: 'succeed', result }
    if (readBack.found === undefined) {
      readBack.found = values
      return { do: 'go-on' }
    }
    if (values !== readBack.found) return { do: 'fail', failure: readBack.because }
    this.unsettled = undefined
    this.stage = 'write'
    return { do: 'repeat', because: readBack.because }
  }
}
