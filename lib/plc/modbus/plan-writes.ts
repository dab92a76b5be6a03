import { writingOrder, type RowGroup } from '../rows'
import type { CellWord } from '../words'
import { mostItems, type WriteRequest } from './requests'

/**
 * As few requests as possible that bring what changed, and results before the state that makes them valid: in one request
 * where all stand beside each other, otherwise each is to be sent when the one before it was answered. What stands between
 * two changed words is written along.
 * @param isChanged whether a word must be written @default all must
 */
export function planWrites(
  words: readonly CellWord[],
  isChanged: (word: CellWord) => boolean = () => true,
): WriteRequest[] {
  const runs = runsOf([...words].sort(byPlace)).sort(byRank)
  const ordered = isInOrder(runs) ? runs : writingOrder.flatMap((group) => runsOf(ofGroup(words, group)))
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

function runsOf(sorted: readonly CellWord[]): Run[] {
  const runs: Run[] = []
  for (const word of sorted) {
    const last = runs.at(-1)
    const isNext = last?.[0].area === word.area && last[0].address + last.length === word.address
    if (last && isNext && last.length < mostItems.write[word.area]) last.push(word)
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
