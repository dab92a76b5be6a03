/** How reads and writes are cut into requests: as few as the protocol allows, and results before the state. */
import type { MapArea } from '../data/map'
import { type CellWord, type RowGroup, type SharedArea, writingOrder } from '../rows'
import type { ReadRequest, WriteRequest } from './protocol'

/** One item that is to be read. */
export interface ReadItem {
  area: MapArea
  address: number
  /** Is read before the others: what is asked for must not be older than what belongs to it. @default false */
  first?: boolean
}

/**
 * As few requests as the protocol allows.
 * @param most items of one request
 * @param gap most items between two wanted ones that are read along; 0 where a PLC refuses addresses in between
 */
export function planReads(
  items: readonly ReadItem[],
  most: (area: MapArea) => number,
  gap = 16,
): ReadRequest[] {
  const planned: { request: ReadRequest; first: boolean }[] = []
  for (const { area, address, first = false } of [...items].sort(byReadPlace)) {
    const last = planned.at(-1)
    const count = last ? address - last.request.address + 1 : 0
    const fits = last?.request.area === area && count <= most(area)
    if (last && fits && count - last.request.count <= gap + 1) {
      last.request.count = count
      last.first ||= first
    } else planned.push({ request: { kind: 'read', area, address, count: 1 }, first })
  }
  return planned.sort((one, other) => Number(other.first) - Number(one.first)).map(({ request }) => request)
}

const byReadPlace = (one: ReadItem, other: ReadItem): number =>
  one.area === other.area ? one.address - other.address : one.area < other.area ? -1 : 1

/**
 * As few requests as possible that bring what changed, and results before the state that makes them valid: in one request
 * where all stand beside each other, otherwise each is to be sent when the one before it was answered. What stands between
 * two changed words is written along.
 * @param most items of one request
 * @param isChanged whether a word must be written @default all must
 */
export function planWrites(
  words: readonly CellWord[],
  most: (area: SharedArea) => number,
  isChanged: (word: CellWord) => boolean = () => true,
): WriteRequest[] {
  const runs = runsOf([...words].sort(byPlace), most).sort(byRank)
  const ordered = isInOrder(runs)
    ? runs
    : writingOrder.flatMap((group) => runsOf(ofGroup(words, group), most))
  return ordered.flatMap((run) => {
    const changed = run.slice(run.findIndex(isChanged), run.findLastIndex(isChanged) + 1)
    const [first] = changed
    if (!first) return []
    const { area, address } = first
    return [{ kind: 'write', area, address, values: changed.map(({ value }) => value) }]
  })
}

/** Words beside each other, as many as fit into one request. */
type Run = [CellWord, ...CellWord[]]

function runsOf(sorted: readonly CellWord[], most: (area: SharedArea) => number): Run[] {
  const runs: Run[] = []
  for (const word of sorted) {
    const last = runs.at(-1)
    const isNext = last?.[0].area === word.area && last[0].address + last.length === word.address
    const hasRoom = last && last.length < most(word.area)
    if (isNext && hasRoom) last.push(word)
    else runs.push([word])
  }
  return runs
}

const ofGroup = (words: readonly CellWord[], group: RowGroup) =>
  words.filter((word) => word.group === group).sort(byPlace)

const ranks: readonly RowGroup[] = writingOrder

/** The life signal belongs to no result, and may come at any time. */
const ranksIn = (run: Run) =>
  run.filter(({ group }) => group !== 'life').map(({ group }) => ranks.indexOf(group))

const lowest = (run: Run) => Math.min(...ranksIn(run), Infinity)

const highest = (run: Run) => (lowest(run) === Infinity ? Infinity : Math.max(...ranksIn(run)))

/** No word comes after one that it must come before. */
const isInOrder = (runs: readonly Run[]): boolean =>
  runs.every((run, index) => {
    const before = runs[index - 1]
    return before === undefined || highest(before) <= lowest(run)
  })

const byRank = (one: Run, other: Run) => (highest(one) <= highest(other) ? -1 : 1)

const byPlace = (one: CellWord, other: CellWord): number =>
  one.area === other.area ? one.address - other.address : one.area < other.area ? -1 : 1
