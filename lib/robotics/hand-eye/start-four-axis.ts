import { product, rotated, type Quaternion, type Vector } from '../pose'
import { conjugated, normalized, ofRotationVector, rotationVectorOf } from '../quaternion'
import { matrixOf } from '../rotation-matrix'
import { leastSquares } from './start'
import type { Station, Unknowns } from './station'
import { sumOf } from './sums'

/** A coordinate of a position that is given, metres. */
export interface GivenCoordinate {
  of: 'camera' | 'grid'
  axis: 'x' | 'y' | 'z'
  value: number
}

/**
 * Closed-form initial solution for robots that turn about one axis. The rotations seen by the camera give that axis in
 * its own frame, hence its orientation up to one angle. Cosine and sine of this angle and the positions are a linear
 * least-squares problem; along the axis the positions are determined only up to a common shift, which the given
 * coordinate fixes.
 */
export function startOfFourAxisRobot(stations: readonly Station[], given: GivenCoordinate): Unknowns {
  const { arm: axis, seen: seenAxis } = commonAxes(stations)
  const aligned = turnFrom(seenAxis, axis)
  const left: number[][] = []
  const right: number[][] = []
  for (const { arm, seen } of stations) {
    const view = rotated(seen.position, aligned)
    const along = dotOf(axis, view)
    const kept = times(axis, along)
    const cosine = rotated(minus(view, kept), arm.orientation)
    const sine = rotated(cross(axis, view), arm.orientation)
    const constant = rotated(kept, arm.orientation)
    const m = matrixOf(arm.orientation)
    const rows = [m.slice(0, 3), m.slice(3, 6), m.slice(6, 9)]
    for (const [row, name] of (['x', 'y', 'z'] as const).entries()) {
      const grid = [0, 0, 0]
      grid[row] = -1
      left.push([cosine[name], sine[name], ...(rows[row] ?? []), ...grid])
      right.push([-arm.position[name] - constant[name]])
    }
  }
  const offset = 2 + ['x', 'y', 'z'].indexOf(given.axis) + (given.of === 'grid' ? 3 : 0)
  const heavy = left.length * 1000
  left.push(Array.from({ length: 8 }, (_, column) => (column === offset ? heavy : 0)))
  right.push([heavy * given.value])
  const [c = 1, s = 0, a = 0, b = 0, d = 0, e = 0, f = 0, g = 0] = leastSquares(left, right)
  const camera = product(ofRotationVector(times(axis, Math.atan2(s, c))), aligned)
  const [first] = stations
  const grid = first ? product(product(first.arm.orientation, camera), first.seen.orientation) : camera
  const unknowns: Unknowns = {
    camera: { position: { x: a, y: b, z: d }, orientation: camera },
    grid: { position: { x: e, y: f, z: g }, orientation: grid },
  }
  unknowns[given.of].position[given.axis] = given.value
  return unknowns
}

/** The common axis of all rotations, in the frame after the arm and in the camera's frame; both point the same way. */
function commonAxes(stations: readonly Station[]): { arm: Vector; seen: Vector } {
  const turns = stations.flatMap((one, index) =>
    stations.slice(index + 1).map((other) => ({
      arm: rotationVectorOf(product(conjugated(one.arm.orientation), other.arm.orientation)),
      seen: rotationVectorOf(product(one.seen.orientation, conjugated(other.seen.orientation))),
    })),
  )
  const [widest] = [...turns].sort((one, other) => dotOf(other.arm, other.arm) - dotOf(one.arm, one.arm))
  const direction = widest?.arm ?? { x: 0, y: 0, z: 1 }
  const mean = (of: 'arm' | 'seen') =>
    unit({
      x: sumOf(turns, (turn) => dotOf(turn.arm, direction) * turn[of].x),
      y: sumOf(turns, (turn) => dotOf(turn.arm, direction) * turn[of].y),
      z: sumOf(turns, (turn) => dotOf(turn.arm, direction) * turn[of].z),
    })
  return { arm: mean('arm'), seen: mean('seen') }
}

/** The shortest rotation from one direction to another. */
function turnFrom(from: Vector, to: Vector): Quaternion {
  const cosine = dotOf(from, to)
  // Opposite directions: half a turn about any perpendicular axis.
  if (cosine < -1 + 1e-9) {
    const across = Math.abs(from.x) < 0.7 ? { x: 1, y: 0, z: 0 } : { x: 0, y: 1, z: 0 }
    return normalized({ w: 0, ...cross(from, across) })
  }
  return normalized({ w: 1 + cosine, ...cross(from, to) })
}

const dotOf = (a: Vector, b: Vector) => a.x * b.x + a.y * b.y + a.z * b.z
const times = ({ x, y, z }: Vector, factor: number): Vector => ({
  x: factor * x,
  y: factor * y,
  z: factor * z,
})
const minus = (a: Vector, b: Vector): Vector => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z })
const unit = (vector: Vector) => times(vector, 1 / Math.max(1e-30, Math.sqrt(dotOf(vector, vector))))
const cross = (a: Vector, b: Vector): Vector => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
})
