import { EigenvalueDecomposition, Matrix } from 'ml-matrix'
import { distance, type Pose, product, type Quaternion, type Vector } from '../pose'
import { angleOf, conjugated, degrees, rotationVectorOf } from '../rotation'

/** The rotations of a set of poses about one axis. */
export interface PrincipalAxis {
  /** Unit vector in the frame of the robot's hand. */
  axis: Vector
  /** Root mean square of the rotation between two poses about it. */
  degrees: number
}

/** How different the poses of a set are. */
export interface Spread {
  /** Largest rotation between two poses. */
  rotationDegrees: number
  /** Largest distance between two poses, metres. */
  translation: number
  /** Three orthogonal axes, in decreasing order of rotation. */
  axes: readonly [PrincipalAxis, PrincipalAxis, PrincipalAxis]
  /** Number of axes about which the poses rotate at all. A full robot needs two. */
  independentAxes: number
}

/** A smaller rotation is jogging inaccuracy. */
export const leastTurnDegrees = 2

/** From `one` to `other`, in the frame of `one`. */
export const turnBetween = (one: Pose, other: Pose): Quaternion =>
  product(conjugated(one.orientation), other.orientation)

/** @param poses of the robot's hand, metres */
export function spreadOf(poses: readonly Pose[]): Spread {
  const pairs = poses.flatMap((one, index) => poses.slice(index + 1).map((other) => [one, other] as const))
  const turns = pairs.map(([one, other]) => turnBetween(one, other))
  const axes = principalAxes(turns)
  return {
    rotationDegrees: degrees(Math.max(0, ...turns.map(angleOf))),
    translation: Math.max(0, ...pairs.map(([one, other]) => distance(one.position, other.position))),
    axes,
    independentAxes: axes.filter(({ degrees }) => degrees >= leastTurnDegrees).length,
  }
}

/** Sum of the squared rotation vectors, radians²: three by three. */
export function scatterOf(turns: readonly Quaternion[]): Matrix {
  const scatter = Matrix.zeros(3, 3)
  for (const turn of turns) {
    const { x, y, z } = rotationVectorOf(turn)
    const vector = Matrix.columnVector([x, y, z])
    scatter.add(vector.mmul(vector.transpose()))
  }
  return scatter
}

function principalAxes(turns: readonly Quaternion[]): Spread['axes'] {
  const scatter = scatterOf(turns).div(Math.max(1, turns.length))
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(scatter, {
    assumeSymmetric: true,
  })
  const axes = realEigenvalues.map((value, column): PrincipalAxis => {
    const [x = 0, y = 0, z = 0] = eigenvectorMatrix.getColumn(column)
    return { axis: pointedForward({ x, y, z }), degrees: degrees(Math.sqrt(Math.max(0, value))) }
  })
  return axes.sort((one, other) => other.degrees - one.degrees) as unknown as Spread['axes']
}

/** Of the two directions of an axis, the one whose largest component is positive. */
function pointedForward({ x, y, z }: Vector): Vector {
  const largest = [x, y, z].reduce((one, other) => (Math.abs(other) > Math.abs(one) + 1e-9 ? other : one))
  const sign = largest < 0 ? -1 : 1
  return { x: sign * x + 0, y: sign * y + 0, z: sign * z + 0 }
}

/** Two poses, by index, that contribute the same to the calibration. */
export interface NearDuplicate {
  poses: readonly [number, number]
  degrees: number
  metres: number
}

const alikeDegrees = 3
const alikeMetres = 0.02

/** The pairs of poses that are less than 3 degrees and 20 mm apart. */
export const nearDuplicates = (poses: readonly Pose[]): NearDuplicate[] =>
  poses.flatMap((one, index) =>
    poses.flatMap((other, otherIndex): NearDuplicate[] => {
      if (otherIndex <= index) return []
      const turn = degrees(angleOf(turnBetween(one, other)))
      const metres = distance(one.position, other.position)
      if (turn >= alikeDegrees || metres >= alikeMetres) return []
      return [{ poses: [index, otherIndex], degrees: turn, metres }]
    }),
  )

/** The number of poses if nearly identical ones count as one. */
export function distinctPoses(poses: readonly Pose[]): number {
  const repeated = new Set(nearDuplicates(poses).map(({ poses: [, later] }) => later))
  return poses.length - repeated.size
}
