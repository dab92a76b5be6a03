import { distance, product, type Pose } from '../robotics/pose'
import { angleOf, conjugated, degrees } from '../robotics/rotation'

/** The difference between two poses. */
export interface PoseDifference {
  metres: number
  degrees: number
}

/** A robot that is farther from where it was sent, or from where it was left, is not where the plan believes. */
const tolerated: PoseDifference = { metres: 0.001, degrees: 0.2 }

/** How far one pose is from another. */
export const differenceOf = (one: Pose, other: Pose): PoseDifference => ({
  metres: distance(one.position, other.position),
  degrees: degrees(angleOf(product(conjugated(one.orientation), other.orientation))),
})

/** The difference if it is more than 1 mm or 0.2°. */
export function missedBy(wanted: Pose, actual: Pose): PoseDifference | undefined {
  const off = differenceOf(wanted, actual)
  return off.metres > tolerated.metres || off.degrees > tolerated.degrees ? off : undefined
}
