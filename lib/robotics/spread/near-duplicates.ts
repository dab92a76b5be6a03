import { distance, type Pose } from '../pose'
import { angleOf, degrees } from '../quaternion'
import { turnBetween } from './spread'

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
