/** The pose that explains the corners of a grid best, with its covariance. */
import { inverse, Matrix, solve, EigenvalueDecomposition } from 'ml-matrix'
import {
  angleOf,
  conjugated,
  degrees,
  ofRotationVector,
  product,
  rotated,
  type Pose,
  type Vector,
  quaternionOf,
} from '../../robotics'
import type { Camera } from '../depth'
import type { Point } from './saddles'

/** A point of the grid's plane and its pixel. */
export interface Correspondence {
  /** Metres from the grid's centre. */
  place: Point
  /** Pixels. */
  at: Point
}

/** Initial pose by direct linear transformation of the plane. @returns undefined if the points are on a line */
function planeStart(points: readonly Correspondence[], camera: Camera): Pose | undefined {
  const size = sizeOf(points)
  const map = projectiveMap(points, size, camera)
  if (!map) return undefined
  const column = (index: number): Vector => ({
    x: map[index] as number,
    y: map[index + 3] as number,
    z: map[index + 6] as number,
  })
  // In front of the camera, in metres.
  const [across, down, centre] = [column(0), column(1), column(2)]
  const scale = (Math.sign(centre.z) * 2) / (length(across) + length(down))
  if (!Number.isFinite(scale) || scale === 0) return undefined
  const x = scaled(across, 1 / length(across), Math.sign(scale))
  const flat = dot(x, down) * Math.sign(scale)
  const along = {
    x: Math.sign(scale) * down.x - flat * x.x,
    y: Math.sign(scale) * down.y - flat * x.y,
    z: Math.sign(scale) * down.z - flat * x.z,
  }
  if (!(length(along) > 1e-9 * length(down))) return undefined
  const y = scaled(along, 1 / length(along))
  const z = { x: x.y * y.z - x.z * y.y, y: x.z * y.x - x.x * y.z, z: x.x * y.y - x.y * y.x }
  return {
    position: scaled(centre, scale * size),
    orientation: quaternionOf([x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z]),
  }
}

const sizeOf = (points: readonly Correspondence[]) =>
  Math.max(...points.map(({ place }) => Math.hypot(place.x, place.y)))

/** Homography, row by row, from normalized plane coordinates to normalized pixels. */
function projectiveMap(
  points: readonly Correspondence[],
  size: number,
  { focalLength, principalPoint }: Camera,
): number[] | undefined {
  if (!(size > 0) || points.length < 4) return undefined
  const sums = Matrix.zeros(9, 9)
  for (const { place, at } of points) {
    const [x, y] = [place.x / size, place.y / size]
    const u = (at.x - principalPoint.u) / focalLength
    const v = (at.y - principalPoint.v) / focalLength
    for (const row of [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, -u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, -v],
    ])
      for (let one = 0; one < 9; one++)
        for (let other = 0; other < 9; other++)
          sums.set(one, other, sums.get(one, other) + (row[one] as number) * (row[other] as number))
  }
  const { eigenvectorMatrix } = new EigenvalueDecomposition(sums, { assumeSymmetric: true })
  return eigenvectorMatrix.getColumn(0)
}

/** Misfit of the points to a plane of any proportions: root mean square, pixels; infinite if they are on a line. */
export function planeMisfit(points: readonly Correspondence[]): number {
  const size = sizeOf(points)
  const [u, v] = [mean(points.map(({ at }) => at.x)), mean(points.map(({ at }) => at.y))]
  const focalLength = Math.max(...points.map(({ at }) => Math.hypot(at.x - u, at.y - v)))
  const map = projectiveMap(points, size, { focalLength, principalPoint: { u, v } })
  if (!map) return Infinity
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = map
  const squares = points.map(({ place, at }) => {
    const [x, y] = [place.x / size, place.y / size]
    const depth = g * x + h * y + i
    const off = [
      u + (focalLength * (a * x + b * y + c)) / depth - at.x,
      v + (focalLength * (d * x + e * y + f)) / depth - at.y,
    ] as const
    return off[0] ** 2 + off[1] ** 2
  })
  return Math.sqrt(mean(squares))
}

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length

const dot = (one: Vector, other: Vector) => one.x * other.x + one.y * other.y + one.z * other.z

const length = (vector: Vector) => Math.hypot(vector.x, vector.y, vector.z)

const scaled = ({ x, y, z }: Vector, by: number, sign = 1): Vector => ({
  x: sign * by * x,
  y: sign * by * y,
  z: sign * by * z,
})

/** Radial distortion: a point at the distance r from the axis, at a depth of 1, is seen at `r (1 + k1 r² + k2 r⁴)`. */
export interface Distortion {
  k1: number
  k2: number
}

export interface FittedPose {
  pose: Pose
  /** Zeros unless fitted. */
  distortion: Distortion
  rms: number
  /** Reprojection error of each corner, pixels. */
  errors: number[]
  /** Of rotation about the camera's axes (radians), position (metres) and, if fitted, distortion, for 1 pixel. */
  information: Matrix
}

const rounds = 30 // iterations, and the change of the rms at which they end, pixels

const still = 1e-7

const sameDegrees = 0.5 // poses closer than this are the same, degrees

/**
 * The pose that explains the corners best, in front of the camera.
 *
 * @param isDistorted fits the distortion too
 * @returns undefined if the corners do not determine a pose; includes the other pose that explains them nearly as well,
 * if there is one
 */
export function fitPose(
  points: readonly Correspondence[],
  camera: Camera,
  { isDistorted = false }: { isDistorted?: boolean } = {},
): { best: FittedPose; other?: FittedPose } | undefined {
  const start = planeStart(points, camera)
  const first = start && improved(points, camera, start, isDistorted)
  if (!first) return undefined
  const second = improved(points, camera, tiltedBack(first.pose), isDistorted)
  if (!second || isSame(first.pose, second.pose)) return { best: first }
  return second.rms < first.rms ? { best: second, other: first } : { best: first, other: second }
}

const isSame = (one: Pose, other: Pose) =>
  degrees(angleOf(product(conjugated(one.orientation), other.orientation))) < sameDegrees

/** A small grid looks nearly the same when tilted the other way about the line of sight. */
function tiltedBack({ position, orientation }: Pose): Pose {
  const length = Math.hypot(position.x, position.y, position.z)
  const half = { w: 0, x: position.x / length, y: position.y / length, z: position.z / length }
  return { position, orientation: product(product(half, orientation), { w: 0, x: 0, y: 0, z: 1 }) }
}

/** Levenberg-Marquardt on rotation and position in the camera's frame, and on the distortion. */
function improved(
  points: readonly Correspondence[],
  camera: Camera,
  start: Pose,
  isDistorted: boolean,
): FittedPose | undefined {
  let pose = start
  let distortion: Distortion = { k1: 0, k2: 0 }
  let here = linearized(points, camera, pose, distortion)
  let damping = 1e-6
  for (let round = 0; here && round < rounds; round++) {
    const count = isDistorted ? 8 : 6
    const damped = here.normal.subMatrix(0, count - 1, 0, count - 1)
    for (let at = 0; at < count; at++) damped.set(at, at, damped.get(at, at) * (1 + damping))
    const step = solve(damped, here.gradient.subMatrix(0, count - 1, 0, 0)).to1DArray()
    const [rx = 0, ry = 0, rz = 0, x = 0, y = 0, z = 0, k1 = 0, k2 = 0] = step
    const next = moved(pose, [rx, ry, rz, x, y, z])
    const bent = { k1: distortion.k1 + k1, k2: distortion.k2 + k2 }
    const there = linearized(points, camera, next, bent)
    if (there && there.squares < here.squares) {
      const gain = here.rms - there.rms
      ;[pose, distortion, here, damping] = [next, bent, there, damping / 10]
      if (gain < still) break
    } else if (damping > 1e6) break
    else damping = Math.max(damping, 1e-6) * 30
  }
  if (!here) return undefined
  const last = isDistorted ? 7 : 5
  const information = here.normal.subMatrix(0, last, 0, last)
  return { pose, distortion, rms: here.rms, errors: here.errors, information }
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

/** @returns undefined if a corner would be behind the camera, or where a strongly distorted picture folds back */
function linearized(points: readonly Correspondence[], camera: Camera, pose: Pose, distortion: Distortion) {
  const normal = Matrix.zeros(8, 8)
  const gradient = Matrix.zeros(8, 1)
  let squares = 0
  const errors: number[] = []
  for (const point of points) {
    const corner = cornerError(point, camera, pose, distortion)
    if (!corner) return undefined
    const { across, down } = corner
    squares += across.error ** 2 + down.error ** 2
    errors.push(Math.hypot(across.error, down.error))
    addRow(normal, gradient, across.row, across.error)
    addRow(normal, gradient, down.row, down.error)
  }
  return { normal, gradient, squares, rms: Math.sqrt(squares / points.length), errors }
}

/** Reprojection error of a corner, pixels, with its derivatives by pose and distortion. */
function cornerError(
  { place, at }: Correspondence,
  { focalLength: focal, principalPoint }: Camera,
  { position, orientation }: Pose,
  { k1, k2 }: Distortion,
) {
  const arm = rotated({ x: place.x, y: place.y, z: 0 }, orientation)
  const [x, y, z] = [arm.x + position.x, arm.y + position.y, arm.z + position.z]
  if (!(z > 1e-6)) return undefined
  const [u, v] = [x / z, y / z]
  const square = u * u + v * v
  const stretch = 1 + (k1 + k2 * square) * square
  const bend = 2 * k1 + 4 * k2 * square
  if (!(stretch + bend * square > 0)) return undefined
  const scale = focal / z
  const [across, down] = [rowOf(arm, scale, u, 'x'), rowOf(arm, scale, v, 'y')]
  const row = (along: readonly number[], aside: readonly number[], own: number, other: number) => [
    ...along.map(
      (each, index) => (stretch + bend * own * own) * each + bend * own * other * (aside[index] ?? 0),
    ),
    focal * own * square,
    focal * own * square * square,
  ]
  return {
    across: { error: at.x - principalPoint.u - focal * stretch * u, row: row(across, down, u, v) },
    down: { error: at.y - principalPoint.v - focal * stretch * v, row: row(down, across, v, u) },
  }
}

/** Derivatives of a picture coordinate: about x, y, z, and along them. */
function rowOf({ x, y, z }: Vector, scale: number, ratio: number, axis: 'x' | 'y'): number[] {
  return axis === 'x'
    ? [-ratio * y * scale, (z + ratio * x) * scale, -y * scale, scale, 0, -ratio * scale]
    : [-(z + ratio * y) * scale, ratio * x * scale, x * scale, 0, scale, -ratio * scale]
}

function addRow(normal: Matrix, gradient: Matrix, row: readonly number[], error: number): void {
  for (let one = 0; one < row.length; one++) {
    const value = row[one] as number
    if (value === 0) continue
    gradient.set(one, 0, gradient.get(one, 0) + value * error)
    for (let other = 0; other < row.length; other++)
      normal.set(one, other, normal.get(one, other) + value * (row[other] as number))
  }
}

/** A line of corners with their common error across the line, pixels, and its effect on the unknowns. */
interface CornerLine {
  corners: number
  error: number
  /** Sum of squares of the deviations from the common error. */
  scatter: number
  effect: Matrix
}

/**
 * Covariance of rotations about the camera's axes (radians) and of the position (metres), from the scatter of single
 * corners and of whole lines of corners. All edges of a line that runs along the pixels lie alike between them and
 * share their error; the tilt of a grid that faces the camera is then far less certain than its corners suggest.
 *
 * @param least standard deviation of a corner's coordinate, pixels
 */
export function covarianceOf(
  fitted: FittedPose,
  points: readonly Correspondence[],
  camera: Camera,
  least: number,
): Matrix {
  const { information, rms } = fitted
  const unknowns = information.rows
  const all = inverse(information)
  const freedom = 2 * points.length - unknowns
  const covariance = Matrix.mul(all, Math.max(least ** 2, (rms ** 2 * points.length) / freedom))
  for (const axis of ['x', 'y'] as const) {
    const lines = linesOf(fitted, points, camera, axis)
    // Shift, size and tilt of the grid use three degrees of freedom.
    const free = lines.length - 3
    if (free < 1) continue
    const within = sumOf(lines, ({ scatter }) => scatter) / Math.max(1, points.length - lines.length)
    const between = sumOf(lines, ({ error, corners }) => error ** 2 - within / corners) / free
    if (!(between > 0)) continue
    for (const { effect } of lines) {
      const moved = all.mmul(effect)
      covariance.add(moved.mmul(moved.transpose()).mul(between))
    }
  }
  return covariance.subMatrix(0, 5, 0, 5)
}

/** @param axis of the grid's frame, across the lines */
function linesOf(
  { pose, distortion, information }: FittedPose,
  points: readonly Correspondence[],
  camera: Camera,
  axis: 'x' | 'y',
): CornerLine[] {
  const places = [...new Set(points.map(({ place }) => place[axis]))]
  return places.flatMap((place) => {
    const line = points.filter((point) => point.place[axis] === place)
    const [first, last] = [line[0]?.at, line.at(-1)?.at]
    if (!first || !last || line.length < 2) return []
    const length = Math.hypot(last.x - first.x, last.y - first.y)
    const [aside, below] = [(first.y - last.y) / length, (last.x - first.x) / length]
    const effect = Matrix.zeros(information.rows, 1)
    const errors = line.flatMap((point) => {
      const corner = cornerError(point, camera, pose, distortion)
      if (!corner) return []
      const { across, down } = corner
      for (let at = 0; at < information.rows; at++)
        effect.set(at, 0, effect.get(at, 0) + aside * (across.row[at] ?? 0) + below * (down.row[at] ?? 0))
      return [aside * across.error + below * down.error]
    })
    const error = sumOf(errors, (each) => each) / errors.length
    return [{ corners: errors.length, error, scatter: sumOf(errors, (each) => (each - error) ** 2), effect }]
  })
}

const sumOf = <T>(items: readonly T[], term: (item: T) => number): number =>
  items.reduce((sum, item) => sum + term(item), 0)

/** Standard deviations: metres across and along the line of sight, and degrees about any axis. */
export interface PoseUncertainty {
  across: number
  along: number
  degrees: number
}

/** @param covariance as of {@link covarianceOf} */
export function uncertaintyOf({ position: { x, y, z } }: Pose, covariance: Matrix): PoseUncertainty {
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
