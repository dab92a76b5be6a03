import { Memory, type RememberedEntries } from './memory'
import type { DamagedPosition, SavedPosition } from './positions'
import type { SeenEntry } from './seen'

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
