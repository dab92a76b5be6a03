import type { Ack, CellState, Command, FleetEvent } from '../messages'
import type { Ending } from './ending'
import { Executions } from './executions'
import { Judge } from './judge'
import type { Job } from './memory'
import type { AgentOptions } from './options'
import { Teller } from './teller'

export type { AgentOptions, CommandWork } from './options'

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
