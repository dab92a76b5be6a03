import { join } from 'node:path'
import { openLog, type StorageOptions } from '../../kernel/storage'
import { Type } from '../../typebox'
import { AgentMemory, type AgentEntry, type MemoryBounds, type StoredMemory } from './memory'

/** What an agent has done, for its next start. */
export interface AgentJournal {
  readonly memory: AgentMemory
  /**
   * Known at once; resolves when it would survive a power failure.
   * @throws StorageError; NotJson for an entry that cannot be written, which is then not known either
   */
  note: (entry: AgentEntry) => Promise<void>
  close: () => Promise<void>
}

interface JournalOptions extends Partial<Pick<StorageOptions, 'onDamage' | 'onFailure'>> {
  bounds?: Partial<MemoryBounds>
}

const Job = Type.Object({ command: Type.Object({ id: Type.String() }), phase: Type.String() })
const Body = Type.Object({ boot: Type.String(), seq: Type.Number() })
const Entry = Type.Unsafe<AgentEntry>(
  Type.Union([
    Type.Object({ kind: Type.Literal('job'), job: Job }),
    Type.Object({ kind: Type.Literal('event'), body: Body }),
    Type.Object({ kind: Type.Literal('acked'), boot: Type.String(), seqs: Type.Array(Type.Number()) }),
  ]),
)
const Stored = Type.Unsafe<StoredMemory>(
  Type.Object({
    jobs: Type.Array(Job),
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
      memory.hear(entry)
      return memory
    },
    snapshotOf: (memory) => memory.stored,
  })
  return {
    memory: log.state,
    note: async (entry) => {
      log.append(entry)
      await log.flush()
    },
    close: () => log.close(),
  }
}
