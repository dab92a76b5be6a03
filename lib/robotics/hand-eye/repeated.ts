import { distance, product, type Pose, type Vector } from '../pose'
import { angleOf, conjugated, degrees, ofRotationVector, rotationVectorOf } from '../quaternion'
import type { Station } from './station'

/** What a robot reports if it is sent to the same pose again: metres and degrees. */
const again = { metres: 0.0005, degrees: 0.05 }

/** Stations of which no two are at the same pose of the robot. */
export interface DistinctStations {
  stations: Station[]
  /** For each of the given stations, the index of the one that it is part of. */
  partOf: number[]
}

/**
 * Makes one station of all at the same pose of the robot, with the mean of what was seen there. A second look from the
 * same pose shows the camera's noise, but repeats the robot's error, and says nothing new about where the camera is: as
 * a pose of its own it would make the result look more certain than it is.
 */
export function distinct(given: readonly Station[]): DistinctStations {
  const groups: Station[][] = []
  const partOf = given.map((one) => {
    const known = groups.findIndex(([first]) => first && isSame(first.arm, one.arm))
    if (known < 0) return groups.push([one]) - 1
    groups[known]?.push(one)
    return known
  })
  return { stations: groups.flatMap(merged), partOf }
}

const isSame = (one: Pose, other: Pose) =>
  distance(one.position, other.position) < again.metres &&
  degrees(angleOf(product(conjugated(one.orientation), other.orientation))) < again.degrees

function merged(group: readonly Station[]): Station[] {
  const [first, ...others] = group
  if (!first || !others.length) return [...group]
  const from = first.seen.orientation
  const turns = group.map(({ seen }) => rotationVectorOf(product(conjugated(from), seen.orientation)))
  const seen: Pose = {
    position: mean(group.map((each) => each.seen.position)),
    orientation: product(from, ofRotationVector(mean(turns))),
  }
  return [{ ...first, seen }]
}

const mean = (vectors: readonly Vector[]): Vector => {
  const of = (axis: keyof Vector) => vectors.reduce((sum, each) => sum + each[axis], 0) / vectors.length
  return { x: of('x'), y: of('y'), z: of('z') }
}
