import { conjugated, product, type Pose } from '../../robotics'
import type { Camera } from '../depth/disparity'
import { fitPose, uncertaintyOf, type FittedPose, type PoseUncertainty } from './grid-pose'
import type { Correspondence } from './plane-start'
import type { Grey } from './grey'
import { turnedHalf, type PatternCorner } from './on-pattern'
import { cornerPlace, type GridPattern } from './pattern'
import { refined } from './sub-pixel'

/** A grid as a camera sees it. */
export interface SeenGrid {
  /** Of its centre in the camera's frame, metres: x to its right, y down, z into it. */
  pose: Pose
  /** Inner corners that were seen, and those of the pattern. */
  corners: number
  ofCorners: number
  /** Root mean square distance of the corners from where the pose puts them, pixels. */
  error: number
  /** Expected from the corners' own scatter. What the camera's calibration is wrong about is not in it. */
  uncertainty: PoseUncertainty
  /** It could be turned by 180°: the pattern has no marked corner, and nothing was said of what is expected. */
  isEitherWay: boolean
}

/** What is known of the grid beforehand. */
export interface GridSearchOptions {
  /**
   * Roughly how it is expected in the camera's frame: decides between two poses that differ by 180°, for patterns without
   * a marked corner, if it is less than 90° off.
   */
  near?: Pose
}

/** Of the distance between two corners, what is looked at around each; and within these pixels. */
const window = { share: 0.42, least: 2.5, most: 9 }
/** A corner that is farther from where the others put it is not one, pixels; and as a multiple of their rms. */
const astray = { pixels: 0.35, times: 3.5 }
/** Worse than this it is no plane with squares, pixels. */
const mostError = 0.6
/** Corners are never better than this, pixels. */
const leastScatter = 0.02
/** The other tilt explains the picture nearly as well, by this factor. */
const asGood = 1.15

/** The corners in the whole picture, to a fraction of a pixel. */
export function measuredCorners(
  whole: Grey,
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

/** @returns undefined if the corners are not those of a plane; `unclear` if it could as well be tilted the other way */
export function gridFrom(
  corners: readonly PatternCorner[],
  pattern: GridPattern,
  camera: Camera,
  { near }: GridSearchOptions,
): SeenGrid | 'unclear' | undefined {
  const ofCorners = (pattern.columns - 1) * (pattern.rows - 1)
  let kept = [...corners]
  for (;;) {
    if (kept.length < 0.4 * ofCorners) return undefined
    const points: Correspondence[] = kept.map(({ column, row, at }) => ({
      place: cornerPlace(pattern, column, row),
      at,
    }))
    const fitted = fitPose(points, camera)
    if (!fitted) return undefined
    const { best, other } = fitted
    const limit = Math.max(astray.pixels, astray.times * middle(best.errors))
    const good = kept.filter((_, index) => (best.errors[index] ?? 0) <= limit)
    if (good.length < kept.length) {
      kept = good
      continue
    }
    if (best.rms > mostError) return undefined
    if (other && other.rms < asGood * best.rms) return 'unclear'
    const turned = turnedHalf(kept, pattern) !== undefined
    return {
      pose: turned ? nearest(best.pose, near) : best.pose,
      corners: kept.length,
      ofCorners,
      error: best.rms,
      uncertainty: uncertaintyOf(best, scatterOf(best, kept.length)),
      isEitherWay: turned && !near,
    }
  }
}

/** Of one coordinate, after the six numbers of the pose took their share. */
const scatterOf = ({ rms }: FittedPose, corners: number) =>
  Math.max(leastScatter, rms * Math.sqrt(corners / (2 * corners - 6)))

const middle = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0

/** Of two poses that differ by half a turn about the grid's normal, the one that needs less turning. */
function nearest(pose: Pose, near: Pose | undefined): Pose {
  const turned: Pose = {
    position: pose.position,
    orientation: product(pose.orientation, { w: 0, x: 0, y: 0, z: 1 }),
  }
  const expected = near?.orientation ?? { w: 1, x: 0, y: 0, z: 0 }
  const { w, z } = product(conjugated(expected), pose.orientation)
  return Math.abs(w) >= Math.abs(z) ? pose : turned
}
