import { angleOf, conjugated, radians } from '../robotics/rotation'
import { product, type Pose } from '../robotics/pose'

/** How far a robot at rest may read its own pose differently: 1 mm and 0.5°. */
const nearest = { metres: 0.001, radians: radians(0.5) } as const

/** Whether two poses are one for a robot at rest. */
export function isSamePose(one: Pose, other: Pose): boolean {
  const { x, y, z } = one.position
  const { x: a, y: b, z: c } = other.position
  return (
    Math.hypot(x - a, y - b, z - c) <= nearest.metres &&
    angleOf(product(conjugated(one.orientation), other.orientation)) <= nearest.radians
  )
}
