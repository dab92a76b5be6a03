import { EigenvalueDecomposition, Matrix } from 'ml-matrix'
import { quaternionOf, type Pose, type Vector } from '../../robotics'
import type { Camera } from '../depth/disparity'
import type { Point } from './saddles'

/** A point of the grid's plane and where it is in the picture. */
export interface Correspondence {
  /** Metres from the grid's centre. */
  place: Point
  /** Pixels. */
  at: Point
}

/**
 * A pose from the projective map between the grid's plane and the picture (direct linear transformation): a start for
 * what follows. @returns undefined if the points are on a line
 */
export function planeStart(points: readonly Correspondence[], camera: Camera): Pose | undefined {
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

/** The nine numbers of the map, row by row, from places in units of the size to pixels in those of the focal length. */
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

/** How far points are from a plane of any proportions: root mean square, pixels; infinite if they are on a line. */
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
