import { inverse, Matrix, solve } from 'ml-matrix'
import {
  angleOf,
  conjugated,
  degrees,
  ofRotationVector,
  product,
  rotated,
  type Pose,
  type Vector,
} from '../../robotics'
import type { Camera } from '../depth/disparity'
import { planeStart, type Correspondence } from './plane-start'

/** A pose that explains the picture. */
export interface FittedPose {
  /** Of the grid in the camera's frame, metres. */
  pose: Pose
  /** Root mean square distance between seen and expected corners, pixels. */
  rms: number
  /** The distance at each corner, pixels. */
  errors: number[]
  /** What the picture says of a rotation about the camera's axes (radians) and of the position (metres), for 1 pixel. */
  information: Matrix
}

/** Steps of an iteration, and the change of the rms at which it ends, pixels. */
const rounds = 30
const still = 1e-7
/** Two poses that are as near as this are the same, degrees. */
const sameDegrees = 0.5

/**
 * The pose that explains the corners best. The grid is in front of the camera.
 *
 * @returns undefined if the corners determine none; with the other pose that explains them nearly as well, if there is one
 */
export function fitPose(
  points: readonly Correspondence[],
  camera: Camera,
): { best: FittedPose; other?: FittedPose } | undefined {
  const start = planeStart(points, camera)
  const first = start && improved(points, camera, start)
  if (!first) return undefined
  const second = improved(points, camera, tiltedBack(first.pose))
  if (!second || isSame(first.pose, second.pose)) return { best: first }
  return second.rms < first.rms ? { best: second, other: first } : { best: first, other: second }
}

const isSame = (one: Pose, other: Pose) =>
  degrees(angleOf(product(conjugated(one.orientation), other.orientation))) < sameDegrees

/** A small grid looks nearly the same when it is tilted the other way about the line of sight. */
function tiltedBack({ position, orientation }: Pose): Pose {
  const length = Math.hypot(position.x, position.y, position.z)
  const half = { w: 0, x: position.x / length, y: position.y / length, z: position.z / length }
  return { position, orientation: product(product(half, orientation), { w: 0, x: 0, y: 0, z: 1 }) }
}

/** Gauss-Newton with Levenberg's damping, on rotation and position in the camera's frame. */
function improved(points: readonly Correspondence[], camera: Camera, start: Pose): FittedPose | undefined {
  let pose = start
  let here = linearized(points, camera, pose)
  let damping = 1e-6
  for (let round = 0; here && round < rounds; round++) {
    const damped = here.normal.clone()
    for (let at = 0; at < 6; at++) damped.set(at, at, damped.get(at, at) * (1 + damping))
    const step = solve(damped, here.gradient).to1DArray() as [number, number, number, number, number, number]
    const next = moved(pose, step)
    const there = linearized(points, camera, next)
    if (there && there.squares < here.squares) {
      const gain = here.rms - there.rms
      ;[pose, here, damping] = [next, there, damping / 10]
      if (gain < still) break
    } else if (damping > 1e6) break
    else damping = Math.max(damping, 1e-6) * 30
  }
  return here && { pose, rms: here.rms, errors: here.errors, information: here.normal }
}

function moved(
  { position, orientation }: Pose,
  [rx, ry, rz, x, y, z]: readonly [number, number, number, number, number, number],
): Pose {
  return {
    position: { x: position.x + x, y: position.y + y, z: position.z + z },
    orientation: product(ofRotationVector({ x: rx, y: ry, z: rz }), orientation),
  }
}

/** @returns undefined if a corner would be behind the camera */
function linearized(points: readonly Correspondence[], camera: Camera, { position, orientation }: Pose) {
  const { focalLength: focal, principalPoint } = camera
  const normal = Matrix.zeros(6, 6)
  const gradient = Matrix.zeros(6, 1)
  let squares = 0
  const errors: number[] = []
  for (const { place, at } of points) {
    const arm = rotated({ x: place.x, y: place.y, z: 0 }, orientation)
    const [x, y, z] = [arm.x + position.x, arm.y + position.y, arm.z + position.z]
    if (!(z > 1e-6)) return undefined
    const [u, v] = [x / z, y / z]
    const ex = at.x - principalPoint.u - focal * u
    const ey = at.y - principalPoint.v - focal * v
    squares += ex * ex + ey * ey
    errors.push(Math.hypot(ex, ey))
    const scale = focal / z
    addRow(normal, gradient, rowOf(arm, scale, u, 'x'), ex)
    addRow(normal, gradient, rowOf(arm, scale, v, 'y'), ey)
  }
  return { normal, gradient, squares, rms: Math.sqrt(squares / points.length), errors }
}

/** How a coordinate in the picture changes: about x, y, z, and along them. */
function rowOf({ x, y, z }: Vector, scale: number, ratio: number, axis: 'x' | 'y'): number[] {
  return axis === 'x'
    ? [-ratio * y * scale, (z + ratio * x) * scale, -y * scale, scale, 0, -ratio * scale]
    : [-(z + ratio * y) * scale, ratio * x * scale, x * scale, 0, scale, -ratio * scale]
}

function addRow(normal: Matrix, gradient: Matrix, row: readonly number[], error: number): void {
  for (let one = 0; one < 6; one++) {
    const value = row[one] as number
    if (value === 0) continue
    gradient.set(one, 0, gradient.get(one, 0) + value * error)
    for (let other = 0; other < 6; other++)
      normal.set(one, other, normal.get(one, other) + value * (row[other] as number))
  }
}

/** Standard deviations of a pose: metres across and along the line of sight, and degrees about any axis. */
export interface PoseUncertainty {
  across: number
  along: number
  degrees: number
}

/** @param pixels standard deviation of a corner's coordinate */
export function uncertaintyOf({ information, pose }: FittedPose, pixels: number): PoseUncertainty {
  const covariance = inverse(information).mul(pixels * pixels)
  const { x, y, z } = pose.position
  const length = Math.hypot(x, y, z)
  const sight = Matrix.columnVector([x / length, y / length, z / length])
  const moves = covariance.subMatrix(3, 5, 3, 5)
  const along = sight.transpose().mmul(moves).mmul(sight).get(0, 0)
  const all = moves.trace()
  return {
    across: Math.sqrt(Math.max(0, all - along) / 2),
    along: Math.sqrt(Math.max(0, along)),
    degrees: degrees(Math.sqrt(covariance.subMatrix(0, 2, 0, 2).trace() / 3)),
  }
}
