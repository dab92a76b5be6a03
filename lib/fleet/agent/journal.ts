import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Answer, Command, FleetEvent } from '../messages'
import { openLog, type StorageOptions } from '../../kernel/storage'
import { Type } from '../../typebox'

/** A command that the cell has taken, until and after its end. */
export interface Job {
  /** Without arguments once it has ended. */
  command: Command
  /** Response topic; without one, answers go to the topic of the cell. */
  replyTo?: string
  /** `begun`: it may have been executed. */
  phase: 'accepted' | 'begun' | 'ended'
  /** What an execution that goes on after a restart must know. */
  stage?: Readonly<Record<string, string>>
  /** The final one, once it has ended. */
  answer?: Answer
}

/** A message that is repeated until it is acknowledged. */
export type Outgoing =
  | { kind: 'answer'; replyTo?: string; body: Answer }
  | { kind: 'event'; body: FleetEvent }

/** A line of the journal; applying it twice changes nothing. */
export type AgentEntry =
  | { kind: 'job'; job: Job }
  | { kind: 'event'; body: FleetEvent }
  | { kind: 'acked'; boot: string; seqs: readonly number[] }

/** How much is kept. */
interface MemoryBounds {
  /** Commands with their answers. */
  jobs: number
  /** Ids of older commands, which are not executed again. */
  oldIds: number
  /** Messages that are repeated. */
  pending: number
  /** Characters of all kept results, and of all messages that are repeated. */
  characters: number
}

export const boundsByDefault: MemoryBounds = {
  jobs: 1000,
  oldIds: 20_000,
  pending: 1000,
  characters: 4 * 1024 * 1024,
}

/** A memory as the first line of a journal has it. */
interface StoredMemory {
  jobs: Job[]
  oldIds: string[]
  pending: Outgoing[]
  eventsLost: number
}

const keyOf = ({ boot, seq }: { boot: string; seq: number }) => `${boot} ${seq}`

const shortOf = (id: string) => createHash('sha256').update(id).digest('base64url').slice(0, 16)

const sizeOf = (value: unknown) => (JSON.stringify(value) as string | undefined)?.length ?? 0

/** Commands and unacknowledged messages of an agent. Bounded: the oldest are dropped first. */
export class AgentMemory {
  readonly jobs = new Map<string, Job>()
  readonly pending = new Map<string, Outgoing>()
  /** Events dropped because no centre acknowledged them. */
  eventsLost = 0
  readonly #bounds: MemoryBounds
  readonly #oldIds = new Set<string>()
  #results = 0
  #repeated = 0

  constructor(bounds: Partial<MemoryBounds> = {}, stored?: StoredMemory) {
    this.#bounds = { ...boundsByDefault, ...bounds }
    if (!stored) return
    for (const id of stored.oldIds) this.#oldIds.add(id)
    for (const job of stored.jobs) this.#put(job)
    for (const message of stored.pending) this.#repeat(message)
    this.eventsLost = stored.eventsLost
  }

  get stored(): StoredMemory {
    return {
      jobs: [...this.jobs.values()],
      oldIds: [...this.#oldIds],
      pending: [...this.pending.values()],
      eventsLost: this.eventsLost,
    }
  }

  /** Whether a command with this id came so long ago that its answer is no longer kept. */
  isOld(id: string): boolean {
    return this.#oldIds.has(shortOf(id))
  }

  apply(entry: AgentEntry): void {
    switch (entry.kind) {
      case 'job': {
        const isNew = this.jobs.get(entry.job.command.id)?.phase !== 'ended'
        this.#put(entry.job)
        const { answer, replyTo } = entry.job
        if (answer && isNew)
          this.#repeat({ kind: 'answer', body: answer, ...(replyTo !== undefined && { replyTo }) })
        break
      }
      case 'event':
        this.#repeat({ kind: 'event', body: entry.body })
        break
      case 'acked':
        for (const seq of entry.seqs) this.#forget(keyOf({ boot: entry.boot, seq }))
    }
  }

  #put(job: Job): void {
    const { id } = job.command
    this.#results -= sizeOf(this.jobs.get(id)?.answer?.result)
    this.jobs.set(id, job)
    this.#results += sizeOf(job.answer?.result)
    if (this.jobs.size > this.#bounds.jobs) this.#dropOldest()
    for (const old of this.jobs.values()) {
      if (this.#results <= this.#bounds.characters) return
      this.#dropResult(old)
    }
  }

  /** Open ones stay, whatever their age. */
  #dropOldest(): void {
    for (const [id, { phase, answer }] of this.jobs)
      if (phase === 'ended') {
        this.#results -= sizeOf(answer?.result)
        this.jobs.delete(id)
        this.#oldIds.add(shortOf(id))
        break
      }
    for (const id of this.#oldIds) {
      if (this.#oldIds.size <= this.#bounds.oldIds) return
      this.#oldIds.delete(id)
    }
  }

  #dropResult(job: Job): void {
    if (!job.answer || !('result' in job.answer)) return
    const { result, ...answer } = job.answer
    this.#results -= sizeOf(result)
    this.jobs.set(job.command.id, { ...job, answer })
  }

  #repeat(message: Outgoing): void {
    const key = keyOf(message.body)
    this.#forget(key)
    this.pending.set(key, message)
    this.#repeated += sizeOf(message)
    for (const [old, { kind }] of this.pending) {
      const { pending, characters } = this.#bounds
      if (this.pending.size <= pending && this.#repeated <= characters) return
      if (old === key) return
      this.#forget(old)
      // The answer to a command can still be asked for.
      if (kind === 'event') this.eventsLost++
    }
  }

  #forget(key: string): void {
    const message = this.pending.get(key)
    if (!message) return
    this.#repeated -= sizeOf(message)
    this.pending.delete(key)
  }
}

/** What an agent has done, for its next start. */
export interface AgentJournal {
  readonly memory: AgentMemory
  /**
   * Known at once; resolves when it would survive a power failure.
   * @throws StorageError; NotJson for an entry that cannot be written, which is then not known either
   */
  record: (entry: AgentEntry) => Promise<void>
  close: () => Promise<void>
}

interface JournalOptions extends Partial<Pick<StorageOptions, 'onDamage' | 'onFailure'>> {
  bounds?: Partial<MemoryBounds>
}

const JobShape = Type.Object({ command: Type.Object({ id: Type.String() }), phase: Type.String() })

const Body = Type.Object({ boot: Type.String(), seq: Type.Number() })

const Entry = Type.Unsafe<AgentEntry>(
  Type.Union([
    Type.Object({ kind: Type.Literal('job'), job: JobShape }),
    Type.Object({ kind: Type.Literal('event'), body: Body }),
    Type.Object({ kind: Type.Literal('acked'), boot: Type.String(), seqs: Type.Array(Type.Number()) }),
  ]),
)

const Stored = Type.Unsafe<StoredMemory>(
  Type.Object({
    jobs: Type.Array(JobShape),
    oldIds: Type.Array(Type.String()),
    pending: Type.Array(Type.Object({ kind: Type.String(), body: Body })),
    eventsLost: Type.Number(),
  }),
)

/**
 * The journal of an agent: a memory in the first line of a file, an entry in each further one. One program at a time.
 * @throws StorageError `DAMAGED` if it could have lost what was executed
 */
export async function openAgentJournal(
  folder: string,
  { bounds, onDamage = () => undefined, onFailure = () => undefined }: JournalOptions = {},
): Promise<AgentJournal> {
  const log = await openLog({
    ...{ file: join(folder, 'agent.jsonl'), onDamage, onFailure, unusable: 'refuse' },
    ...{ entry: Entry, snapshot: Stored },
    begin: (stored: StoredMemory | undefined) => new AgentMemory(bounds, stored),
    fold: (memory, entry: AgentEntry) => {
      memory.apply(entry)
      return memory
    },
    snapshotOf: (memory) => memory.stored,
  })
  return {
    memory: log.state,
    record: async (entry) => {
      log.append(entry)
      await log.flush()
    },
    close: () => log.close(),
  }
}
