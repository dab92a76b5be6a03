/** One call, from its turn to its end; `steps.ts` has its requests and their meaning. */
import { startTimeout, watchAbort } from '../kernel/timers'
import type { AbsenceWaiter, Expiring, Engine, Waiter } from './engine'
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
} from './failures'
import { SentFile } from './upload'
import type { CallOptions } from './options'
import { type Plan, requestOf, type CallInput, type PreparedRequest } from './request'
import { holdsValue, readAnswer, readLongAnswer, isLong } from './answer'
import { absenceIn, waitBefore, ReadSteps, type NextStep, type Steps, WriteSteps } from './steps'
import type { Failure } from './vision-error'

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
