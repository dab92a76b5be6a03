import { distance, product, type Pose, type Vector } from '../pose'
import { angleOf, conjugated, degrees } from '../quaternion'
import { isSighting, type Attempt } from './attempt'

/** Poses closer together than this are the same to a camera. */
const sameDegrees = 8
const sameMetres = 0.03
/** Beside a direction in which the grid was not seen, there is no use in going as far again. */
const besideDegrees = 40

/**
 * Whether a pose repeats a failure: nearly a pose at which the grid was not seen, or in the same direction from the
 * taught pose and at least as far.
 */
export function repeatsFailure(attempts: readonly Attempt[], robot: Pose): boolean {
  const taught = attempts[0]
  if (!taught) return false
  const way = turnTo(taught.robot, robot)
  return attempts.some((attempt) => {
    if (isSighting(attempt) || attempt.purpose === 'again') return false
    if (isSame(attempt.robot, robot)) return true
    if (attempt.purpose !== 'view') return false
    const failed = turnTo(taught.robot, attempt.robot)
    return angleBetween(way, failed) < besideDegrees && lengthOf(way) >= 0.8 * lengthOf(failed)
  })
}

export const isSame = (one: Pose, other: Pose): boolean =>
  degrees(angleOf(product(conjugated(one.orientation), other.orientation))) < sameDegrees &&
  distance(one.position, other.position) < sameMetres

/** The axis of the hand's rotation from one pose to another, in the base; longer for larger rotations. */
function turnTo(from: Pose, to: Pose): Vector {
  const { w, x, y, z } = product(to.orientation, conjugated(from.orientation))
  const sign = w < 0 ? -1 : 1
  return { x: sign * x, y: sign * y, z: sign * z }
}

const lengthOf = ({ x, y, z }: Vector) => Math.hypot(x, y, z)

function angleBetween(one: Vector, other: Vector): number {
  const scale = lengthOf(one) * lengthOf(other)
  if (scale < 1e-9) return 180
  const cosine = (one.x * other.x + one.y * other.y + one.z * other.z) / scale
  return degrees(Math.acos(Math.min(1, Math.max(-1, cosine))))
}
