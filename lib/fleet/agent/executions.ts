import { readingKinds, type AnswerState, type CellState, type Command } from '../messages'
import type { Ending } from './ending'
import type { Judge } from './judge'
import type { Job } from './memory'
import type { AgentOptions } from './options'
import type { Teller } from './teller'

/** Milliseconds between two messages about the progress of one command. */
const progressGap = 1000

interface OpenJob {
  job: Job
  closing: AbortController
  abort?: () => Promise<void>
  phase?: string
  percent?: number
  toldAt: number
}

/** The commands under way. Those that change one device take turns. */
export class Executions {
  readonly #open = new Map<string, OpenJob>()
  readonly #closing = new AbortController()
  readonly #endings = new Set<Promise<void>>()
  /** The last changing command of each device. */
  readonly #turns = new Map<string, Promise<void>>()

  constructor(
    private readonly options: AgentOptions,
    private readonly judge: Judge,
    private readonly teller: Teller,
  ) {}

  get commands(): Command[] {
    return [...this.#open.values()].map(({ job }) => job.command)
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

  /** How far a command is that may have ended or not yet begun. */
  standOf({ command, phase: stage }: Job): { state: AnswerState; phase?: string; percent?: number } {
    const { phase, percent } = this.#open.get(command.id) ?? {}
    return {
      state: stage === 'begun' ? 'working' : 'accepted',
      ...(phase !== undefined && { phase }),
      ...(percent !== undefined && { percent }),
    }
  }

  /** @param resumed of a command that goes on */
  run(job: Job, resumed?: Readonly<Record<string, string>>): void {
    const { command } = job
    const open: OpenJob = { job, closing: new AbortController(), toldAt: this.judge.now }
    this.#open.set(command.id, open)
    const before = this.#turnOf(command)
    const work = this.#executed(open, before, resumed).catch((error: unknown) => {
      this.options.failed(error)
    })
    if (before !== undefined) this.#turns.set(command.device ?? '', work)
    const ended = work.finally(() => {
      this.#open.delete(command.id)
      this.#endings.delete(ended)
      if (this.#turns.get(command.device ?? '') === work) this.#turns.delete(command.device ?? '')
      this.options.changed?.()
    })
    this.#endings.add(ended)
    this.options.changed?.()
  }

  /** Ends a command before its time, if that is possible. @param id of the command */
  async abort(id: unknown): Promise<Ending> {
    const open = typeof id === 'string' ? this.#open.get(id) : undefined
    if (!open) return { state: 'refused', ...this.judge.because('NOT_FOUND', 'fleet-no-job') }
    try {
      if (open.job.phase === 'accepted') open.closing.abort()
      else if (open.abort) await open.abort()
      else return { state: 'refused', ...this.judge.because('REFUSED', 'fleet-no-abort') }
      return { state: 'done' }
    } catch (error) {
      return { ...this.options.failed(error), state: 'refused' }
    }
  }

  /** Says how far a command is. */
  tell(job: Job): void {
    const { state, ...more } = this.standOf(job)
    this.teller.answer(job, state, more)
  }

  /** Resolves when nothing goes on any more. */
  async close(): Promise<void> {
    this.#closing.abort()
    for (const { closing } of this.#open.values()) closing.abort()
    await Promise.all(this.#endings)
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
    const { journal, failed } = this.options
    const { signal } = open.closing
    try {
      if (resumed === undefined) {
        await journal.note({ kind: 'job', job: open.job })
        this.tell(open.job)
        await before
        const refusal = signal.aborted
          ? this.judge.because('REFUSED', 'fleet-aborted')
          : this.judge.late(open.job.command)
        if (this.#closing.signal.aborted) return
        if (refusal) {
          await this.teller.end(open.job, { state: 'refused', ...refusal })
          return
        }
        open.job = { ...open.job, phase: 'begun' }
        await journal.note({ kind: 'job', job: open.job })
      }
    } catch (error) {
      await this.teller.end(open.job, { ...failed(error), state: 'refused' })
      return
    }
    const ending = await this.#outcome(open, resumed)
    // What the stop has cut off is judged after the next start, as after a kill.
    if (!this.#closing.signal.aborted) await this.teller.end(open.job, ending)
  }

  async #outcome(open: OpenJob, resumed: Readonly<Record<string, string>> | undefined): Promise<Ending> {
    const { execute, failed, journal } = this.options
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
        progress: (phase, percent) => this.#progress(open, phase, percent),
      })
    } catch (error) {
      return failed(error)
    }
  }

  #progress(open: OpenJob, phase: string, percent?: number): void {
    const isNew = phase !== open.phase
    open.phase = phase
    if (percent !== undefined) open.percent = Math.min(100, Math.max(0, percent))
    if (isNew) this.options.changed?.()
    if (this.judge.now - open.toldAt < progressGap && !isNew) return
    open.toldAt = this.judge.now
    this.tell(open.job)
  }
}
