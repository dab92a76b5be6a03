import { jsonText } from '../../kernel/json'
import { lineFiles, type LineFiles } from '../../files/line-files'
import { makeFolder } from '../../files/make-folder'
import { AgentMemory, type AgentEntry, type MemoryBounds, type StoredMemory } from './memory'

const name = 'agent.jsonl'
/** Appended characters after which the file is written anew, at least. */
const least = 256 * 1024

/** What an agent has done, for its next start. */
export interface AgentJournal {
  readonly memory: AgentMemory
  /**
   * Known at once; resolves when it would survive a power failure.
   * @throws Error of the file system; NotJson for an entry that cannot be written, which is then not known either
   */
  note: (entry: AgentEntry) => Promise<void>
  close: () => Promise<void>
}

/** The journal in the folder says nothing of what was executed. */
export class DamagedJournal extends Error {}

interface JournalOptions {
  bounds?: Partial<MemoryBounds>
  files?: LineFiles
}

/**
 * The journal of an agent: a memory in the first line of a file, an entry in each further one. One program at a time.
 * @throws DamagedJournal if its first line cannot be read; Error of the file system
 */
export async function openAgentJournal(
  folder: string,
  { bounds, files = lineFiles(folder) }: JournalOptions = {},
): Promise<AgentJournal> {
  await makeFolder(folder)
  const memory = readBack(await files.read(name), bounds)
  let waiting: { line: string; written: () => void; failed: (error: unknown) => void }[] = []
  let working: Promise<void> | undefined
  let appended = 0
  let most = least

  const rewrite = async () => {
    const line = JSON.stringify(memory.stored)
    await files.replace(name, line)
    appended = 0
    most = Math.max(least, 2 * line.length)
  }
  /** Everything that waits in one write and one flush. */
  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        if (appended > most) await rewrite()
        else {
          const lines = batch.map(({ line }) => line).join('\n')
          // What a write that failed has left of a line must not swallow this one.
          files.append(name, `\n${lines}`)
          appended += lines.length
          await files.sync(name)
        }
        for (const { written } of batch) written()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    working = undefined
  }
  await rewrite()

  return {
    memory,
    note: async (entry) => {
      const line = jsonText(entry, { name: 'entry' })
      memory.hear(entry)
      await new Promise<void>((resolve, reject) => {
        waiting.push({ line, written: resolve, failed: reject })
        working ??= Promise.resolve().then(writeAll)
      })
    },
    close: async () => {
      while (working) await working
      await files.close()
    },
  }
}

function readBack(text: string | undefined, bounds: Partial<MemoryBounds> | undefined): AgentMemory {
  if (text === undefined) return new AgentMemory(bounds)
  const [first = '', ...lines] = text.split('\n')
  const stored = parsed(first) as StoredMemory | undefined
  if (!Array.isArray(stored?.jobs)) throw new DamagedJournal()
  const memory = new AgentMemory(bounds, stored)
  for (const line of lines) {
    // A line that was cut off was not acted on.
    const entry = line ? (parsed(line) as AgentEntry | undefined) : undefined
    if (entry) memory.hear(entry)
  }
  return memory
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) ?? undefined
  } catch {
    return undefined
  }
}
