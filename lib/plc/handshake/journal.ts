import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openLog, type StorageError } from '../../kernel/storage'
import { orUndefined, Scope, settled } from '../../kernel/scope'
import { startTimeout } from '../../kernel/timers'
import { Type, Value } from '../../typebox'
import { type JournalEntry, type JournalMemory, nothingKnown, remembered } from './state'

/** The journal of a handshake, for its next run. */
export interface HandshakeJournal {
  /** The entries of this run included. */
  readonly memory: JournalMemory
  /**
   * What was sent survives the end of this program from now on, everything else from the end of this turn of the event loop:
   * nobody can have read an answer before. What was sent survives a power failure a moment later, with several cycles a second
   * up to a second later; after one, an answer that was given since may be reported as an interruption. What cannot be written
   * is known to this run all the same: a PLC that waits for an answer does not care for a full disk.
   */
  append: (entry: JournalEntry) => void
  close: () => Promise<void>
}

interface JournalOptions {
  /** Called with a file that cannot be used, and with the first of several failures. */
  failed?: (error: StorageError) => void
}

const request = { token: Type.String(), request: Type.Number() }
const at = Type.Optional(Type.Number())
const Says = Type.Record(Type.String(), Type.Unknown())
const entryOf = <Kind extends JournalEntry['kind']>(kind: Kind, more = {}) =>
  Type.Object({ kind: Type.Literal(kind), ...more })
const Entry = Type.Unsafe<JournalEntry>(
  Type.Union([
    entryOf('noted', request),
    entryOf('sent', { ...request, acquisitionId: Type.Number(), at }),
    entryOf('hand', { token: Type.String(), at }),
    entryOf('ended', { token: Type.String(), code: Type.Number(), counter: Type.Number() }),
    entryOf('settled', { token: Type.String() }),
    entryOf('taken', { token: Type.String() }),
    entryOf('plc', { says: Says }),
    entryOf('prepared', { job: Type.Optional(Type.Number()) }),
  ]),
)
const Beginning = Type.Unsafe<{ kind: 'memory'; memory: JournalMemory }>(
  Type.Object({
    kind: Type.Literal('memory'),
    memory: Type.Object({
      counter: Type.Number(),
      acquisitionId: Type.Number(),
      owed: Type.Optional(Type.Object({ ...request, sent: Type.Boolean() })),
      unsettled: Type.Optional(Type.Object({ ...request, at })),
      plc: Type.Optional(Says),
      prepared: Type.Optional(Type.Number()),
    }),
  }),
)

/** Entries after which an answer may be pending. */
const urgent: ReadonlySet<JournalEntry['kind']> = new Set(['noted', 'sent', 'hand', 'prepared'])

/** Milliseconds from one request to the disk to the next: each costs it a write. */
const syncPause = 1000

/** Opens the journal of the node with that id; one program at a time. */
export async function openJournal(
  folder: string,
  id: string,
  { failed = () => undefined }: JournalOptions = {},
): Promise<HandshakeJournal> {
  const earlier = await earlierJournal(folder, id)
  const log = await openLog({
    file: join(folder, `${encodeURIComponent(id)}.journal.jsonl`),
    ...{ onDamage: failed, onFailure: failed, compactAt: 65_536 },
    ...{ entry: Entry, snapshot: Beginning },
    begin: (beginning): JournalMemory => beginning?.memory ?? earlier.memory,
    fold: remembered,
    snapshotOf: (memory) => ({ kind: 'memory' as const, memory }),
  })
  let unwritten: JournalEntry[] = []
  let syncedAt = -Infinity
  let timer: NodeJS.Timeout | undefined

  // The file reports its failures.
  const syncing = new Scope({ failed: () => undefined })
  const syncSoon = () => {
    timer ??= startTimeout(
      () => {
        timer = undefined
        syncedAt = performance.now()
        syncing.begin(() => log.flush())
      },
      Math.max(0, syncedAt + syncPause - performance.now()),
    )
    timer.unref()
  }
  const write = () => {
    const entries = unwritten
    unwritten = []
    if (entries.length === 0) return
    try {
      log.append(...entries)
    } catch {
      // This run knows them, and the next entry brings them along.
    }
  }
  if (earlier.isThere) await settled(log.flush().then(earlier.remove))

  return {
    get memory() {
      return unwritten.reduce(remembered, log.state)
    },
    append: (given) => {
      const begins = given.kind === 'sent' || given.kind === 'hand'
      const entry = begins ? { ...given, at: Date.now() } : given
      unwritten.push(entry)
      if (urgent.has(entry.kind)) {
        write()
        syncSoon()
      } else if (unwritten.length === 1) queueMicrotask(write)
    },
    close: async () => {
      clearTimeout(timer)
      write()
      await syncing.close()
      await log.close()
    },
  }
}

/** What version 0.1 has left: two files in turn, each with everything that was known in its first line. */
async function earlierJournal(
  folder: string,
  id: string,
): Promise<{ memory: JournalMemory; isThere: boolean; remove: () => Promise<void> }> {
  const files = [0, 1].map((part) => join(folder, `${encodeURIComponent(id)}.${part}.handshake.jsonl`))
  const texts = await Promise.all(files.map((file) => orUndefined(readFile(file, 'utf8'))))
  const found = texts.map((text = '') => {
    let known = { generation: 0, memory: nothingKnown }
    for (const line of text.split('\n')) {
      const entry = parsed(line)
      if (Value.Check(Beginning, entry)) {
        const { generation = 0, memory } = entry as typeof entry & { generation?: number }
        if (generation > known.generation) known = { generation, memory }
      } else if (Value.Check(Entry, entry)) known.memory = remembered(known.memory, entry)
    }
    return known
  })
  const last = found.reduce((one, other) => (other.generation > one.generation ? other : one))
  return {
    memory: last.memory,
    isThere: texts.some((text) => text !== undefined),
    remove: async () => {
      await Promise.all(files.map((file) => settled(rm(file, { force: true }))))
    },
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
