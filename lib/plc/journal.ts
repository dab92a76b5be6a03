import { lineFiles, type LineFiles } from '../files/line-files'
import { nothingKnown, remembered, type JournalEntry, type JournalMemory } from './handshake/journal-memory'

/** Characters after which a journal goes on in its other file. */
const most = 65_536

/** What a handshake has done, for the next run of it. */
export interface HandshakeJournal {
  /** What stands there, the entries of this run included. */
  readonly memory: JournalMemory
  /**
   * Survives the end of this program from now on. Takes some microseconds. What was sent survives a power failure a moment
   * later; after one, an answer that was given since may be told as an interruption.
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
])

/** After these the PLC may be owed an answer that nothing else tells of. */
const urgent: ReadonlySet<JournalEntry['kind']> = new Set(['noted', 'sent', 'hand'])

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
  let isWaiting = false
  /** The other file still holds what was known before this one. */
  let hasOld = false

  const beginning = () => {
    const line: Beginning = { kind: 'memory', generation: generation + 1, memory }
    generation += 1
    return JSON.stringify(line)
  }
  /** At most one at a time; what is appended meanwhile is in the next one. */
  const sync = () => {
    if (syncing) {
      isWaiting = true
      return
    }
    const whole = generation
    syncing = files
      .sync(nameOf(whole))
      .catch(failed)
      .finally(() => {
        // Only now: the new file holds everything, even after a power failure.
        if (hasOld && whole === generation) files.spoil(nameOf(whole + 1))
        if (whole === generation) hasOld = false
        syncing = undefined
        if (isWaiting) {
          isWaiting = false
          sync()
        }
      })
  }
  const goOnInTheOther = () => {
    const line = beginning()
    // What a killed program left of a line must not swallow this one.
    files.append(nameOf(generation), `\n${line}`)
    size = line.length
    hasOld = true
    sync()
  }
  const line = beginning()
  await files.replace(nameOf(generation), line)
  size = line.length
  files.spoil(nameOf(generation + 1))

  return {
    get memory() {
      return memory
    },
    append: (entry) => {
      memory = remembered(memory, entry)
      const line = JSON.stringify(entry)
      if (size + line.length > most && !hasOld) {
        goOnInTheOther()
        return
      }
      files.append(nameOf(generation), line)
      size += line.length
      if (urgent.has(entry.kind)) sync()
    },
    close: async () => {
      while (syncing) await syncing
      await files.close()
    },
  }
}
