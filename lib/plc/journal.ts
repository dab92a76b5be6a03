import { startTimeout } from '../timers/timers'
import { lineFiles, type LineFiles } from '../files/line-files'
import { nothingKnown, remembered, type JournalEntry, type JournalMemory } from './handshake/journal-memory'

/** Characters after which a journal goes on in its other file. */
const most = 65_536

/** What a handshake has done, for the next run of it. */
export interface HandshakeJournal {
  /** What stands there, the entries of this run included. */
  readonly memory: JournalMemory
  /**
   * What was sent survives the end of this program from now on, everything else from the end of this turn of the event loop:
   * nobody can have read an answer before. What was sent survives a power failure a moment later, with several cycles a second
   * up to a second later; after one, an answer that was given since may be told as an interruption.
   * @throws Error of the file system; this run remembers it all the same
   */
  append: (entry: JournalEntry) => void
  close: () => Promise<void>
}

/** First line of each file: all that was known when it was begun. */
interface Beginning {
  kind: 'memory'
  generation: number
  memory: JournalMemory
}

const kinds: ReadonlySet<unknown> = new Set<JournalEntry['kind']>([
  'noted',
  'sent',
  'hand',
  'ended',
  'settled',
  'taken',
  'plc',
  'prepared',
])

/** Milliseconds from one request to the disk to the next: each costs it a write. */
const syncPause = 1000

/** After these the PLC may be owed an answer that nothing else tells of. */
const urgent: ReadonlySet<JournalEntry['kind']> = new Set(['noted', 'sent', 'hand', 'prepared'])

/** What the lines of a file say; a line that was cut off by the end of the program, or of the power, says nothing. */
function readBack(text: string): Omit<Beginning, 'kind'> {
  let known = { generation: 0, memory: nothingKnown }
  for (const line of text.split('\n')) {
    const said = parsed(line)
    if (said?.kind === 'memory') {
      if (said.generation > known.generation) known = { generation: said.generation, memory: said.memory }
    } else if (said && kinds.has(said.kind)) known = { ...known, memory: remembered(known.memory, said) }
  }
  return known
}

function parsed(line: string): Beginning | JournalEntry | undefined {
  try {
    return (JSON.parse(line) ?? undefined) as Beginning | JournalEntry | undefined
  } catch {
    return undefined
  }
}

interface JournalOptions {
  files?: LineFiles
  /** Told of what would not survive a power failure. */
  failed?: (error: unknown) => void
}

/**
 * The journal of the node with that id: two files in turn, so that a new one holds everything before the old one is emptied.
 * @param folder exists already; one program at a time
 * @throws Error of the file system where a file cannot be read or written
 */
export async function openJournal(
  folder: string,
  id: string,
  { files = lineFiles(folder), failed = () => undefined }: JournalOptions = {},
): Promise<HandshakeJournal> {
  const nameOf = (generation: number) => `${encodeURIComponent(id)}.${generation % 2}.handshake.jsonl`
  const found = await Promise.all(
    [0, 1].map(async (part) => readBack((await files.read(nameOf(part))) ?? '')),
  )
  const last = found.reduce((one, other) => (other.generation > one.generation ? other : one))
  let { generation, memory } = last
  let size = 0
  let syncing: Promise<void> | undefined
  let syncedAt = -Infinity
  let timer: NodeJS.Timeout | undefined
  let unwritten: string[] = []
  /** The other file still holds what was known before this one. */
  let hasOld = false

  const beginning = () => {
    const line: Beginning = { kind: 'memory', generation: generation + 1, memory }
    generation += 1
    return JSON.stringify(line)
  }
  const sync = () => {
    clearTimeout(timer)
    timer = undefined
    const whole = generation
    syncedAt = performance.now()
    syncing = files
      .sync(nameOf(whole))
      .catch(failed)
      .finally(() => {
        // Only now: the new file holds everything, even after a power failure.
        if (hasOld && whole === generation) files.spoil(nameOf(whole + 1))
        if (whole === generation) hasOld = false
        syncing = undefined
      })
  }
  /** What is appended until then is in it. */
  const syncSoon = () => {
    timer ??= startTimeout(
      () => void (syncing ?? Promise.resolve()).then(sync),
      Math.max(0, syncedAt + syncPause - performance.now()),
    )
    timer.unref()
  }
  const flush = () => {
    const lines = unwritten
    unwritten = []
    if (lines.length) files.append(nameOf(generation), lines.join('\n'))
  }
  const flushSoon = () => {
    try {
      flush()
    } catch (error) {
      failed(error)
    }
  }
  const goOnInTheOther = () => {
    unwritten = []
    const line = beginning()
    // What a killed program left of a line must not swallow this one.
    files.append(nameOf(generation), `\n${line}`)
    size = line.length
    hasOld = true
    syncSoon()
  }
  const line = beginning()
  await files.replace(nameOf(generation), line)
  size = line.length
  files.spoil(nameOf(generation + 1))

  return {
    get memory() {
      return memory
    },
    append: (given) => {
      const begins = given.kind === 'sent' || given.kind === 'hand'
      const entry = begins ? { ...given, at: Date.now() } : given
      memory = remembered(memory, entry)
      const line = JSON.stringify(entry)
      if (size + line.length > most && !hasOld) {
        goOnInTheOther()
        return
      }
      size += line.length
      unwritten.push(line)
      if (urgent.has(entry.kind)) {
        flush()
        syncSoon()
      } else if (unwritten.length === 1) queueMicrotask(flushSoon)
    },
    close: async () => {
      flushSoon()
      while (timer || syncing) {
        if (!syncing) sync()
        await syncing
      }
      await files.close()
    },
  }
}
