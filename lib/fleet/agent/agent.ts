import { startTimeout } from '../../timers/timers'
import {
  finalStates,
  mostBytes,
  readingKinds,
  version,
  type Ack,
  type Answer,
  type AnswerState,
  type CellState,
  type Command,
  type FleetEvent,
} from '../messages'
import type { Ending } from './ending'
import type { AgentJournal } from './journal'
import { Judge, type Reason } from './judge'
import type { Job } from './memory'
import type { AgentOptions } from './options'
import { Repetition } from './repetition'

export type { AgentOptions, CommandWork } from './options'

/** Milliseconds between two messages about the progress of one command. */
const progressGap = 1000
/** Bytes of a result: the rest of the message has its place too. */
const mostResult = mostBytes - 16 * 1024

const byTimer = (work: () => void, milliseconds: number) => {
  const timer = startTimeout(work, milliseconds)
  return () => clearTimeout(timer)
}

/** How a command came. */
export interface Arrival {
  /** Response topic that may be used. */
  replyTo?: string
  /** The broker had kept it. */
  isRetained?: boolean
}

interface OpenJob {
  job: Job
  closing: AbortController
  abort?: () => Promise<void>
  phase?: string
  percent?: number
  toldAt: number
}

/**
 * What a cell does with commands: takes each id once, executes it at most once, and ends it with exactly one final answer,
 * which is repeated until it is acknowledged. Everything is in the journal before it is done, and before it is said.
 */
export class CellAgent {
  readonly #options: AgentOptions
  readonly #open = new Map<string, OpenJob>()
  readonly #repetition: Repetition
  readonly #judge: Judge
  readonly #closing = new AbortController()
  readonly #endings = new Set<Promise<void>>()
  /** The last changing command of each device. */
  readonly #turns = new Map<string, Promise<void>>()
  #cancelRepeat: (() => void) | undefined
  #seq = 0

  constructor(options: AgentOptions) {
    this.#options = options
    this.#repetition = new Repetition(options.journal.memory)
    this.#judge = new Judge(options)
  }

  /** Ends or continues what the last start has left, and begins to repeat. */
  start(): void {
    for (const job of [...this.#memory.jobs.values()]) {
      if (job.phase === 'ended') continue
      const { do: kind } = job.command
      if (job.phase === 'begun' && this.#options.resumable.has(kind)) this.#run(job, job.stage ?? {})
      else void this.#end(job, this.#judge.leftBehind(job))
    }
    this.#repeat()
  }

  get working(): CellState['working'] {
    return [...this.#open.values()].map(({ job: { command }, phase, percent }) => ({
      id: command.id,
      do: command.do,
      ...(command.device !== undefined && { device: command.device }),
      ...(phase !== undefined && { phase }),
      ...(percent !== undefined && { percent }),
    }))
  }

  /** Takes a command; never throws. */
  take(command: Command, { replyTo, isRetained = false }: Arrival = {}): void {
    if (this.#closing.signal.aborted) return
    const { id } = command
    const known = this.#memory.jobs.get(id)
    if (known) {
      this.#again(known, replyTo)
      return
    }
    const job: Job = { command, phase: 'accepted', ...(replyTo !== undefined && { replyTo }) }
    if (this.#memory.isOld(id)) {
      this.#send(job, this.#answer(job, 'unknown', this.#judge.because('TOO_OLD', 'fleet-too-old')))
      return
    }
    const refusal = isRetained
      ? this.#judge.because('RETAINED', 'fleet-retained')
      : this.#judge.refusal(command, this.#commands)
    if (refusal) void this.#end(job, { state: 'refused', ...refusal })
    else if (command.do === 'status') void this.#end(job, this.#statusOf(command))
    else if (command.do === 'abort') void this.#abort(job)
    else this.#run(job)
  }

  /** The end of repetitions. */
  acknowledge({ boot, seqs }: Ack): void {
    const known = seqs.filter((seq) => this.#memory.pending.has(`${boot} ${seq}`))
    if (known.length > 0) void this.#note({ kind: 'acked', boot, seqs: known })
  }

  /** Tells something that must not get lost. */
  tell(event: Pick<FleetEvent, 'event' | 'device' | 'text' | 'data'>): void {
    const { plant, cell, boot } = this.#options
    const body = { v: version, seq: ++this.#seq, boot, plant, cell, ...event, at: this.#judge.time } as const
    void this.#note({ kind: 'event', body }).then(() => {
      this.#repeat()
    })
  }

  /** The broker is back: what was not acknowledged is sent again. */
  reconnected(): void {
    this.#repetition.hurry(this.#now())
    this.#repeat()
  }

  /** Stops executing; resolves when nothing goes on any more. The next start ends what is left. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#cancelRepeat?.()
    for (const { closing } of this.#open.values()) closing.abort()
    await Promise.all(this.#endings)
    await this.#options.journal.close()
  }

  get #commands(): Command[] {
    return [...this.#open.values()].map(({ job }) => job.command)
  }

  get #memory() {
    return this.#options.journal.memory
  }

  /** A command that came before: it is answered again, to who asks now, and not executed. */
  #again(known: Job, replyTo: string | undefined): void {
    const job = replyTo === undefined ? known : { ...known, replyTo }
    if (job.answer) this.#send(job, job.answer)
    else this.#tellProgress(job)
  }

  /** @param resumed of a command that goes on */
  #run(job: Job, resumed?: Readonly<Record<string, string>>): void {
    const { command } = job
    const open: OpenJob = { job, closing: new AbortController(), toldAt: this.#now() }
    this.#open.set(command.id, open)
    const before = this.#turnOf(command)
    const work = this.#executed(open, before, resumed)
    if (before !== undefined) this.#turns.set(command.device ?? '', work)
    const ended = work.finally(() => {
      this.#open.delete(command.id)
      this.#endings.delete(ended)
      if (this.#turns.get(command.device ?? '') === work) this.#turns.delete(command.device ?? '')
      this.#options.changed?.()
    })
    this.#endings.add(ended)
    this.#options.changed?.()
  }

  /** Commands that change a device take turns; undefined for those that do not wait. */
  #turnOf({ do: kind, device }: Command): Promise<void> | undefined {
    return readingKinds.has(kind) || kind === 'run-flow'
      ? undefined
      : (this.#turns.get(device ?? '') ?? Promise.resolve())
  }

  async #executed(
    open: OpenJob,
    before: Promise<void> | undefined,
    resumed?: Readonly<Record<string, string>>,
  ) {
    const { signal } = open.closing
    try {
      if (resumed === undefined) {
        await this.#options.journal.note({ kind: 'job', job: open.job })
        this.#tellProgress(open.job)
        await before
        const refusal = signal.aborted
          ? this.#judge.because('REFUSED', 'fleet-aborted')
          : this.#judge.late(open.job.command)
        if (this.#closing.signal.aborted) return
        if (refusal) {
          await this.#end(open.job, { state: 'refused', ...refusal })
          return
        }
        open.job = { ...open.job, phase: 'begun' }
        await this.#options.journal.note({ kind: 'job', job: open.job })
      }
    } catch (error) {
      await this.#end(open.job, { ...this.#options.failed(error), state: 'refused' })
      return
    }
    const ending = await this.#outcome(open, resumed)
    // What the stop has cut off is judged after the next start, as after a kill.
    if (!this.#closing.signal.aborted) await this.#end(open.job, ending)
  }

  async #outcome(open: OpenJob, resumed: Readonly<Record<string, string>> | undefined): Promise<Ending> {
    const { execute, failed, journal } = this.#options
    try {
      return await execute(open.job.command, {
        signal: open.closing.signal,
        resumed,
        abortable: (abort) => {
          open.abort = abort
        },
        stage: async (stage) => {
          open.job = { ...open.job, stage: { ...open.job.stage, ...stage } }
          await journal.note({ kind: 'job', job: open.job })
        },
        progress: (phase, percent) => {
          const isNew = phase !== open.phase
          open.phase = phase
          if (percent !== undefined) open.percent = Math.min(100, Math.max(0, percent))
          if (isNew) this.#options.changed?.()
          if (this.#now() - open.toldAt < progressGap && !isNew) return
          open.toldAt = this.#now()
          this.#tellProgress(open.job)
        },
      })
    } catch (error) {
      return failed(error)
    }
  }

  #statusOf({ args }: Command): Ending {
    const id = typeof args['job'] === 'string' ? args['job'] : ''
    const job = this.#memory.jobs.get(id)
    if (!job) return { state: 'done', result: { known: false, old: this.#memory.isOld(id) } }
    const { state, code, text, result } = job.answer ?? { state: this.#stateOf(job) }
    const { phase, percent } = this.#open.get(id) ?? {}
    return { state: 'done', result: { known: true, id, state, code, text, result, phase, percent } }
  }

  async #abort(job: Job): Promise<void> {
    const id = job.command.args['job']
    const open = typeof id === 'string' ? this.#open.get(id) : undefined
    await this.#note({ kind: 'job', job })
    await this.#end(job, await this.#aborted(open))
  }

  async #aborted(open: OpenJob | undefined): Promise<Ending> {
    if (!open) return { state: 'refused', ...this.#judge.because('NOT_FOUND', 'fleet-no-job') }
    try {
      if (open.job.phase === 'accepted') open.closing.abort()
      else if (open.abort) await open.abort()
      else return { state: 'refused', ...this.#judge.because('REFUSED', 'fleet-no-abort') }
      return { state: 'done' }
    } catch (error) {
      return { ...this.#options.failed(error), state: 'refused' }
    }
  }

  /** The one place where a command ends: kept first, then said. */
  async #end(job: Job, ending: Ending): Promise<void> {
    const { command } = job
    const { state, ...rest } = withoutLarge(ending, () =>
      this.#judge.because('RESULT_TOO_LARGE', 'fleet-result-too-large', { kilobytes: mostResult / 1024 }),
    )
    const answer = this.#answer(job, state, rest)
    const ended: Job = { ...job, phase: 'ended', command: { ...command, args: {} }, answer }
    await this.#note({ kind: 'job', job: ended })
    if (this.#closing.signal.aborted) return
    this.#repeat()
    this.#options.changed?.()
  }

  #answer({ command }: Job, state: AnswerState, more: Partial<Answer> = {}): Answer {
    const { plant, cell, boot } = this.#options
    const { id } = command
    return {
      v: version,
      id,
      seq: ++this.#seq,
      boot,
      plant,
      cell,
      state,
      ...defined(more),
      at: this.#judge.time,
    }
  }

  #stateOf({ phase }: Job): AnswerState {
    return phase === 'begun' ? 'working' : 'accepted'
  }

  #tellProgress(job: Job): void {
    const { phase, percent } = this.#open.get(job.command.id) ?? {}
    this.#send(job, this.#answer(job, this.#stateOf(job), defined({ phase, percent })))
  }

  #send({ replyTo }: Job, body: Answer): void {
    this.#options.send({ kind: 'answer', body, ...(replyTo !== undefined && { replyTo }) })
  }

  /** A disk that cannot be written does not keep an answer from being sent; it is told. */
  async #note(entry: Parameters<AgentJournal['note']>[0]): Promise<void> {
    await this.#options.journal.note(entry).catch((error: unknown) => void this.#options.failed(error))
  }

  #repeat(): void {
    this.#cancelRepeat?.()
    this.#cancelRepeat = undefined
    if (this.#closing.signal.aborted) return
    for (const message of this.#repetition.due(this.#now())) this.#options.send(message)
    const next = this.#repetition.next(this.#now())
    const { later = byTimer } = this.#options
    if (next !== undefined) this.#cancelRepeat = later(() => this.#repeat(), next)
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))()
  }
}

/** Whether nothing more comes after an answer. */
export const isFinal = ({ state }: Answer): boolean => finalStates.has(state)

function withoutLarge(ending: Ending, because: () => Reason): Ending {
  const { result, ...rest } = ending
  if (result === undefined) return rest
  const text = JSON.stringify(result) as string | undefined
  return text !== undefined && Buffer.byteLength(text) > mostResult ? { ...rest, ...because() } : ending
}

const defined = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values
