/** `createClient`: one typed method per operation of the contract, for one device. */
import { type Input, type OperationId, type Operations, type Result, operationIds } from '../contract'
import {
  type CallOptions,
  settingsOf,
  type ClientOptions,
  problemOfCall,
  placeOf,
  type ClientSettings,
} from './options'
import { Call } from './call'
import { planOf, type Plan, type CallInput } from './request'
import { Connections, LateAnswers } from './connection'
import { VisionError, type Failure } from './vision-error'
import { startTimeout } from '../kernel/timers'
import { TokenBucket } from '../kernel/rate'
import { RetrySchedule } from '../kernel/connection'

/** One method per operation of the contract, named and typed as there. */
export type Methods = { [Id in keyof Operations]: Method<Id> }

/** Every method rejects with a `VisionError`, or with the error that its own `onProgress` threw. */
export interface Client extends Methods {
  /** As it may be shown, without a login. */
  readonly address: string
  /** In errors: the option `name`, or the address. */
  readonly name: string
  /** Calls an operation known only at run time. Input and answer are checked as in the typed methods. */
  request: (id: OperationId, input?: object, options?: CallOptions) => Promise<unknown>
  /** Ends all calls with `ABORTED` and closes all connections. Resolves when nothing is left. */
  close: () => Promise<void>
}

type Method<Id extends OperationId> =
  unknown extends Input<Id>
    ? (options?: CallOptions) => Promise<Result<Id>>
    : object extends Input<Id>
      ? (input?: Input<Id>, options?: CallOptions) => Promise<Result<Id>>
      : Operations[Id] extends { textWhen: infer Text }
        ? <const I extends Input<Id>>(input: I, options?: CallOptions) => Promise<TextOr<Result<Id>, Text, I>>
        : Operations[Id] extends { offersFile: true }
          ? <const I extends Input<Id>>(input: I, options?: CallOptions) => Promise<FileOr<Result<Id>, I>>
          : (input: Input<Id>, options?: CallOptions) => Promise<Result<Id>>

/** The bytes if the input requests the file; a union if the input's type leaves that open. */
type FileOr<Answer, I> = I extends { format: infer Format }
  ? Format extends 'file'
    ? Buffer
    : Answer
  : 'format' extends keyof I
    ? Answer | Buffer
    : Answer

/** Text if the input requests it; a union if the input's type leaves that open. */
type TextOr<Answer, Text, I> = I extends Text
  ? string
  : Text extends Pick<I, keyof I & keyof Text>
    ? keyof I & keyof Text extends never
      ? Answer
      : Answer | string
    : Answer

/**
 * Creates the client of one device, with a method per operation: `client.getParameter({ pipeline: '0', node, param }, {
 * signal })`. Connects on the first call. Close it when it is no longer needed.
 * @throws VisionError `INVALID_INPUT` for an invalid address or option
 */
export function createClient(options: ClientOptions): Client {
  const engine = new Engine(settingsOf(options))

  const call = (plan: Plan, input: CallInput = {}, callOptions?: CallOptions) =>
    new Promise<unknown>((resolve, reject) => {
      new Call(engine, plan, input, callOptions, resolve, reject).start()
    })

  const methods: Partial<Record<OperationId, unknown>> = {}
  for (const id of operationIds) {
    const plan = planOf(id)
    methods[id] = plan.takesInput
      ? (input?: CallInput, callOptions?: CallOptions) => call(plan, input, callOptions)
      : (callOptions?: CallOptions) => call(plan, undefined, callOptions)
  }

  return {
    ...methods,
    address: engine.settings.address.shown,
    name: engine.settings.name,
    request: (id: OperationId, input?: object, callOptions?: CallOptions) =>
      Object.hasOwn(methods, id)
        ? call(planOf(id), input as CallInput, callOptions)
        : Promise.reject(engine.errorOf(id, { code: 'INVALID_INPUT', key: 'unknown-operation' })),
    close: () => engine.close(),
  } as Client
}

// What the calls to one device share: turns (concurrency and rate), deadlines, the budget for repetitions, and the wait
// for a device that accepts no requests.

export interface AbsenceWaiter {
  tryAgain: () => void
}

/** Nothing could be sent, or the device answers that it is starting. */
export type AbsenceReason = 'UNREACHABLE' | 'STARTING'

const longestPause = 1000 // milliseconds between two attempts

/** Milliseconds of absence after which calls fail at once: messages would pile up behind each call. */
const patience = 60_000

/** Calls that wait for the device. One of them tries after each pause; when the device answers, all continue. */
export class Absence {
  private reason: AbsenceReason | undefined
  private since = 0
  private lastMissed = 0
  private readonly pauses: RetrySchedule
  private notBefore = 0 // end of the pause that the device asked for, milliseconds
  private timer: NodeJS.Timeout | undefined
  private readonly waiting = new Set<AbsenceWaiter>()

  constructor(
    random: () => number,
    /** Monotonic milliseconds. */
    private readonly now: () => number,
    /** Called at the start of an absence, and when its reason changes. */
    private readonly onAway: () => void,
  ) {
    this.pauses = new RetrySchedule({ longest: longestPause, random })
  }

  /** @param rest milliseconds that the device asks to wait @returns false if it has been away for too long */
  wait(call: AbsenceWaiter, reason: AbsenceReason, rest: number): boolean {
    const now = this.now()
    const isNew = reason !== this.reason || now - this.lastMissed > patience
    this.lastMissed = now
    if (isNew) {
      this.reason = reason
      this.since = now
      this.pauses.reset()
      this.onAway()
    }
    if (now - this.since > patience) return false
    this.notBefore = Math.max(this.notBefore, now + rest)
    this.waiting.add(call)
    this.schedule()
    return true
  }

  withdraw(call: AbsenceWaiter): void {
    this.waiting.delete(call)
    if (this.waiting.size === 0) this.stopTimer()
  }

  over(): void {
    if (this.reason === undefined) return
    this.reason = undefined
    this.notBefore = 0
    this.stopTimer()
    const waiting = [...this.waiting]
    this.waiting.clear()
    for (const call of waiting) call.tryAgain()
  }

  private schedule() {
    if (this.timer) return
    const pause = this.pauses.next(this.notBefore - this.now())
    // One more millisecond, because timers may fire up to a millisecond early.
    this.timer = startTimeout(() => this.tryOne(), pause + 1)
  }

  private tryOne() {
    this.timer = undefined
    const [call] = this.waiting
    if (!call) return
    this.waiting.delete(call)
    // Scheduled before the attempt: if its connection hangs, the others continue.
    if (this.waiting.size > 0) this.schedule()
    call.tryAgain()
  }

  private stopTimer() {
    clearTimeout(this.timer)
    this.timer = undefined
  }
}

export interface Expiring {
  /** Called when the deadline has passed, never early. `now` is in milliseconds. */
  expire: (now: number) => void
  /** Used by `deadlines` only. */
  deadline?: NodeJS.Timeout | undefined
}

/** Node.js groups timers of equal duration, so one per call is cheap. They do not keep the process alive. */
export const deadlines = {
  /** Monotonic milliseconds. */
  now: (): number => performance.now(),

  /** Sets or moves a deadline. `at` is in milliseconds of `now()`. */
  set(entry: Expiring, at: number): void {
    clearTimeout(entry.deadline)
    // One more millisecond, because timers may fire up to a millisecond early.
    const left = Math.ceil(Math.max(0, at - deadlines.now())) + 1
    entry.deadline = startTimeout(() => entry.expire(deadlines.now()), left).unref()
  },

  remove(entry: Expiring): void {
    clearTimeout(entry.deadline)
    entry.deadline = undefined
  },
}

export interface Waiter {
  turn: () => void
}

interface Limits {
  concurrency: number
  /** Per second; 0 is unlimited. */
  pace: number
  queue: number
}

const timerTolerance = 10 // milliseconds

class Turns {
  private taken = 0
  private readonly repeating = new Set<Waiter>()
  private readonly waiting = new Set<Waiter>()
  private nextAt = -Infinity
  private timer: NodeJS.Timeout | undefined
  private readonly apart: number

  constructor(
    private readonly limits: Limits,
    /** Monotonic milliseconds. */
    private readonly now: () => number,
  ) {
    this.apart = limits.pace > 0 ? 1000 / limits.pace : 0
  }

  /** Grants a turn now or later; returns false if the queue is full. */
  enter(waiter: Waiter, repetition = false): boolean {
    const isQueueEmpty = this.waiting.size === 0 && this.repeating.size === 0
    if (isQueueEmpty && this.taken < this.limits.concurrency && this.apart === 0) {
      this.taken++
      waiter.turn()
      return true
    }
    if (!repetition && this.waiting.size >= this.limits.queue && !this.mayGoNow()) return false
    ;(repetition ? this.repeating : this.waiting).add(waiter)
    this.next()
    return true
  }

  /** Whether the device has as many requests as it may have. */
  get areAllTaken(): boolean {
    return this.taken >= this.limits.concurrency
  }

  leave(): void {
    this.taken--
    this.next()
  }

  withdraw(waiter: Waiter): void {
    this.repeating.delete(waiter)
    this.waiting.delete(waiter)
    if (this.waiting.size === 0 && this.repeating.size === 0) this.stopTimer()
  }

  close(): void {
    this.repeating.clear()
    this.waiting.clear()
    this.stopTimer()
  }

  private mayGoNow() {
    return this.waiting.size === 0 && this.taken < this.limits.concurrency && this.now() >= this.nextAt
  }

  private next() {
    while (this.taken < this.limits.concurrency) {
      const queue = this.repeating.size ? this.repeating : this.waiting
      const [waiter] = queue
      if (!waiter) return
      if (this.apart > 0 && !this.inPace()) return
      queue.delete(waiter)
      this.taken++
      waiter.turn()
    }
  }

  /** Whether the pace allows another turn; if not, checks again when it does. */
  private inPace(): boolean {
    const now = this.now()
    if (now < this.nextAt) {
      this.timer ??= startTimeout(() => {
        this.timer = undefined
        this.next()
      }, this.nextAt - now)
      return false
    }
    // A slightly late timer must not slow the pace down.
    this.nextAt = (now - this.nextAt < timerTolerance ? this.nextAt : now) + this.apart
    return true
  }

  private stopTimer() {
    clearTimeout(this.timer)
    this.timer = undefined
  }
}

/** Devices share nothing with each other except the timers. */
export class Engine {
  closed = false
  /** A read was answered with "starting", by the device or by a gateway that cannot reach it. */
  private starting = false
  readonly live = new Set<{ abort: () => void }>()
  readonly deadlines = deadlines
  readonly connections: Connections
  readonly late: LateAnswers
  readonly turns: Turns
  /** Ten repetitions at once, then two per second: a faulty device must not get several times the usual load. */
  readonly bucket: TokenBucket
  readonly absence: Absence

  constructor(readonly settings: ClientSettings) {
    const now = () => this.deadlines.now()
    this.connections = new Connections(settings)
    this.late = new LateAnswers((connection) => this.connections.give(connection))
    this.turns = new Turns(settings, now)
    this.bucket = new TokenBucket(10, 2, now)
    this.absence = new Absence(settings.random, now, settings.onAway)
  }

  /** A write sent now might meet a starting device, behind whose gateway its outcome would be unknown. */
  get mayBeStarting(): boolean {
    return this.starting || this.settings.mayBeStarting()
  }

  noteAnswer({ repeat }: Plan, status: number): void {
    const isStarting = status === 502 || status === 503
    // After a write, a gateway answers the same way if only the answer was lost.
    if (!isStarting || repeat === 'read') this.starting = isStarting
    if (!isStarting) this.absence.over()
  }

  /** Milliseconds: the deadline of a call, and how long an upload may stall. @throws VisionError `INVALID_INPUT` */
  limitsOf({ id, operation }: Plan, options: CallOptions = {}): { deadline: number; stall: number } {
    const problem = problemOfCall(options)
    if (problem) throw this.errorOf(id, { code: 'INVALID_INPUT', key: 'bad-option', values: { ...problem } })
    const { settings } = this
    const byDefault = operation.body?.encoding === 'multipart' ? settings.uploadDeadline : settings.deadline
    return { deadline: options.deadline ?? byDefault, stall: options.stall ?? settings.uploadStall }
  }

  errorOf(operation: OperationId, failure: Failure): VisionError {
    return new VisionError(failure, { operation, ...placeOf(this.settings) })
  }

  async close(): Promise<void> {
    this.closed = true
    this.turns.close()
    for (const call of [...this.live]) call.abort()
    this.late.giveUp()
    await this.connections.close()
  }
}
