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
import { Scope, settled } from '../../kernel/scope'
import type { KeyOf } from '../../kernel/sentences'
import type { AgentJournal, Outgoing, Job } from './journal'
import { type Rights, CommandPolicy } from './command-policy'
import { ReliableSender } from './reliable-sender'

/** Stable codes of the agent itself; devices and robots have others. */
export const agentCodes = {
  NOT_ALLOWED: 'the cell does not allow this command',
  EXPIRED: 'the command came too late',
  RETAINED: 'the command was a retained message',
  TOO_OLD: 'a command with this id was executed long ago; its answer is no longer stored',
  INTERRUPTED: 'the cell stopped while it executed the command',
  RESTARTED: 'the cell stopped before it began with the command',
  NO_ANSWER: 'a flow did not return its result in time',
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
  /** Aborted when the agent stops; the next start decides about the command from the journal. */
  signal: AbortSignal
  progress: (phase: string, percent?: number) => void
  /** Registers how to abort the execution. Without it, the command cannot be aborted. */
  abortable: (abort: () => Promise<void>) => void
  /** Stores what an execution needs to resume after a restart. Resolves when that is durable. */
  stage: (stage: Readonly<Record<string, string>>) => Promise<void>
  /** The stored stage of an execution that resumes after a restart. */
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
  /** Kinds whose execution resumes after a restart. */
  resumable: ReadonlySet<CommandKind>
  /** Publishes, without confirmation. */
  send: (message: Outgoing) => void
  /** A sentence for people. */
  say: (key: KeyOf<typeof fleetSentences>, values?: Record<string, unknown>) => string
  /** Makes the ending for a rejected execution or a failed write. */
  failed: (error: unknown) => Ending
  /** The state of the cell has changed. */
  changed?: () => void
  /** Milliseconds since 1970. @default Date.now */
  clock?: () => number
  /** Milliseconds of a monotonic clock. @default performance.now */
  now?: () => number
  /** Calls back after this many milliseconds. @returns cancels it @default with a timer */
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
  reportedAt: number
}

/** The running commands. Those that change the same device run one after the other. */
class Executions {
  readonly #open = new Map<string, OpenJob>()
  readonly #scope: Scope
  /** The last changing command of each device. */
  readonly #turns = new Map<string, Promise<void>>()

  constructor(
    private readonly options: AgentOptions,
    private readonly policy: CommandPolicy,
    private readonly sender: ReliableSender,
  ) {
    this.#scope = new Scope({ failed: options.failed })
  }

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

  /** Progress of a command that may have ended or not yet started. */
  progressOf({ command, phase: stage }: Job): { state: AnswerState; phase?: string; percent?: number } {
    const { phase, percent } = this.#open.get(command.id) ?? {}
    return {
      state: stage === 'begun' ? 'working' : 'accepted',
      ...(phase !== undefined && { phase }),
      ...(percent !== undefined && { percent }),
    }
  }

  /** @param resumed stage of a command that resumes */
  run(job: Job, resumed?: Readonly<Record<string, string>>): void {
    const { command } = job
    const open: OpenJob = { job, closing: new AbortController(), reportedAt: this.policy.now }
    this.#open.set(command.id, open)
    const before = this.#turnOf(command)
    const work = this.#execute(open, before, resumed)
    const turn = settled(work)
    if (before !== undefined) this.#turns.set(command.device ?? '', turn)
    this.#scope.begin(async () => {
      try {
        await work
      } finally {
        this.#open.delete(command.id)
        if (this.#turns.get(command.device ?? '') === turn) this.#turns.delete(command.device ?? '')
        this.options.changed?.()
      }
    })
    this.options.changed?.()
  }

  /** Aborts a command, if it can be aborted. @param id of the command */
  async abort(id: unknown): Promise<Ending> {
    const open = typeof id === 'string' ? this.#open.get(id) : undefined
    if (!open) return { state: 'refused', ...this.policy.reason('NOT_FOUND', 'fleet-no-job') }
    try {
      if (open.job.phase === 'accepted') open.closing.abort()
      else if (open.abort) await open.abort()
      else return { state: 'refused', ...this.policy.reason('REFUSED', 'fleet-no-abort') }
      return { state: 'done' }
    } catch (error) {
      return { ...this.options.failed(error), state: 'refused' }
    }
  }

  /** Sends the progress of a command. */
  sendProgress(job: Job): void {
    const { state, ...more } = this.progressOf(job)
    this.sender.answer(job, state, more)
  }

  /** Aborts the commands; resolves when none is running. */
  async close(): Promise<void> {
    this.#scope.abort()
    for (const { closing } of this.#open.values()) closing.abort()
    await this.#scope.close()
  }

  /** The command to wait for; undefined for kinds that do not wait. */
  #turnOf({ do: kind, device }: Command): Promise<void> | undefined {
    return readingKinds.has(kind) || kind === 'run-flow'
      ? undefined
      : (this.#turns.get(device ?? '') ?? Promise.resolve())
  }

  async #execute(
    open: OpenJob,
    before: Promise<void> | undefined,
    resumed?: Readonly<Record<string, string>>,
  ) {
    const { journal, failed } = this.options
    const { signal } = open.closing
    try {
      if (resumed === undefined) {
        await journal.record({ kind: 'job', job: open.job })
        this.sendProgress(open.job)
        await before
        const refusal = signal.aborted
          ? this.policy.reason('REFUSED', 'fleet-aborted')
          : this.policy.late(open.job.command)
        if (this.#scope.isAborted) return
        if (refusal) {
          await this.sender.end(open.job, { state: 'refused', ...refusal })
          return
        }
        open.job = { ...open.job, phase: 'begun' }
        await journal.record({ kind: 'job', job: open.job })
      }
    } catch (error) {
      await this.sender.end(open.job, { ...failed(error), state: 'refused' })
      return
    }
    const ending = await this.#outcome(open, resumed)
    // The next start decides about what a stop has interrupted, as after a kill.
    if (!this.#scope.isAborted) await this.sender.end(open.job, ending)
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
          await journal.record({ kind: 'job', job: open.job })
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
    if (this.policy.now - open.reportedAt < progressGap && !isNew) return
    open.reportedAt = this.policy.now
    this.sendProgress(open.job)
  }
}

/** How a command arrived. */
export interface Arrival {
  /** Response topic that may be used. */
  replyTo?: string
  /** The broker had kept it. */
  isRetained?: boolean
}

/**
 * Runs the commands of a centre in a cell: each id is executed at most once and ends with exactly one final answer, which is
 * repeated until it is acknowledged. Every step is journaled before it starts and before it is reported.
 */
export class CellAgent {
  readonly #options: AgentOptions
  readonly #policy: CommandPolicy
  readonly #sender: ReliableSender
  readonly #executions: Executions
  /** Endings that are being recorded, and aborts. */
  readonly #scope: Scope
  #isClosed = false

  constructor(options: AgentOptions) {
    this.#options = options
    this.#policy = new CommandPolicy(options)
    this.#sender = new ReliableSender(options, this.#policy)
    this.#executions = new Executions(options, this.#policy, this.#sender)
    this.#scope = new Scope({ failed: options.failed })
  }

  /** Ends or continues what the last start has left, and begins to repeat. */
  start(): void {
    for (const job of [...this.#memory.jobs.values()]) {
      if (job.phase === 'ended') continue
      if (job.phase === 'begun' && this.#options.resumable.has(job.command.do))
        this.#executions.run(job, job.stage ?? {})
      else this.#end(job, this.#policy.endingAfterRestart(job))
    }
    this.#sender.repeat()
  }

  get working(): CellState['working'] {
    return this.#executions.working
  }

  /** Receives a command; never throws. */
  receive(command: Command, { replyTo, isRetained = false }: Arrival = {}): void {
    if (this.#isClosed) return
    const { id } = command
    const known = this.#memory.jobs.get(id)
    if (known) {
      this.#repeatAnswer(known, replyTo)
      return
    }
    const job: Job = { command, phase: 'accepted', ...(replyTo !== undefined && { replyTo }) }
    if (this.#memory.isOld(id)) {
      this.#sender.answer(job, 'unknown', this.#policy.reason('TOO_OLD', 'fleet-too-old'))
      return
    }
    const refusal = isRetained
      ? this.#policy.reason('RETAINED', 'fleet-retained')
      : this.#policy.refusal(command, this.#executions.commands)
    if (refusal) this.#end(job, { state: 'refused', ...refusal })
    else if (command.do === 'status') this.#end(job, this.#statusOf(command))
    else if (command.do === 'abort') this.#scope.begin(() => this.#abort(job))
    else this.#executions.run(job)
  }

  /** Stops the repetition of what was acknowledged. */
  acknowledge(ack: Ack): void {
    this.#sender.acknowledge(ack)
  }

  /** Sends an event until a centre has acknowledged it. @throws NotJson for data that cannot be stored and sent */
  report(event: Pick<FleetEvent, 'event' | 'device' | 'text' | 'data'>): void {
    this.#sender.sendEvent(event)
  }

  /** The broker is back: what was not acknowledged is sent again. */
  reconnected(): void {
    this.#sender.reconnected()
  }

  /** Aborts the commands; resolves when none is running. The next start ends what is left. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#sender.close()
    await this.#executions.close()
    await this.#scope.close()
    await this.#options.journal.close()
  }

  #end(job: Job, ending: Ending): void {
    this.#scope.begin(() => this.#sender.end(job, ending))
  }

  get #memory() {
    return this.#options.journal.memory
  }

  /** Answers a repeated command, without executing it again. */
  #repeatAnswer(known: Job, replyTo: string | undefined): void {
    const job = replyTo === undefined ? known : { ...known, replyTo }
    if (job.answer) this.#sender.send(job, job.answer)
    else this.#executions.sendProgress(job)
  }

  #statusOf({ args }: Command): Ending {
    const id = typeof args['job'] === 'string' ? args['job'] : ''
    const job = this.#memory.jobs.get(id)
    if (!job) return { state: 'done', result: { known: false, old: this.#memory.isOld(id) } }
    const { state, code, text, result } = job.answer ?? {}
    const stand = this.#executions.progressOf(job)
    return {
      state: 'done',
      result: { known: true, id, ...stand, ...(state && { state }), code, text, result },
    }
  }

  async #abort(job: Job): Promise<void> {
    await this.#sender.record({ kind: 'job', job })
    await this.#sender.end(job, await this.#executions.abort(job.command.args['job']))
  }
}
