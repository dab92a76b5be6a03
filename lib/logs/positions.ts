import { createHash } from 'node:crypto'
import type { VisionError } from '../client/vision-error'
import { bootId } from '../files/boot-id'
import { lineFiles, type LineFiles } from '../files/line-files'
import { Memory, type RememberedEntries } from './memory'
import type { SeenEntry } from './read-new'
import { logsError } from './follow-options'

/** A position as it was saved. */
export interface SavedPosition {
  kept: RememberedEntries
  /** Milliseconds since following ended in good order; absent if it did not. */
  restedFor?: number
}

/** There is a saved position, but it cannot be read. */
export type DamagedPosition = 'damaged'

/**
 * Storage for positions in the logs of one device. Entries are announced, then delivered part by part, and then the
 * position moves: after a crash, this shows which entries may have been delivered without a record.
 */
export interface Positions {
  /** Path of the folder, for messages. */
  folder: string
  /** Undefined if none is saved. */
  load: (log: string) => Promise<SavedPosition | DamagedPosition | undefined>
  /** Replaces the saved position of a log. Resolves when it would survive a power failure. */
  replace: (log: string, kept: RememberedEntries) => Promise<void>
  /**
   * Announces that these entries, the next after the position `kept`, are about to be delivered. Resolves when the
   * announcement would survive a power failure.
   */
  announce: (log: string, kept: RememberedEntries, entries: readonly SeenEntry[]) => Promise<void>
  /**
   * Of the announced entries, `left` have been delivered; the next ones, up to number `leaving`, are being delivered.
   */
  leaving: (log: string, left: number, leaving: number) => void
  /**
   * The position has moved past `left` of the announced entries, and past `others`; no other entries were delivered.
   */
  moved: (log: string, left: number, others: readonly SeenEntry[]) => void
  /**
   * A read has ended at this position. Resolves when no delivered entry would be delivered again after a power failure.
   */
  end: (log: string, kept: RememberedEntries) => Promise<void>
  /** Following ends here in good order: until now the log was read without interruption. */
  rest: (log: string) => void
  close: () => Promise<void>
}

/**
 * Wraps positions so that their failures do not end the following: each failure is reported once until saving works
 * again.
 * @param failed called with the reason why positions cannot be saved
 */
export function carefulPositions(
  positions: Positions,
  language: string | undefined,
  failed: (error: VisionError) => void,
): Positions {
  let isFailing = false
  const tell = (problem: unknown) => {
    if (isFailing) return undefined
    isFailing = true
    const { code, message } = problem as NodeJS.ErrnoException
    const values = { folder: positions.folder, reason: code ?? message }
    failed(logsError({ code: 'INVALID_INPUT', key: 'log-position', values }, { language }))
    return undefined
  }
  const works = () => {
    isFailing = false
  }
  const trying = (step: () => void) => {
    try {
      step()
    } catch (problem) {
      tell(problem)
    }
  }
  return {
    folder: positions.folder,
    load: (log) =>
      positions.load(log).catch((problem: unknown) => {
        tell(problem)
        return 'damaged'
      }),
    replace: (log, kept) => positions.replace(log, kept).then(works, tell),
    announce: (log, kept, entries) => positions.announce(log, kept, entries).then(works, tell),
    leaving: (log, left, leaving) => trying(() => positions.leaving(log, left, leaving)),
    moved: (log, left, others) => trying(() => positions.moved(log, left, others)),
    end: (log, kept) => positions.end(log, kept).then(works, tell),
    rest: (log) => trying(() => positions.rest(log)),
    close: () => positions.close().catch(tell),
  }
}

/** Mark and time of each entry. */
type Pairs = [number, number][]

/** The first line: a complete position. */
interface First {
  version: 2
  /** Device that the log belongs to. */
  device: string
  complete: boolean
  emptySince?: number | undefined
  tail: Pairs
  gone: Pairs
  /** Marks of entries that may have been delivered. */
  doubtful: readonly number[]
}

/** A later change of the position, see `Positions`. `boot` is the run of the computer; `rested` its clock, ms. */
type PositionRecord =
  | { announced: Pairs; boot?: string | undefined }
  | { left: number; leaving: number }
  | { moved: number; others: Pairs }
  | { rested: number; boot?: string | undefined }

const pairs = (entries: readonly SeenEntry[]): Pairs =>
  entries.map(({ mark, timestamp }) => [mark, timestamp])
const entriesOf = (given: Pairs): SeenEntry[] => given.map(([mark, timestamp]) => ({ mark, timestamp }))
const text = (line: PositionRecord) => JSON.stringify(line)

/** The lines of a position file. */
export const positionLines = {
  first: (device: string, { tail, gone, complete, emptySince, doubtful }: RememberedEntries): string =>
    JSON.stringify({
      version: 2,
      device,
      complete,
      emptySince,
      tail: pairs(tail),
      gone: pairs(gone),
      doubtful,
    } satisfies First),
  announced: (entries: readonly SeenEntry[], boot: string | undefined) =>
    text({ announced: pairs(entries), boot }),
  leaving: (left: number, leaving: number) => text({ left, leaving }),
  moved: (left: number, others: readonly SeenEntry[]) => text({ moved: left, others: pairs(others) }),
  rested: (boot: string | undefined) => text({ rested: Date.now(), boot }),
}

/**
 * Reads a position file. Ignores an incomplete last line and everything after a NUL, which a power failure can leave in
 * place of unflushed data.
 * @param device positions of another device are ignored
 * @param boot the present run of the computer
 */
export function readPosition(
  content: string,
  device: string,
  boot: string | undefined,
): SavedPosition | DamagedPosition | undefined {
  try {
    const [written = ''] = content.split('\0', 1)
    const [head = '', ...lines] = written.slice(0, written.lastIndexOf('\n')).split('\n')
    const first = JSON.parse(head) as First
    if ((first.version as number) !== 2) return 'damaged'
    if (first.device !== device) return undefined
    return replay(
      first,
      lines.map((line) => JSON.parse(line) as PositionRecord),
      boot,
    )
  } catch {
    return 'damaged'
  }
}

function replay(first: First, lines: readonly PositionRecord[], boot: string | undefined): SavedPosition {
  const { complete, emptySince, doubtful } = first
  const memory = new Memory({
    tail: entriesOf(first.tail),
    complete,
    gone: entriesOf(first.gone),
    doubtful,
    ...(emptySince !== undefined && { emptySince }),
  })
  let announced: { entries: SeenEntry[]; isOfThisBoot: boolean } | undefined
  let [left, leaving] = [0, 0]
  let rested = -1
  for (const line of lines) {
    rested = -1
    if ('announced' in line) {
      announced = {
        entries: entriesOf(line.announced),
        isOfThisBoot: boot !== undefined && line.boot === boot,
      }
      left = leaving = 0
    } else if ('moved' in line) {
      memory.add([...(announced?.entries.slice(0, line.moved) ?? []), ...entriesOf(line.others)])
      announced = undefined
    } else if ('leaving' in line) ({ left, leaving } = line)
    else if (line.boot === boot) rested = Date.now() - line.rested
  }
  if (announced) memory.add(announced.entries.slice(0, left))
  // Entries delivered before a power failure may not have been recorded.
  const others = announced?.entries.slice(left, announced.isOfThisBoot ? leaving : undefined) ?? []
  const kept = memory.kept()
  return {
    kept: { ...kept, doubtful: [...kept.doubtful, ...others.map(({ mark }) => mark)] },
    ...(rested >= 0 && { restedFor: rested }),
  }
}

/** File names of this length are allowed everywhere. */
const longestName = 150

/** A unique file name for a log, even if the system ignores upper and lower case. */
function nameOf(log: string): string {
  const plain = /[a-z0-9_-]/
  const name = Array.from(Buffer.from(log), (byte) => {
    const character = String.fromCharCode(byte)
    return plain.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`
  }).join('')
  const short = name.length > longestName ? createHash('sha256').update(log).digest('hex') : name
  return `${short}.position`
}

/** Records after which a file is rewritten, so that it does not grow for ever. */
const tidyAfter = 4000

/**
 * Saves positions in a folder, one file per log.
 * @param device whose logs they are; positions of another device are ignored
 */
export const filePositions = (folder: string, device: string): Positions =>
  positionsIn(lineFiles(folder), device, bootId())

/** @param boot the present run of the computer; undefined if the system does not identify it */
export function positionsIn(files: LineFiles, device: string, boot: string | undefined): Positions {
  /** Logs whose files are up to date. */
  const sound = new Map<string, { items: number; isSynced: boolean }>()

  /**
   * After a failed write the file is spoiled so that it does not state an old position; it is rewritten as soon as
   * possible.
   */
  const spoiled = (log: string, error: unknown): never => {
    sound.delete(log)
    files.spoil(nameOf(log))
    throw error
  }
  const append = (log: string, line: string, items: number, mayWait = false) => {
    const state = sound.get(log)
    if (!state) return
    try {
      files.append(nameOf(log), line)
    } catch (error) {
      spoiled(log, error)
    }
    state.items += items
    state.isSynced &&= mayWait
  }
  const sync = async (log: string) => {
    const state = sound.get(log)
    if (!state || state.isSynced) return
    await files.sync(nameOf(log)).catch((error: unknown) => spoiled(log, error))
    state.isSynced = true
  }
  const replace = async (log: string, kept: RememberedEntries) => {
    const line = positionLines.first(device, kept)
    await files.replace(nameOf(log), line).catch((error: unknown) => spoiled(log, error))
    sound.set(log, { items: 0, isSynced: true })
  }

  return {
    folder: files.folder,
    load: async (log) => {
      const text = await files.read(nameOf(log))
      const saved = text === undefined ? undefined : readPosition(text, device, boot)
      // What follows a torn line would not be read.
      if (saved && saved !== 'damaged') await replace(log, saved.kept)
      return saved
    },
    replace,
    announce: async (log, kept, entries) => {
      if (!sound.has(log)) await replace(log, kept)
      append(log, positionLines.announced(entries, boot), entries.length)
      await sync(log)
    },
    leaving: (log, left, leaving) => append(log, positionLines.leaving(left, leaving), 1),
    // If this record is lost, nothing is delivered again.
    moved: (log, left, others) => append(log, positionLines.moved(left, others), others.length, true),
    end: async (log, kept) => {
      if ((sound.get(log)?.items ?? Infinity) > tidyAfter) await replace(log, kept)
      else await sync(log)
    },
    rest: (log) => append(log, positionLines.rested(boot), 1),
    close: () => files.close(),
  }
}
