import { retryPause } from '../../kernel/connection'
import type { AgentMemory, Outgoing, AgentEntry, Job } from './journal'
import { NotJson, plainJson } from '../../kernel/json'
import { startTimeout } from '../../kernel/timers'
import { version, type Ack, type Answer, type AnswerState, type FleetEvent, partLimits } from '../messages'
import type { Ending, AgentOptions } from './agent'
import type { Judge, Reason } from './command-policy'

/** Milliseconds from one time to the next; messages begin at their own times. */
const pauses = { first: 5000, longest: 300_000, random: () => 1 }

/** Messages that are sent together, so that a broker that is back is not flooded. */
const together = 20

/** Milliseconds between these. */
const gap = 250

interface Turn {
  at: number
  /** How often it was sent. */
  sent: number
}

/** When the messages that nobody has acknowledged are sent again. */
class Repetition {
  readonly #memory: AgentMemory
  readonly #turns = new Map<string, Turn>()

  constructor(memory: AgentMemory) {
    this.#memory = memory
  }

  /** The broker is back: everything is due now. @param now milliseconds of a monotonic clock */
  hurry(now: number): void {
    for (const key of this.#memory.pending.keys()) this.#turns.set(key, { at: now, sent: 0 })
  }

  /** What is due, the oldest first; each is taken for sent. */
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

/** What a cell says: kept in the journal first, then sent, and repeated until it is acknowledged. */
export class Teller {
  readonly #repetition: Repetition
  #cancelRepeat: (() => void) | undefined
  #isClosed = false
  #seq = 0

  constructor(
    private readonly options: AgentOptions,
    private readonly judge: Judge,
  ) {
    this.#repetition = new Repetition(options.journal.memory)
  }

  /** Says how a command stands; nobody has to acknowledge it. */
  answer(job: Job, state: AnswerState, more: Partial<Answer> = {}): void {
    this.send(job, this.#answerTo(job, state, more))
  }

  send({ replyTo }: Job, body: Answer): void {
    this.options.send({ kind: 'answer', body, ...(replyTo !== undefined && { replyTo }) })
  }

  /** The one place where a command ends: kept first, then said. */
  async end(job: Job, ending: Ending): Promise<void> {
    const { command } = job
    const { state, ...rest } = withPlainResult(ending, () =>
      this.judge.because('RESULT_TOO_LARGE', 'fleet-result-too-large', {
        kilobytes: partLimits.bytes / 1024,
      }),
    )
    const answer = this.#answerTo(job, state, rest)
    await this.note({
      kind: 'job',
      job: { ...job, phase: 'ended', command: { ...command, args: {} }, answer },
    })
    if (this.#isClosed) return
    this.repeat()
    this.options.changed?.()
  }

  /** Tells something that must not get lost. @throws NotJson at once, for data that cannot be kept and sent */
  tell({ data, ...event }: Pick<FleetEvent, 'event' | 'device' | 'text' | 'data'>): Promise<void> {
    const plain = data === undefined ? {} : { data: plainJson(data, { name: 'data', ...partLimits }) }
    return this.#tell({ ...event, ...plain })
  }

  async #tell(event: Pick<FleetEvent, 'event' | 'device' | 'text' | 'data'>): Promise<void> {
    const { plant, cell, boot } = this.options
    const body = { v: version, seq: ++this.#seq, boot, plant, cell, ...event, at: this.judge.time } as const
    await this.note({ kind: 'event', body })
    this.repeat()
  }

  /** The end of repetitions. */
  acknowledge({ boot, seqs }: Ack): void {
    const known = seqs.filter((seq) => this.options.journal.memory.pending.has(`${boot} ${seq}`))
    if (known.length > 0) void this.note({ kind: 'acked', boot, seqs: known })
  }

  /** Sends all that is due, and comes back when something is due again. */
  repeat(): void {
    this.#cancelRepeat?.()
    this.#cancelRepeat = undefined
    if (this.#isClosed) return
    for (const message of this.#repetition.due(this.judge.now)) this.options.send(message)
    const next = this.#repetition.next(this.judge.now)
    const { later = byTimer } = this.options
    if (next !== undefined) this.#cancelRepeat = later(() => this.repeat(), next)
  }

  /** The broker is back: what was not acknowledged is sent again. */
  reconnected(): void {
    this.#repetition.hurry(this.judge.now)
    this.repeat()
  }

  /** A disk that cannot be written does not keep an answer from being sent; it is told. */
  async note(entry: AgentEntry): Promise<void> {
    await this.options.journal.note(entry).catch((error: unknown) => void this.options.failed(error))
  }

  close(): void {
    this.#isClosed = true
    this.#cancelRepeat?.()
  }

  #answerTo({ command: { id } }: Job, state: AnswerState, more: Partial<Answer>): Answer {
    const { plant, cell, boot } = this.options
    const own = { v: version, id, seq: ++this.#seq, boot, plant, cell, state } as const
    return { ...own, ...defined(more), at: this.judge.time }
  }
}

/** What is kept and sent is plain JSON: a result that is not is left out, and the answer says why. */
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
