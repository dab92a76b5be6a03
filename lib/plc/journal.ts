import { lineFiles } from '../files/line-files'
import { nothingKnown, remembered, type JournalEntry, type JournalMemory } from './handshake/journal-memory'

/** Characters after which a journal goes on in its other file. */
const most = 65_536

/** What a handshake has done, for the next run of it. */
export interface HandshakeJournal {
  /** What stands there, the entries of this run included. */
  readonly memory: JournalMemory
  /**
   * Survives the end of this program from now on. Takes some microseconds.
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

/**
 * The journal of the node with that id: two files in turn, so that a new one holds everything before the old one is emptied.
 * @param folder exists already; one program at a time
 * @throws Error of the file system where a file is there and cannot be read
 */
export async function openJournal(folder: string, id: string): Promise<HandshakeJournal> {
  const files = lineFiles(folder)
  const nameOf = (generation: number) => `${encodeURIComponent(id)}.${generation % 2}.handshake.jsonl`
  const found = await Promise.all(
    [0, 1].map(async (part) => readBack((await files.read(nameOf(part))) ?? '')),
  )
  const last = found.reduce((one, other) => (other.generation > one.generation ? other : one))
  let { generation, memory } = last
  let size = 0

  const begin = () => {
    const beginning: Beginning = { kind: 'memory', generation: generation + 1, memory }
    const line = JSON.stringify(beginning)
    // What a killed program left of a line must not swallow this one.
    files.append(nameOf(generation + 1), `\n${line}`)
    generation += 1
    size = line.length
    // Only now, for the new file holds everything.
    files.spoil(nameOf(generation + 1))
  }
  begin()

  return {
    get memory() {
      return memory
    },
    append: (entry) => {
      memory = remembered(memory, entry)
      const line = JSON.stringify(entry)
      if (size + line.length > most) {
        begin()
        return
      }
      files.append(nameOf(generation), line)
      size += line.length
    },
    close: () => files.close(),
  }
}
