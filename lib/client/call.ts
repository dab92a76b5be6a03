import type { Readable } from 'node:stream'
import type { OperationId } from '../contract'
import { unwatchAbort, watchAbort } from './aborts'
import { Attempt, type Answer } from './attempt'
import type { Expiring } from './deadlines'
import { notConnected, outcomeUnknown, tooLate } from './ending'
import type { Engine } from './engine'
import { networkFailure, type NetworkFailure } from './network-failure'
import type { CallOptions } from './options'
import { planOf, type Plan } from './plan'
import { readAnswer } from './read-answer'
import { readBackInput, tookEffect } from './read-back'
import { nextAfter, waitBefore } from './repeat'
import { requestOf, type Input, type PreparedRequest } from './request-of'
import type { Failure, VisionError } from './vision-error'

/**
 * One call from beginning to end: it waits for its turn, is sent, is repeated where that is safe, and ends exactly
 * once: with a result, a failure, its deadline, an abort or the closing of the client.
 */
export class Call {
  slot?: Set<Expiring>
  private readonly request: PreparedRequest
  /** Set while the outcome of a write is being looked up. */
  private readBack: PreparedRequest | undefined
  private attempt: Attempt | undefined
  private stream: (() => Readable) | undefined
  private repetitions = 0
  private timer: NodeJS.Timeout | undefined
  private last: Failure | undefined
  /** What made it unknown whether the write took effect. */
  private unsettled: Failure | undefined
  private over = false
  private readonly startedAt: number
  private readonly endsAt: number
  private connectBy = 0
  private readonly stall: number
  /** By when the next part of an upload must have gone out; infinite once all of it has. */
  private partBy = Infinity

  /** @throws VisionError `INVALID_INPUT` */
  constructor(
    private readonly engine: Engine,
    plan: Plan,
    private readonly input: Input,
    private readonly options: CallOptions | undefined,
    private readonly resolve: (result: unknown) => void,
    private readonly reject: (error: VisionError) => void,
  ) {
    const { settings, deadlines } = engine
    this.request = requestOf(plan, input, settings)
    this.startedAt = deadlines.now()
    this.endsAt = this.startedAt + engine.deadlineOf(this.request, options)
    this.stall = engine.stallOf(this.request, options)
  }

  start(): void {
    const { engine, options } = this
    const signal = options?.signal
    engine.live.add(this)
    if (engine.closed) {
      this.fail({ code: 'ABORTED', key: 'closed' })
      return
    }
    if (signal) {
      if (signal.aborted) {
        this.abort()
        return
      }
      watchAbort(signal, this)
    }
    engine.deadlines.set(this, Math.min(this.endsAt, this.startedAt + engine.settings.connectDeadline))
    if (this.request.upload) this.measure()
    else this.queueUp()
  }

  private measure() {
    const { upload } = this.request
    upload?.measure().then(
      ({ length, stream }) => {
        this.request.headers.push('content-length', `${length}`)
        this.stream = () => stream((progress) => this.partWentOut(progress))
        if (!this.over) this.queueUp()
      },
      (error: unknown) => {
        const detail = error instanceof Error ? error.message : String(error)
        const values = { file: upload.file }
        this.fail({ code: 'INVALID_INPUT', key: 'unreadable-file', values, cause: { detail } })
      },
    )
  }

  private async partWentOut(progress: { sent: number; total: number }) {
    const isLast = progress.sent === progress.total
    // The caller's time is not the device's.
    this.partBy = Infinity
    await this.options?.onProgress?.(progress)
    if (!isLast) this.watchForStall()
  }

  private watchForStall() {
    const { deadlines } = this.engine
    this.partBy = deadlines.now() + this.stall
  }

  private queueUp(repetition = false) {
    if (this.engine.turns.enter(this, repetition)) return
    this.fail({ code: 'BUSY', key: 'busy', values: { limit: this.engine.settings.queue } })
  }

  /** Its turn has come. */
  turn(): void {
    const { connections, deadlines, settings } = this.engine
    const request = this.readBack ?? this.request
    const now = deadlines.now()
    this.connectBy = now + settings.connectDeadline
    if (this.stream) this.watchForStall()
    if (this.last ?? this.stream) deadlines.set(this, Math.min(this.endsAt, this.connectBy, this.partBy))
    this.attempt = new Attempt(this, connections.take())
    this.attempt.start(request, this.stream?.(), now)
  }

  answered(answer: Answer): void {
    this.endAttempt()
    const { settings } = this.engine
    const read = readAnswer(answer, this.readBack ?? this.request, settings)
    if ('failure' in read) this.after(read.failure)
    else if (this.unsettled && !tookEffect(this.input, read.result)) this.writeAgain(this.unsettled)
    else this.succeed(read.result)
  }

  failed(error: Error, sent: boolean): void {
    this.endAttempt()
    const { maxAnswerBytes } = this.engine.settings
    this.after(networkFailure(error, sent, { limit: maxAnswerBytes, file: this.request.upload?.file }))
  }

  private after(failure: NetworkFailure) {
    const { plan } = this.readBack ?? this.request
    this.last = failure
    if (failure.lost && plan.repeat !== 'read') this.unsettled = failure
    switch (nextAfter(failure, plan.repeat)) {
      case 'repeat': {
        this.repeat(failure)
        return
      }
      case 'read-back': {
        this.lookUp()
        return
      }
      case 'fail': {
        this.fail(failure)
        return
      }
    }
  }

  private repeat(failure: Failure) {
    const { bucket, deadlines, settings } = this.engine
    const wait = waitBefore(this.repetitions + 1, failure.cause?.retryAfter, settings.random)
    if (deadlines.now() + wait >= this.endsAt) this.fail(tooLate(failure))
    else if (this.repetitions >= settings.retries || !bucket.take()) this.fail(failure)
    else {
      this.repetitions++
      // One more, because timers may be up to a millisecond early.
      this.timer = setTimeout(() => this.queueUp(true), wait + 1)
    }
  }

  private lookUp() {
    const { operation } = this.request.plan
    const { settings } = this.engine
    this.readBack = requestOf(planOf(operation.readBack as OperationId), readBackInput(this.input), settings)
    this.queueUp(true)
  }

  /** The device has another value: the lost write is as if it had never been sent. */
  private writeAgain(lost: Failure) {
    this.readBack = undefined
    this.unsettled = undefined
    this.repeat(lost)
  }

  /** The call's time is over, or that for setting up a connection. */
  expire(now: number): void {
    const { deadlines, settings } = this.engine
    const { attempt } = this
    if (now >= this.endsAt) {
      this.runOut()
      return
    }
    if (attempt && !attempt.sent && now >= this.connectBy) {
      this.endAttempt()
      this.after(notConnected(settings.connectDeadline))
      return
    }
    if (attempt?.sent && now >= this.partBy) {
      this.unsettled = this.engine.stalledFor(this.stall)
      this.fail(this.unsettled)
      return
    }
    deadlines.set(this, Math.min(this.endsAt, this.nextLook(now)))
  }

  /** When something may be over next, milliseconds. */
  private nextLook(now: number): number {
    const { attempt } = this
    if (!attempt) return now + this.engine.settings.connectDeadline
    if (!attempt.sent) return this.connectBy
    // Parts move their deadline without a word, so that it is looked at as often as one may be over.
    return this.stream ? Math.min(this.partBy, now + this.stall) : this.endsAt
  }

  private runOut() {
    const milliseconds = Math.round(this.endsAt - this.startedAt)
    const values = { milliseconds }
    if (!this.attempt) this.fail(this.last ?? { code: 'TIMEOUT', key: 'timeout-waiting', values })
    else if (!this.attempt.sent) this.fail(notConnected(milliseconds))
    else {
      const failure: Failure = { code: 'TIMEOUT', key: 'timeout', values }
      if (this.writeIsOut()) this.unsettled = this.engine.noAnswerWithin(milliseconds)
      this.fail(failure)
    }
  }

  /** Ends the call from here: by its signal or because the client is closed. */
  abort(): void {
    const maybeDone = this.unsettled !== undefined || this.writeIsOut()
    const key = maybeDone ? 'aborted-sent' : this.engine.closed ? 'closed' : 'aborted'
    this.unsettled = undefined
    this.fail({ code: 'ABORTED', key })
  }

  private writeIsOut() {
    return Boolean(this.attempt?.sent) && !this.readBack && this.request.plan.repeat !== 'read'
  }

  private endAttempt() {
    const { attempt } = this
    if (!attempt) return
    this.attempt = undefined
    attempt.cancel()
    attempt.connection.used(this.engine.deadlines.now())
    this.engine.connections.give(attempt.connection)
    this.engine.turns.leave()
  }

  private succeed(result: unknown) {
    if (this.over) return
    this.end()
    this.resolve(result)
  }

  private fail(failure: Failure) {
    if (this.over) return
    this.end()
    const ending = this.unsettled ? outcomeUnknown(this.unsettled, failure) : failure
    this.reject(this.engine.errorOf(this.request.plan.id, ending))
  }

  private end() {
    const { engine, options } = this
    this.over = true
    clearTimeout(this.timer)
    engine.deadlines.remove(this)
    engine.live.delete(this)
    engine.turns.withdraw(this)
    if (options?.signal) unwatchAbort(options.signal, this)
    this.endAttempt()
  }
}
