import { unwatchAbort, watchAbort, type Abortable } from './aborts'
import { Attempt, type Answer } from './attempt'
import type { Expiring } from './deadlines'
import {
  noAnswerWithin,
  notConnected,
  noTurnWithin,
  outcomeUnknown,
  stoodStill,
  tooLate,
  unreadableFile,
} from './ending'
import type { Engine } from './engine'
import { FileUnderWay } from './file-under-way'
import { networkFailure, type NetworkFailure } from './network-failure'
import type { CallOptions } from './options'
import type { Plan } from './plan'
import { readAnswer } from './read-answer'
import { nextAfter, waitBefore } from './repeat'
import { requestOf, type Input, type PreparedRequest } from './request-of'
import type { Waiter } from './turns'
import type { Failure, VisionError } from './vision-error'
import { WriteEffect } from './write-effect'
import { startTimeout } from '../timers/timers'

/**
 * One call from beginning to end: it waits for its turn, is sent, is repeated where that is safe, and ends exactly
 * once: with a result, a failure, its deadline, an abort or the closing of the client.
 */
export class Call implements Abortable, Expiring, Waiter {
  slot?: Set<Expiring>
  private readonly request: PreparedRequest
  private readonly write: WriteEffect | undefined
  private attempt: Attempt | undefined
  private repetitions = 0
  private timer: NodeJS.Timeout | undefined
  private last: Failure | undefined
  private over = false
  private readonly startedAt: number
  private readonly endsAt: number
  private readonly file: FileUnderWay | undefined

  /** @throws VisionError `INVALID_INPUT` */
  constructor(
    private readonly engine: Engine,
    plan: Plan,
    input: Input,
    private readonly options: CallOptions | undefined,
    private readonly resolve: (result: unknown) => void,
    private readonly reject: (error: VisionError) => void,
  ) {
    const { settings, deadlines } = engine
    this.request = requestOf(plan, input, settings)
    if (plan.repeat !== 'read') this.write = new WriteEffect(this.request, input, settings)
    this.startedAt = deadlines.now()
    this.endsAt = this.startedAt + engine.deadlineOf(this.request, options)
    const stall = engine.stallOf(this.request, options)
    const { upload } = this.request
    if (upload) this.file = new FileUnderWay(upload, stall, () => deadlines.now(), options?.onProgress)
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
    if (this.file) this.measure(this.file)
    else this.queueUp()
  }

  private measure(file: FileUnderWay) {
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

  /** Its turn has come. */
  turn(): void {
    const { connections, deadlines, settings } = this.engine
    const request = this.write?.lookUp ?? this.request
    const now = deadlines.now()
    const connectBy = now + settings.connectDeadline
    const stream = this.file?.begin()
    if (this.last ?? this.file)
      deadlines.set(this, Math.min(this.endsAt, connectBy, this.file?.partBy ?? Infinity))
    this.attempt = new Attempt(this, connections.take(), connectBy, this.file)
    this.attempt.start(request, stream, now)
  }

  answered(answer: Answer): void {
    this.endAttempt()
    const { settings } = this.engine
    const read = readAnswer(answer, this.write?.lookUp ?? this.request, settings)
    if ('failure' in read) {
      this.after(read.failure)
      return
    }
    const missed = this.write?.missedIn(read.result)
    if (missed) this.repeat(missed)
    else this.succeed(read.result)
  }

  failed(error: Error, sent: boolean): void {
    this.endAttempt()
    const { maxAnswerBytes } = this.engine.settings
    this.after(networkFailure(error, sent, { limit: maxAnswerBytes, file: this.file?.path }))
  }

  private after(failure: NetworkFailure) {
    const { write } = this
    const { plan } = write?.lookUp ?? this.request
    this.last = failure
    if (failure.lost && write && !write.lookUp) write.unsettled = failure
    switch (nextAfter(failure, plan.repeat)) {
      case 'repeat': {
        this.repeat(failure)
        return
      }
      case 'read-back': {
        write?.beginLookUp()
        this.queueUp(true)
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
      this.timer = startTimeout(() => this.queueUp(true), wait + 1)
    }
  }

  /** The call's time is over, or that for setting up a connection or for a part of the file. */
  expire(now: number): void {
    const { deadlines, settings } = this.engine
    const { attempt, file } = this
    if (now >= this.endsAt) this.runOut()
    else if (attempt && !attempt.sent && now >= attempt.connectBy) {
      this.endAttempt()
      this.after(notConnected(settings.connectDeadline))
    } else if (attempt?.sent && file && now >= file.partBy) {
      this.failUnsettled(stoodStill(file.stall, settings.language))
    } else {
      const look = attempt?.nextLook(now) ?? now + settings.connectDeadline
      deadlines.set(this, Math.min(this.endsAt, look))
    }
  }

  private runOut() {
    const milliseconds = Math.round(this.endsAt - this.startedAt)
    if (!this.attempt) this.fail(this.last ?? noTurnWithin(milliseconds))
    else if (!this.attempt.sent) this.fail(notConnected(milliseconds))
    else if (this.writeIsOut())
      this.failUnsettled(noAnswerWithin(milliseconds, this.engine.settings.language))
    else this.fail({ code: 'TIMEOUT', key: 'timeout', values: { milliseconds } })
  }

  /** Ends the call from here: by its signal or because the client is closed. */
  abort(): void {
    const maybeDone = this.write?.unsettled !== undefined || this.writeIsOut()
    const key = maybeDone ? 'aborted-sent' : this.engine.closed ? 'closed' : 'aborted'
    this.endWith({ code: 'ABORTED', key })
  }

  private writeIsOut() {
    return this.write !== undefined && !this.write.lookUp && Boolean(this.attempt?.sent)
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
    const unsettled = this.write?.unsettled
    this.endWith(unsettled ? outcomeUnknown(unsettled, failure) : failure)
  }

  /** A write is out of which nobody will know whether it took effect. */
  private failUnsettled(failure: Failure) {
    this.endWith(outcomeUnknown(failure))
  }

  private endWith(failure: Failure) {
    if (this.over) return
    this.end()
    this.reject(this.engine.errorOf(this.request.plan.id, failure))
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
