import { startTimeout } from '../../timers/timers'
import { mostBytes, version, type Ack, type Answer, type AnswerState, type FleetEvent } from '../messages'
import type { Ending } from './ending'
import type { Judge, Reason } from './judge'
import type { AgentEntry, Job } from './memory'
import type { AgentOptions } from './options'
import { Repetition } from './repetition'

/** Bytes of a result: the rest of the message has its place too. */
const mostResult = mostBytes - 16 * 1024

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
    const { state, ...rest } = withoutLarge(ending, () =>
      this.judge.because('RESULT_TOO_LARGE', 'fleet-result-too-large', { kilobytes: mostResult / 1024 }),
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

  /** Tells something that must not get lost. */
  async tell(event: Pick<FleetEvent, 'event' | 'device' | 'text' | 'data'>): Promise<void> {
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

function withoutLarge(ending: Ending, because: () => Reason): Ending {
  const { result, ...rest } = ending
  if (result === undefined) return rest
  const text = JSON.stringify(result) as string | undefined
  return text !== undefined && Buffer.byteLength(text) > mostResult ? { ...rest, ...because() } : ending
}

const defined = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values
