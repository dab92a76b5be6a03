import { distance, product, type Pose } from '../pose'
import { angleOf, conjugated, degrees, ofRotationVector, rotationVectorOf } from '../quaternion'

/** Straight from one pose to another in steps of at most this size; without the first pose, with the last. */
export function stepsTo(from: Pose, to: Pose, step: { metres: number; degrees: number }): Pose[] {
  const turn = product(conjugated(from.orientation), to.orientation)
  const count = Math.ceil(
    Math.max(1, distance(from.position, to.position) / step.metres, degrees(angleOf(turn)) / step.degrees) -
      1e-9,
  )
  const { x, y, z } = rotationVectorOf(turn)
  return Array.from({ length: count }, (_, index): Pose => {
    if (index + 1 === count) return to
    const share = (index + 1) / count
    const along = (axis: 'x' | 'y' | 'z') =>
      from.position[axis] + share * (to.position[axis] - from.position[axis])
    return {
      position: { x: along('x'), y: along('y'), z: along('z') },
      orientation: product(from.orientation, ofRotationVector({ x: share * x, y: share * y, z: share * z })),
    }
  })
}
