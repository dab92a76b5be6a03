import { fQuantile } from '../hand-eye/certainty'
import type { HandEyeOptions } from '../hand-eye/solve'
import { type HandEyeObservation, residualCount, station, unknownCount } from '../hand-eye/station'
import type { Pose, Quaternion } from '../pose'
import {
  degrees,
  type EulerAngles,
  type EulerAxes,
  eulerOf,
  ofEuler,
  ofRotationVector,
  rotationVectorOf,
} from '../rotation'
import { fitOf, robotShares, usualShare, weightsOf } from './subset'

/** What can be wrong with all poses. */
type Mistake =
  /** Or the robot sends the pose of its base in the hand: both look the same. */
  | { kind: 'mounting' }
  /** The robot's positions are a thousand times too large, or too small. */
  | { kind: 'millimetres-for-metres' | 'metres-for-millimetres' }
  /** The robot's angles, or its rotation vector, are in radians and were read as degrees. */
  | { kind: 'radians-for-degrees' }
  /** The first and the last of the three angles are exchanged. */
  | { kind: 'angles-swapped'; axes: EulerAxes }
  /** The three angles are those of another order of axes. */
  | { kind: 'angle-order'; read: EulerAxes; meant: EulerAxes }
  /** All seen distances are too large or too small by this factor, as with a wrong grid size. */
  | { kind: 'grid-size'; factor: number }

/** A mistake in all poses of a set. */
export type SetMistake = Mistake & {
  /** Root mean square of what a pose is off by, as the set is and as it would be without the mistake; metres. */
  misfit: number
  misfitWithout: number
}

/** Up to this a set is merely noisy: metres. */
const suspicious = 0.0015
/** A set without its mistake fits this much better. */
const clearly = 10
/** With few poses another mounting fits nearly as well. */
const fewest = 5
/** A grid is rarely measured better than this. */
const leastFactor = 0.003
/** Of good sets, this share may seem to have another grid size. */
const falseAlarm = 1e-6

const orders: readonly EulerAxes[] = [
  ['z', 'y', 'x'],
  ['x', 'y', 'z'],
  ['z', 'y', 'z'],
]

/**
 * Finds a mistake that all poses have in common, by trying the usual ones: the mounting, millimetres for metres and the
 * reverse, radians for degrees, swapped angles, angles of another maker, the size of the grid. Only what makes a set fit ten times better is a
 * mistake; for the grid, what cannot be noise.
 *
 * @returns undefined if the set fits as it is, or better with none of these
 */
export function setMistake(
  observations: readonly HandEyeObservation[],
  options: HandEyeOptions,
): SetMistake | undefined {
  if (observations.length < fewest) return undefined
  const misfit = misfitOf(observations, options)
  const best = misfit < suspicious ? undefined : bestVariant(observations, options)
  if (!best || best.misfitWithout > misfit / clearly) return gridSize(observations, options, misfit)
  return { ...best.mistake, misfit, misfitWithout: best.misfitWithout }
}

function bestVariant(observations: readonly HandEyeObservation[], options: HandEyeOptions) {
  const tried = variants(observations, options).map(({ mistake, set, as }) => ({
    mistake,
    misfitWithout: misfitOf(set, as),
  }))
  return tried.sort((one, other) => one.misfitWithout - other.misfitWithout)[0]
}

interface Variant {
  mistake: Mistake
  set: readonly HandEyeObservation[]
  as: HandEyeOptions
}

function variants(observations: readonly HandEyeObservation[], options: HandEyeOptions): Variant[] {
  const ofRobot = (mistake: Mistake, change: (robot: Pose) => Pose): Variant => ({
    mistake,
    set: observations.map(({ robot, grid }) => ({ robot: change(robot), grid })),
    as: options,
  })
  const reordered = orders.flatMap((read) =>
    orders.flatMap((meant) =>
      read === meant
        ? []
        : [
            ofRobot({ kind: 'angle-order', read, meant }, ({ position, orientation }) => ({
              position,
              orientation: ofEuler(meant, eulerOf(read, orientation)),
            })),
          ],
    ),
  )
  const inDegrees = (angles: EulerAngles): EulerAngles => angles.map(degrees) as unknown as EulerAngles
  const asRadians = [
    ...orders.map(
      (axes) => (orientation: Quaternion) => ofEuler(axes, inDegrees(eulerOf(axes, orientation))),
    ),
    (orientation: Quaternion) => {
      const { x, y, z } = rotationVectorOf(orientation)
      return ofRotationVector({ x: degrees(x), y: degrees(y), z: degrees(z) })
    },
  ].map((turned) =>
    ofRobot({ kind: 'radians-for-degrees' }, ({ position, orientation }) => ({
      position,
      orientation: turned(orientation),
    })),
  )
  const other = { ...options, robotMounted: !options.robotMounted }
  return [
    ...(options.fourAxis ? [] : [{ mistake: { kind: 'mounting' } as const, set: observations, as: other }]),
    ofRobot({ kind: 'millimetres-for-metres' }, (robot) => scaled(robot, 0.001)),
    ofRobot({ kind: 'metres-for-millimetres' }, (robot) => scaled(robot, 1000)),
    ...orders.map((axes) =>
      ofRobot({ kind: 'angles-swapped', axes }, ({ position, orientation }) => {
        const [a, b, c] = eulerOf(axes, orientation)
        return { position, orientation: ofEuler(axes, [c, b, a]) }
      }),
    ),
    ...reordered,
    ...asRadians,
  ]
}

const scaled = ({ position: { x, y, z }, orientation }: Pose, by: number): Pose => ({
  position: { x: by * x, y: by * y, z: by * z },
  orientation,
})

/** The factor between seen and true distances that fits best, by halving around the best of a coarse search. */
function gridSize(
  observations: readonly HandEyeObservation[],
  options: HandEyeOptions,
  misfit: number,
): SetMistake | undefined {
  const sized = (factor: number) =>
    observations.map(({ robot, grid }) => ({ robot, grid: scaled(grid, 1 / factor) }))
  const at = (factor: number) => misfitOf(sized(factor), options)
  let best = 1
  let least = misfit
  for (let step = Math.LN2 / 8; step > 1e-4;) {
    const [up, down] = [best * Math.exp(step), best / Math.exp(step)]
    const [above, below] = [at(up), at(down)]
    if (Math.min(above, below) >= least) step /= 2
    else [best, least] = above < below ? [up, above] : [down, below]
    if (best > 4 || best < 0.25) return undefined
  }
  if (Math.abs(best - 1) < leastFactor) return undefined
  // However noisy the robot is beside the camera, chance does not explain it.
  const freedom = residualCount * observations.length - unknownCount
  const chance = fQuantile(1 - falseAlarm, 1, freedom - 1)
  const isClear = robotShares.every((share) => {
    const [as, without] = [misfitOf(observations, options, share), misfitOf(sized(best), options, share)]
    return ((as / without) ** 2 - 1) * (freedom - 1) > chance
  })
  return isClear ? { kind: 'grid-size', factor: best, misfit, misfitWithout: least } : undefined
}

/** The size of the grid alone, for sets whose other mistakes are excluded. @returns undefined if it is not to blame */
export const gridSizeMistake = (
  observations: readonly HandEyeObservation[],
  options: HandEyeOptions,
): SetMistake | undefined =>
  observations.length < fewest ? undefined : gridSize(observations, options, misfitOf(observations, options))

/** Root mean square of one error, as a distance, metres. */
function misfitOf(
  observations: readonly HandEyeObservation[],
  options: HandEyeOptions,
  share: number = usualShare,
): number {
  const stations = observations.map((each) => station(each, options.robotMounted))
  // The weights have no size: an error of one is a metre.
  const found = fitOf(stations, weightsOf(stations, options, share))
  return found ? Math.sqrt(found.squares / found.freedom) : Infinity
}
