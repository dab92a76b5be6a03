import { inSlices } from '../../kernel/timers'
import type { Camera } from '../depth'
import type { Pixels } from '../picture'
import { crossingAt, type Crossing, CrossingMap, latticeFrom } from './lattice'
import { greyOf, halved, type Grey, saddlesIn, smoothed, type SmoothPicture } from './saddles'
import { gridFrom, measuredCorners, type GridSearchOptions, type SeenGrid } from './measured-grid'
import { onPattern, type OnPattern, checkedPattern, type GridPattern } from './pattern'

/** Why no grid was found. */
export type GridMiss =
  | { found: false; reason: 'nothing' }
  /** A checkerboard of so many squares, as far as it is seen, fewer than the pattern has. */
  | { found: false; reason: 'partly'; columns: number; rows: number }
  /** A checkerboard of other squares. */
  | { found: false; reason: 'other'; columns: number; rows: number }
  /** So small or blurred that it could as well be tilted the other way. */
  | { found: false; reason: 'unclear' }
  /**
   * All of it is seen, but it is no flat grid of that size in a rectified picture, by so many pixels: the board is bent or
   * the picture distorted; or, if it is flat, its width and height have other proportions.
   */
  | { found: false; reason: 'bent' | 'proportions'; pixels: number }

/** Longest time in ms for which the event loop is held. */
const slice = 4
/** Pictures that are wider are halved before corners are looked for; they are measured in the whole one. */
const widest = 1700
/** Narrower ones show no squares. */
const narrowest = 160
/** Lattices that are tried. */
const mostSeeds = 40
/** A lattice of fewer nodes is none. */
const fewest = 9
/**
 * Looks for a calibration grid in a rectified picture. Holds the event loop for 4 ms at most; 1.3 megapixels take about
 * 50 ms of computing.
 *
 * @throws RangeError for a pattern or a picture that cannot be worked with
 */
export const findGrid = (
  picture: Pixels & Camera,
  pattern: GridPattern,
  options: GridSearchOptions = {},
  isOver?: () => boolean,
): Promise<({ found: true } & SeenGrid) | GridMiss> =>
  inSlices(gridSteps(picture, pattern, options), isOver, slice)

/** The search of {@link findGrid} in steps of about a millisecond. */
export function* gridSteps(
  picture: Pixels & Camera,
  pattern: GridPattern,
  options: GridSearchOptions = {},
): Generator<undefined, ({ found: true } & SeenGrid) | GridMiss> {
  checkedPattern(pattern)
  const whole = yield* greyOf(picture)
  let [level, scale] = [whole, 1]
  while (level.width > widest) [level, scale] = [yield* halved(level), 2 * scale]
  let smooth: SmoothPicture | undefined
  let miss: GridMiss = { found: false, reason: 'nothing' }
  // Blurred and noisy pictures are clearer when they are smaller.
  for (; level.width >= narrowest && scale <= 8; [level, scale] = [yield* halved(level), 2 * scale]) {
    const lattice = yield* latticeIn(level, pattern)
    if (!lattice) continue
    if ('misfit' in lattice) {
      if (miss.reason === 'nothing')
        miss = { found: false, reason: lattice.misfit, columns: lattice.columns, rows: lattice.rows }
      continue
    }
    smooth ??= { ...whole, data: yield* smoothed(whole) }
    const seen = gridFrom(measuredCorners(smooth, lattice.corners, scale), pattern, picture, options)
    if (!seen) continue
    if (!('misfit' in seen)) return { found: true, ...seen }
    const { misfit, pixels } = seen
    if (misfit === 'unclear') miss = { found: false, reason: misfit }
    else if (miss.reason !== 'unclear') miss = { found: false, reason: misfit, pixels }
  }
  return miss
}

/** The lattice that is the pattern; otherwise the largest other one. */
function* latticeIn(level: Grey, pattern: GridPattern): Generator<undefined, OnPattern | undefined> {
  const { smooth, points } = yield* saddlesIn(level)
  const crossings: Crossing[] = []
  for (const [index, point] of points.entries()) {
    if (index % 200 === 0) yield
    const crossing = crossingAt(smooth, level.width, point)
    if (crossing) crossings.push(crossing)
  }
  const map = new CrossingMap(crossings)
  const tried = new Set<Crossing>()
  let other: { at: OnPattern; nodes: number } | undefined
  let seeds = 0
  for (const seed of crossings) {
    if (tried.has(seed)) continue
    if ((seeds += 1) > mostSeeds) break
    yield
    const nodes = latticeFrom(seed, map)
    tried.add(seed)
    for (const { at } of nodes) tried.add(at)
    if (nodes.length < fewest) continue
    const at = onPattern(nodes, pattern)
    if ('corners' in at) return at
    if (!other || nodes.length > other.nodes) other = { at, nodes: nodes.length }
  }
  return other?.at
}
