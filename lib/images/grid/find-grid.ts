/** Finds a calibration grid in a picture, and measures its pose with its uncertainty. Start here. */
import { conjugated, product, type Pose } from '../../robotics'
import type { Camera } from '../depth'
import {
  covarianceOf,
  fitPose,
  uncertaintyOf,
  type FittedPose,
  type PoseUncertainty,
  planeMisfit,
  type Correspondence,
} from './grid-pose'
import {
  turnedHalf,
  type PatternCorner,
  cornerPlace,
  type GridPattern,
  onPattern,
  type OnPattern,
  checkedPattern,
} from './pattern'
import { refined, type SmoothPicture, greyOf, halved, type Grey, saddlesIn, smoothed } from './saddles'
import { inSlices } from '../../kernel/timers'
import type { Pixels } from '../picture'
import { crossingAt, type Crossing, CrossingMap, latticeFrom } from './lattice'

/** A detected grid. */
export interface SeenGrid {
  /** Of its centre in the camera's frame, metres. */
  pose: Pose
  /** Inner corners: detected, and in the pattern. */
  corners: number
  ofCorners: number
  error: number
  /** From the scatter of the corners; errors of the camera's calibration are not included. */
  uncertainty: PoseUncertainty
  /** Of rotations about the camera's axes (radians), then of the position (metres). */
  covariance: number[][]
  /** Ambiguous by 180°: the pattern has no marked corner, and `near` was not given. */
  isEitherWay: boolean
  /** If the picture is not rectified properly: largest shift of a corner, pixels. */
  distortion?: { pixels: number }
}

/** The pattern's corners, but no plane with squares explains them. */
export interface MisshapenGrid {
  misfit: 'unclear' | 'bent' | 'proportions'
  /** Root mean square reprojection error, pixels. */
  pixels: number
}

/** What is known about the grid in advance. */
export interface GridSearchOptions {
  /** Approximate pose in the camera's frame, less than 90° off: resolves the 180° ambiguity of symmetric patterns. */
  near?: Pose
}

/** Search window around a corner, as a share of the distance between two corners; limits in pixels. */
const window = { share: 0.42, least: 2.5, most: 9 }

/** Outliers: farther than this from the fit, pixels, and as a multiple of the rms. */
const astray = { pixels: 0.35, times: 3.5 }

/** Pixels: worse fits are no plane with squares. Also the share to which two coefficients model a lens. */
const mostError = 0.6

const lensError = 0.02

/** Share of the pattern's corners that must agree, and of the detected ones above which a picture is not distorted. */
const leastInliers = 0.4

const mostlyInliers = 0.9

/** A fit within these pixels is rectified; another one is not if modelling the distortion leaves less than this share. */
const rectified = { pixels: 0.1, share: 0.7 }

const leastScatter = 0.02 // pixels: lower bound of the corner noise

const asGood = 1.15 // factor up to which the other tilt explains the picture nearly as well

/** Subpixel corners in the whole picture. */
export function measuredCorners(
  whole: SmoothPicture,
  corners: readonly PatternCorner[],
  scale: number,
): PatternCorner[] {
  const places = new Map(corners.map((corner) => [`${corner.column},${corner.row}`, corner.at]))
  const distances = corners.flatMap(({ column, row, at }) =>
    [places.get(`${column + 1},${row}`), places.get(`${column},${row + 1}`)].flatMap((next) =>
      next ? [scale * Math.hypot(next.x - at.x, next.y - at.y)] : [],
    ),
  )
  const nearest = distances.sort((one, other) => one - other)[Math.floor(distances.length / 20)] ?? 0
  const radius = Math.min(window.most * scale, Math.max(window.least, window.share * nearest))
  return corners.flatMap((corner) => {
    const offset = (scale - 1) / 2
    const near = { x: scale * corner.at.x + offset, y: scale * corner.at.y + offset }
    const at = refined(whole, near, radius)
    return at ? [{ ...corner, at }] : []
  })
}

/**
 * The pose of the grid. If no flat grid in a rectified picture explains the corners, the distortion is fitted too.
 *
 * @returns or the reason: the tilt is ambiguous; the board is bent or the picture distorted in another way; or the
 * board is flat and has other proportions than stated. Undefined if too few corners belong together
 */
export function gridFrom(
  corners: readonly PatternCorner[],
  pattern: GridPattern,
  camera: Camera,
  { near }: GridSearchOptions,
): SeenGrid | MisshapenGrid | undefined {
  const ofCorners = (pattern.columns - 1) * (pattern.rows - 1)
  if (corners.length < leastInliers * ofCorners) return undefined
  const plain = fittedTo(corners, pattern, camera, false)
  const isClear =
    plain && plain.inliers.length >= mostlyInliers * corners.length && plain.best.rms <= rectified.pixels
  const bent = isClear ? undefined : fittedTo(corners, pattern, camera, true)
  const found = !plain || (bent && isBetter(bent, plain)) ? bent : plain
  if (!found) {
    const all = fitPose(correspondences(corners, pattern), camera, { isDistorted: true })?.best
    const flat = planeMisfit(correspondences(corners, pattern))
    return { misfit: flat < mostError ? 'proportions' : 'bent', pixels: all?.rms ?? flat }
  }
  const { inliers, best, other } = found
  if (other && other.rms < asGood * best.rms) return { misfit: 'unclear', pixels: best.rms }
  const turned = turnedHalf(inliers, pattern) !== undefined
  const covariance = covarianceOf(best, correspondences(inliers, pattern), camera, leastScatter)
  return {
    pose: turned ? nearest(best.pose, near) : best.pose,
    corners: inliers.length,
    ofCorners,
    error: best.rms,
    uncertainty: uncertaintyOf(best.pose, covariance),
    covariance: covariance.to2DArray(),
    isEitherWay: turned && !near,
    ...(found === bent && { distortion: { pixels: largestShift(inliers, camera, best) } }),
  }
}

/** The distortion of the picture explains what no pose does. */
const isBetter = (bent: AgreedPose, plain: AgreedPose): boolean =>
  bent.inliers.length > plain.inliers.length ||
  (bent.inliers.length === plain.inliers.length && bent.best.rms < rectified.share * plain.best.rms)

type AgreedPose = NonNullable<ReturnType<typeof fitPose>> & { inliers: readonly PatternCorner[] }

/** The pose with the most inliers; undefined if there are too few. */
function fittedTo(
  corners: readonly PatternCorner[],
  pattern: GridPattern,
  camera: Camera,
  isDistorted: boolean,
): AgreedPose | undefined {
  const ofCorners = (pattern.columns - 1) * (pattern.rows - 1)
  let inliers = [...corners]
  while (inliers.length >= leastInliers * ofCorners) {
    const fitted = fitPose(correspondences(inliers, pattern), camera, { isDistorted })
    if (!fitted) return undefined
    const { errors, rms } = fitted.best
    const limit = Math.max(astray.pixels, astray.times * middle(errors))
    const good = inliers.filter((_, index) => (errors[index] ?? 0) <= limit)
    if (good.length === inliers.length) {
      const most = Math.max(mostError, lensError * largestShift(inliers, camera, fitted.best))
      return rms > most ? undefined : { inliers, ...fitted }
    }
    inliers = good
  }
  return undefined
}

const correspondences = (corners: readonly PatternCorner[], pattern: GridPattern): Correspondence[] =>
  corners.map(({ column, row, at }) => ({ place: cornerPlace(pattern, column, row), at }))

/** Largest shift of a corner by the distortion, pixels. */
function largestShift(
  corners: readonly PatternCorner[],
  { focalLength, principalPoint }: Camera,
  { distortion: { k1, k2 } }: FittedPose,
): number {
  const shifts = corners.map(({ at }) => {
    const square = ((at.x - principalPoint.u) ** 2 + (at.y - principalPoint.v) ** 2) / focalLength ** 2
    return Math.abs(focalLength * Math.sqrt(square) * (k1 + k2 * square) * square)
  })
  return Math.max(...shifts)
}

const middle = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0

/** Of two poses that differ by half a turn about the grid's normal, the one closer to `near`. */
function nearest(pose: Pose, near: Pose | undefined): Pose {
  const turned: Pose = {
    position: pose.position,
    orientation: product(pose.orientation, { w: 0, x: 0, y: 0, z: 1 }),
  }
  const expected = near?.orientation ?? { w: 1, x: 0, y: 0, z: 0 }
  const { w, z } = product(conjugated(expected), pose.orientation)
  return Math.abs(w) >= Math.abs(z) ? pose : turned
}

/** Why no grid was found. */
export type GridMiss =
  | { found: false; reason: 'nothing' }
  /** A checkerboard of this many squares, fewer than the pattern has. */
  | { found: false; reason: 'partly'; columns: number; rows: number }
  /** A checkerboard with other numbers of squares. */
  | { found: false; reason: 'other'; columns: number; rows: number }
  /** So small or blurred that the tilt is ambiguous. */
  | { found: false; reason: 'unclear' }
  /** Complete, but no flat grid of that size: the board is bent, the picture distorted, or the proportions are wrong. */
  | { found: false; reason: 'bent' | 'proportions'; pixels: number }

const slice = 4 // milliseconds for which the event loop is held at most

/** Pixels: wider pictures are halved for the search; corners are measured in the full one. */
const widest = 1700

const narrowest = 160 // pixels: narrower ones show no squares

const mostSeeds = 40 // seeds that are tried

const fewest = 9 // nodes of the smallest lattice

/**
 * Searches a rectified picture for a calibration grid. Holds the event loop for 4 ms at most; 1.3 megapixels take about
 * 50 ms of computing. @throws RangeError for an unsupported pattern or picture
 */
export const findGrid = (
  picture: Pixels & Camera,
  pattern: GridPattern,
  options: GridSearchOptions = {},
  isOver?: () => boolean,
): Promise<({ found: true } & SeenGrid) | GridMiss> =>
  inSlices(gridSteps(picture, pattern, options), isOver, slice)

/** {@link findGrid} in steps of about a millisecond. */
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

/** The lattice that matches the pattern; otherwise the largest other one. */
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
    if (!at) continue
    if ('corners' in at) return at
    if (!other || nodes.length > other.nodes) other = { at, nodes: nodes.length }
  }
  return other?.at
}
