import {
  type AnswerState,
  type Command,
  type CommandKind,
  type fleetSentences,
  readingKinds,
  type CellState,
  type Ack,
  type FleetEvent,
} from '../messages'
import type { KeyOf } from '../../kernel/sentences'
import type { AgentJournal, Outgoing, Job } from './journal'
import { type Rights, Judge } from './command-policy'
import { Teller } from './reliable-sender'

/** Why a command was not executed, or how it went on, as a stable code. Those of devices and robots are others. */
export const agentCodes = {
  NOT_ALLOWED: 'the cell does not allow this command',
  EXPIRED: 'the command came too late',
  RETAINED: 'the broker had kept the command for whoever comes',
  TOO_OLD: 'a command with this id came long ago, and its answer is no longer kept',
  INTERRUPTED: 'the cell stopped while it executed the command',
  RESTARTED: 'the cell stopped before it began with the command',
  NO_ANSWER: 'a flow did not hand back its result in time',
  RESULT_TOO_LARGE: 'executed; the result is too large for a message',
} as const

export type AgentCode = keyof typeof agentCodes

/** How a command ends. */
export interface Ending {
  state: Extract<AnswerState, 'done' | 'refused' | 'failed' | 'unknown'>
  /** Stable. */
  code?: string
  /** A sentence for people. */
  text?: string
  result?: unknown
}

/** What an execution can use. */
export interface CommandWork {
  /** Aborted when the agent stops; the journal decides later what becomes of the command. */
  signal: AbortSignal
  progress: (phase: string, percent?: number) => void
  /** Says how it can be ended before its time. Without, it cannot. */
  abortable: (abort: () => Promise<void>) => void
  /** Notes what an execution that goes on after a restart must know. Resolves when that is kept. */
  stage: (stage: Readonly<Record<string, string>>) => Promise<void>
  /** Of an execution that goes on after a restart. */
  resumed: Readonly<Record<string, string>> | undefined
}

export interface AgentOptions {
  plant: string
  cell: string
  /** A random id of this start. */
  boot: string
  journal: AgentJournal
  rights: Rights
  /** @returns how it ended; a rejection is one too, as `failed` */
  execute: (command: Command, work: CommandWork) => Promise<Ending>
  /** Kinds whose execution goes on after a restart. */
  resumable: ReadonlySet<CommandKind>
  /** Publishes; whether it arrives is not known. */
  send: (message: Outgoing) => void
  /** A sentence for people. */
  say: (key: KeyOf<typeof fleetSentences>, values?: Record<string, unknown>) => string
  /** What is told of a rejected execution, or of a disk that cannot be written. */
  failed: (error: unknown) => Ending
  /** Something of the state has changed. */
  changed?: () => void
  /** Milliseconds since 1970. @default Date.now */
  clock?: () => number
  /** Milliseconds of a monotonic clock. @default performance.now */
  now?: () => number
  /** Calls back after so many milliseconds. @returns takes that back @default with a timer */
  later?: (work: () => void, milliseconds: number) => () => void
}

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
class Executions {
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

/** How a command came. */
export interface Arrival {
  /** Response topic that may be used. */
  replyTo?: string
  /** The broker had kept it. */
  isRetained?: boolean
}

/**
 * What a cell does with commands: takes each id once, executes it at most once, and ends it with exactly one final answer,
 * which is repeated until it is acknowledged. Everything is in the journal before it is done, and before it is said.
 */
export class CellAgent {
  readonly #options: AgentOptions
  readonly #judge: Judge
  readonly #teller: Teller
  readonly #executions: Executions
  #isClosed = false

  constructor(options: AgentOptions) {
    this.#options = options
    this.#judge = new Judge(options)
    this.#teller = new Teller(options, this.#judge)
    this.#executions = new Executions(options, this.#judge, this.#teller)
  }

  /** Ends or continues what the last start has left, and begins to repeat. */
  start(): void {
    for (const job of [...this.#memory.jobs.values()]) {
      if (job.phase === 'ended') continue
      if (job.phase === 'begun' && this.#options.resumable.has(job.command.do))
        this.#executions.run(job, job.stage ?? {})
      else void this.#teller.end(job, this.#judge.leftBehind(job))
    }
    this.#teller.repeat()
  }

  get working(): CellState['working'] {
    return this.#executions.working
  }

  /** Takes a command; never throws. */
  take(command: Command, { replyTo, isRetained = false }: Arrival = {}): void {
    if (this.#isClosed) return
    const { id } = command
    const known = this.#memory.jobs.get(id)
    if (known) {
      this.#again(known, replyTo)
      return
    }
    const job: Job = { command, phase: 'accepted', ...(replyTo !== undefined && { replyTo }) }
    if (this.#memory.isOld(id)) {
      this.#teller.answer(job, 'unknown', this.#judge.because('TOO_OLD', 'fleet-too-old'))
      return
    }
    const refusal = isRetained
      ? this.#judge.because('RETAINED', 'fleet-retained')
      : this.#judge.refusal(command, this.#executions.commands)
    if (refusal) void this.#teller.end(job, { state: 'refused', ...refusal })
    else if (command.do === 'status') void this.#teller.end(job, this.#statusOf(command))
    else if (command.do === 'abort') void this.#abort(job)
    else this.#executions.run(job)
  }

  /** The end of repetitions. */
  acknowledge(ack: Ack): void {
    this.#teller.acknowledge(ack)
  }

  /** Tells something that must not get lost. @throws NotJson for data that cannot be kept and sent */
  tell(event: Pick<FleetEvent, 'event' | 'device' | 'text' | 'data'>): void {
    void this.#teller.tell(event)
  }

  /** The broker is back: what was not acknowledged is sent again. */
  reconnected(): void {
    this.#teller.reconnected()
  }

  /** Stops executing; resolves when nothing goes on any more. The next start ends what is left. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#teller.close()
    await this.#executions.close()
    await this.#options.journal.close()
  }

  get #memory() {
    return this.#options.journal.memory
  }

  /** A command that came before: it is answered again, to who asks now, and not executed. */
  #again(known: Job, replyTo: string | undefined): void {
    const job = replyTo === undefined ? known : { ...known, replyTo }
    if (job.answer) this.#teller.send(job, job.answer)
    else this.#executions.tell(job)
  }

  #statusOf({ args }: Command): Ending {
    const id = typeof args['job'] === 'string' ? args['job'] : ''
    const job = this.#memory.jobs.get(id)
    if (!job) return { state: 'done', result: { known: false, old: this.#memory.isOld(id) } }
    const { state, code, text, result } = job.answer ?? {}
    const stand = this.#executions.standOf(job)
    return {
      state: 'done',
      result: { known: true, id, ...stand, ...(state && { state }), code, text, result },
    }
  }

  async #abort(job: Job): Promise<void> {
    await this.#teller.note({ kind: 'job', job })
    await this.#teller.end(job, await this.#executions.abort(job.command.args['job']))
  }
}
