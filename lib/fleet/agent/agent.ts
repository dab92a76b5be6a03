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
  type CommandKind,
  type FleetEvent,
} from '../messages'
import type { fleetSentences } from '../sentences'
import type { KeyOf } from '../../sentences/sentences-in'
import type { AgentCode, Ending } from './ending'
import type { AgentJournal } from './journal'
import type { Job, Outgoing } from './memory'
import { Repetition } from './repetition'
import { isAllowed, type Rights } from './rights'

/** Commands under way, at most. */
const mostOpen = 100
/** Milliseconds between two messages about the progress of one command. */
const progressGap = 1000
/** Bytes of a result: the rest of the message has its place too. */
const mostResult = mostBytes - 16 * 1024

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
  readonly #closing = new AbortController()
  readonly #endings = new Set<Promise<void>>()
  /** The last changing command of each device. */
  readonly #turns = new Map<string, Promise<void>>()
  #cancelRepeat: (() => void) | undefined
  #seq = 0

  constructor(options: AgentOptions) {
    this.#options = options
    this.#repetition = new Repetition(options.journal.memory)
  }

  /** Ends or continues what the last start has left, and begins to repeat. */
  start(): void {
    for (const job of [...this.#memory.jobs.values()]) {
      if (job.phase === 'ended') continue
      const { do: kind } = job.command
      if (job.phase === 'begun' && this.#options.resumable.has(kind)) this.#run(job, job.stage ?? {})
      else void this.#end(job, this.#leftBehind(job))
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
      this.#send(job, this.#answer(job, 'unknown', this.#because('TOO_OLD', 'fleet-too-old')))
      return
    }
    const refusal = isRetained ? this.#because('RETAINED', 'fleet-retained') : this.#refusal(command)
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
    const body = { v: version, seq: ++this.#seq, boot, plant, cell, ...event, at: this.#time() } as const
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

  get #memory() {
    return this.#options.journal.memory
  }

  /** A command that came before: it is answered again, to who asks now, and not executed. */
  #again(known: Job, replyTo: string | undefined): void {
    const job = replyTo === undefined ? known : { ...known, replyTo }
    if (job.answer) this.#send(job, job.answer)
    else this.#tellProgress(job)
  }

  #refusal(command: Command): Pick<Ending, 'code' | 'text'> | undefined {
    const { rights } = this.#options
    if (command.notAfter !== undefined && Number.isNaN(Date.parse(command.notAfter)))
      return this.#because('INVALID_INPUT', 'fleet-field', { field: 'notAfter' })
    const late = this.#late(command)
    if (late) return late
    if (!isAllowed(command, rights))
      return this.#because('NOT_ALLOWED', 'fleet-not-allowed', { kind: command.do })
    if (this.#open.size >= mostOpen) return this.#because('BUSY', 'fleet-busy', { count: mostOpen })
    if (!readingKinds.has(command.do) && this.#isUpdating(command.device))
      return this.#because('BUSY', 'fleet-updating', { device: command.device ?? '' })
    return undefined
  }

  #because(
    code: AgentCode | 'INVALID_INPUT' | 'BUSY' | 'NOT_FOUND' | 'REFUSED',
    key: Parameters<AgentOptions['say']>[0],
    values: Record<string, unknown> = {},
  ): Pick<Ending, 'code' | 'text'> {
    return { code, text: this.#options.say(key, values) }
  }

  #isUpdating(device: string | undefined): boolean {
    return [...this.#open.values()].some(
      ({ job: { command } }) => command.do === 'update-firmware' && command.device === device,
    )
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
          ? this.#because('REFUSED', 'fleet-aborted')
          : this.#late(open.job.command)
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

  #late({ notAfter }: Command): Pick<Ending, 'code' | 'text'> | undefined {
    const { clock = Date.now } = this.#options
    return notAfter !== undefined && clock() > Date.parse(notAfter)
      ? this.#because('EXPIRED', 'fleet-expired', { latest: notAfter, time: this.#time() })
      : undefined
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

  #leftBehind({ phase, command }: Job): Ending {
    if (phase === 'accepted') return { state: 'refused', ...this.#because('RESTARTED', 'fleet-restarted') }
    return readingKinds.has(command.do) || command.do === 'backup'
      ? { state: 'failed', ...this.#because('INTERRUPTED', 'fleet-reading-interrupted') }
      : { state: 'unknown', ...this.#because('INTERRUPTED', 'fleet-interrupted') }
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
    if (!open) return { state: 'refused', ...this.#because('NOT_FOUND', 'fleet-no-job') }
    try {
      if (open.job.phase === 'accepted') open.closing.abort()
      else if (open.abort) await open.abort()
      else return { state: 'refused', ...this.#because('REFUSED', 'fleet-no-abort') }
      return { state: 'done' }
    } catch (error) {
      return { ...this.#options.failed(error), state: 'refused' }
    }
  }

  /** The one place where a command ends: kept first, then said. */
  async #end(job: Job, ending: Ending): Promise<void> {
    const { command } = job
    const { state, ...rest } = withoutLarge(ending, () =>
      this.#because('RESULT_TOO_LARGE', 'fleet-result-too-large', { kilobytes: mostResult / 1024 }),
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
    return { v: version, id, seq: ++this.#seq, boot, plant, cell, state, ...defined(more), at: this.#time() }
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

  #time(): string {
    return new Date((this.#options.clock ?? Date.now)()).toISOString()
  }
}

/** Whether nothing more comes after an answer. */
export const isFinal = ({ state }: Answer): boolean => finalStates.has(state)

function withoutLarge(ending: Ending, because: () => Pick<Ending, 'code' | 'text'>): Ending {
  const { result, ...rest } = ending
  if (result === undefined) return rest
  const text = JSON.stringify(result) as string | undefined
  return text !== undefined && Buffer.byteLength(text) > mostResult ? { ...rest, ...because() } : ending
}

const defined = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values
