import { close, fdatasync, openSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeDurably } from '../files/write-durably'
import { Memory, type Kept } from './memory'
import type { Damaged, Positions, Saved } from './positions'
import type { Seen } from './seen'

/** Marks and times of entries. */
type Pairs = [number, number][]

interface FirstLine {
  version: number
  /** Whose log it is. */
  device: string
  complete: boolean
  emptySince?: number | undefined
  tail: Pairs
  gone: Pairs
}

/**
 * The lines after the first: entries that were handed on, or that some are about to be, or that all have been; or when
 * following ended in good order, by the clock of this computer in ms.
 */
type Line = Pairs | 'begin' | 'end' | { rested: number }

/** Entries after which a file is written anew, so that it does not grow for ever. */
const tidyAfter = 4000

const sync = promisify(fdatasync)
const shut = promisify(close)

/**
 * Keeps positions in a folder, a file for each log. Its first line is a whole position, replaced as a whole and synced;
 * the lines after it are what was handed on since. A line is written in some microseconds, so that one for each message
 * can be afforded; a line that is not complete does not count.
 * @param device whose logs they are: what was kept of another device does not count
 */
export function filePositions(folder: string, device: string): Positions {
  const files = new Map<string, { descriptor: number; entries: number }>()
  const nameOf = (log: string) => join(folder, `${encodeURIComponent(log).replaceAll('.', '%2E')}.position`)

  const write = (log: string, line: Line) => {
    let file = files.get(log)
    if (!file) files.set(log, (file = { descriptor: openSync(nameOf(log), 'a', 0o600), entries: 0 }))
    writeSync(file.descriptor, `${JSON.stringify(line)}\n`)
    return file
  }
  const shutFile = async (log: string) => {
    const file = files.get(log)
    files.delete(log)
    if (file) await shut(file.descriptor)
  }
  const load = async (log: string): Promise<Saved | Damaged | undefined> => {
    const text = await textOf(nameOf(log))
    const saved = text === undefined ? undefined : read(text, device)
    if (!saved || saved === 'damaged') return saved
    // What follows a torn line would not be read.
    await replace(log, new Memory(saved.kept).kept())
    if (saved.isUncertain) write(log, 'begin')
    return saved
  }
  const replace = async (log: string, { tail, gone, complete, emptySince }: Kept) => {
    await shutFile(log)
    const first: FirstLine = {
      version: 1,
      device,
      complete,
      emptySince,
      tail: pairs(tail),
      gone: pairs(gone),
    }
    await writeDurably(nameOf(log), `${JSON.stringify(first)}\n`, 0o600)
  }

  return {
    folder,
    load,
    replace,
    begin: (log) => void write(log, 'begin'),
    add: (log, entries) => {
      if (entries.length > 0) write(log, pairs(entries)).entries += entries.length
    },
    end: async (log) => {
      const { descriptor, entries } = write(log, 'end')
      await sync(descriptor)
      if (entries > tidyAfter) await load(log)
    },
    rest: (log) => void write(log, { rested: Date.now() }),
    close: async () => {
      for (const log of [...files.keys()]) await shutFile(log)
    },
  }
}

const pairs = (entries: readonly Seen[]): Pairs => entries.map(({ mark, timestamp }) => [mark, timestamp])
const entriesOf = (given: Pairs): Seen[] => given.map(([mark, timestamp]) => ({ mark, timestamp }))

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function read(text: string, device: string): Saved | Damaged | undefined {
  try {
    const [head = '', ...lines] = text.slice(0, text.lastIndexOf('\n')).split('\n')
    const first = JSON.parse(head) as FirstLine
    if (first.version !== 1) return 'damaged'
    if (first.device !== device) return undefined
    const rest = lines.map((line) => JSON.parse(line) as Line)
    const all = [...first.tail, ...rest.flatMap((line) => (Array.isArray(line) ? line : []))]
    const last = rest.at(-1)
    const rested = typeof last === 'object' && 'rested' in last ? Date.now() - last.rested : -1
    return {
      kept: {
        tail: entriesOf(all),
        complete: first.complete,
        gone: entriesOf(first.gone),
        ...(first.emptySince !== undefined && { emptySince: first.emptySince }),
      },
      isUncertain: rest.findLast((line) => typeof line === 'string') === 'begin',
      ...(rested >= 0 && { restedFor: rested }),
    }
  } catch {
    return 'damaged'
  }
}
