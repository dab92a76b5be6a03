import { retryPause } from '../../kernel/connection'
import type { AgentMemory, Outgoing, AgentEntry, Job } from './journal'
import { NotJson, plainJson } from '../../kernel/json'
import { Scope } from '../../kernel/scope'
import { startTimeout } from '../../kernel/timers'
import { version, type Ack, type Answer, type AnswerState, type FleetEvent, partLimits } from '../messages'
import type { Ending, AgentOptions } from './agent'
import type { CommandPolicy, Reason } from './command-policy'

/** Milliseconds between two repetitions of a message. */
const pauses = { first: 5000, longest: 300_000, random: () => 1 }

/** Messages sent together: a broker that is back must not be flooded. */
const together = 20

/** Milliseconds between these. */
const gap = 250

interface Turn {
  at: number
  /** How often it was sent. */
  sent: number
}

/** When unacknowledged messages are sent again. */
class Repetition {
  readonly #memory: AgentMemory
  readonly #turns = new Map<string, Turn>()

  constructor(memory: AgentMemory) {
    this.#memory = memory
  }

  /** The broker is back: everything is due now. @param now milliseconds of a monotonic clock */
  dueNow(now: number): void {
    for (const key of this.#memory.pending.keys()) this.#turns.set(key, { at: now, sent: 0 })
  }

  /** Takes what is due, the oldest first. */
  due(now: number): Outgoing[] {
    const found: Outgoing[] = []
    this.#tidy()
    for (const [key, message] of this.#memory.pending) {
      const { at, sent } = this.#turns.get(key) ?? { at: now, sent: 0 }
      if (at > now) continue
      if (found.length === together) break
      found.push(message)
      this.#turns.set(key, { at: now + retryPause(sent, pauses), sent: sent + 1 })
    }
    return found
  }

  /** Milliseconds until something is due; undefined if nothing is left. */
  next(now: number): number | undefined {
    let soonest: number | undefined
    for (const key of this.#memory.pending.keys()) {
      const { at } = this.#turns.get(key) ?? { at: now }
      soonest = Math.min(soonest ?? at, at)
    }
    return soonest === undefined ? undefined : Math.max(gap, soonest - now)
  }

  #tidy(): void {
    for (const key of this.#turns.keys()) if (!this.#memory.pending.has(key)) this.#turns.delete(key)
  }
}

const byTimer = (work: () => void, milliseconds: number) => {
  const timer = startTimeout(work, milliseconds)
  return () => clearTimeout(timer)
}

/** Sends answers and events: journaled first, then sent, and repeated until they are acknowledged. */
export class ReliableSender {
  readonly #repetition: Repetition
  /** Records that are being written. */
  readonly #scope: Scope
  #cancelRepeat: (() => void) | undefined
  #isClosed = false
  #seq = 0

  constructor(
    private readonly options: AgentOptions,
    private readonly policy: CommandPolicy,
  ) {
    this.#repetition = new Repetition(options.journal.memory)
    this.#scope = new Scope({ failed: options.failed })
  }

  /** Sends an answer that needs no acknowledgement. */
  answer(job: Job, state: AnswerState, more: Partial<Answer> = {}): void {
    this.send(job, this.#answerTo(job, state, more))
  }

  send({ replyTo }: Job, body: Answer): void {
    this.options.send({ kind: 'answer', body, ...(replyTo !== undefined && { replyTo }) })
  }

  /** The only place where a command ends: journaled first, then sent. */
  async end(job: Job, ending: Ending): Promise<void> {
    const { command } = job
    const { state, ...rest } = withPlainResult(ending, () =>
      this.policy.reason('RESULT_TOO_LARGE', 'fleet-result-too-large', {
        kilobytes: partLimits.bytes / 1024,
      }),
    )
    const answer = this.#answerTo(job, state, rest)
    await this.record({
      kind: 'job',
      job: { ...job, phase: 'ended', command: { ...command, args: {} }, answer },
    })
    if (this.#isClosed) return
    this.repeat()
    this.options.changed?.()
  }

  /** Sends an event until it is acknowledged. @throws NotJson for data that cannot be stored and sent */
  sendEvent({ data, ...event }: Pick<FleetEvent, 'event' | 'device' | 'text' | 'data'>): void {
    const plain = data === undefined ? {} : { data: plainJson(data, { name: 'data', ...partLimits }) }
    const { plant, cell, boot } = this.options
    const own = { v: version, seq: ++this.#seq, boot, plant, cell } as const
    const body = { ...own, ...event, ...plain, at: this.policy.time }
    this.#scope.begin(async () => {
      await this.record({ kind: 'event', body })
      this.repeat()
    })
  }

  /** Stops the repetition of what was acknowledged. */
  acknowledge({ boot, seqs }: Ack): void {
    const known = seqs.filter((seq) => this.options.journal.memory.pending.has(`${boot} ${seq}`))
    if (known.length > 0) this.#scope.begin(() => this.record({ kind: 'acked', boot, seqs: known }))
  }

  /** Sends what is due, and schedules the next time. */
  repeat(): void {
    this.#cancelRepeat?.()
    this.#cancelRepeat = undefined
    if (this.#isClosed) return
    for (const message of this.#repetition.due(this.policy.now)) this.options.send(message)
    const next = this.#repetition.next(this.policy.now)
    const { later = byTimer } = this.options
    if (next !== undefined) this.#cancelRepeat = later(() => this.repeat(), next)
  }

  /** Sends everything again that was not acknowledged: the broker is back. */
  reconnected(): void {
    this.#repetition.dueNow(this.policy.now)
    this.repeat()
  }

  /** A failed write is reported, and does not prevent the answer. */
  async record(entry: AgentEntry): Promise<void> {
    try {
      await this.options.journal.record(entry)
    } catch (error) {
      this.options.failed(error)
    }
  }

  /** Resolves when everything is recorded. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRepeat?.()
    await this.#scope.close()
  }

  #answerTo({ command: { id } }: Job, state: AnswerState, more: Partial<Answer>): Answer {
    const { plant, cell, boot } = this.options
    const own = { v: version, id, seq: ++this.#seq, boot, plant, cell, state } as const
    return { ...own, ...defined(more), at: this.policy.time }
  }
}

/** Leaves out a result that is not plain JSON; the answer then says why. */
function withPlainResult(ending: Ending, tooLarge: () => Reason): Ending {
  const { result, ...rest } = ending
  if (result === undefined) return rest
  try {
    return { ...rest, result: plainJson(result, { name: 'result', ...partLimits }) }
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    if (error.key === 'json-too-large') return { ...rest, ...tooLarge() }
    return { ...rest, code: error.code, text: error.message }
  }
}

const defined = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values
