import type { Pose } from '../../robotics/pose'
import { matrixOf } from '../../robotics/rotation'
import { inSlices } from '../../kernel/timers'
import type { Camera, Disparity } from '../depth/disparity'
import { layoutOf, values16Of, type Pixels } from '../picture/pixels'
import { insideOf, type Box } from './box'
import { GrowingCloud, type Cloud } from './cloud'
import { normals as normalsOf, type PointOf } from './normal'
import { evenly, onePerCell } from './thin'

/** Pixels in one step of work, below a millisecond. */
const stepPixels = 1 << 12
/** Longest time in ms for which the event loop is held. */
const slice = 3

/** What a point cloud has besides positions, in which frame it is, and which points are kept. */
export interface CloudOptions {
  /** The left picture, which gives each point its colour. */
  left?: Pixels & Camera
  /** A picture of confidence, mono8, of the size of the disparity; points below `least` (0 to 1) are left out. */
  confidence?: { image: Pixels; least: number }
  /** Calculates the direction of the surface at each point. @default false */
  normals?: boolean
  /** The pose of the camera in the frame of the cloud, for example the robot's. @default the camera's own frame */
  camera?: Pose
  /** Keeps the points in this box only, in the frame of the cloud. */
  region?: Box
  /** Keeps one point, the mean, in each cube of this edge, metres. */
  cell?: number
  /** Keeps at most so many points, spread evenly. */
  most?: number
  /** Stops work whose result is no longer needed. @throws AbortError in that case */
  isOver?: () => boolean
}

/**
 * The points of a disparity picture in metres: x right, y down, z forward in the camera's own frame. Holds the event
 * loop for 3 ms at most.
 * @throws RangeError if a picture cannot be read or has another size
 */
export async function cloudOf(disparity: Disparity, options: CloudOptions = {}): Promise<Cloud> {
  const { cell, most, isOver } = options
  let cloud = await inSlices(points(disparity, options), isOver, slice)
  if (cell !== undefined) cloud = await inSlices(onePerCell(cloud, cell), isOver, slice)
  return most !== undefined && cloud.count > most ? inSlices(evenly(cloud, most), isOver, slice) : cloud
}

function* points(disparity: Disparity, { left, confidence, normals = false, camera, region }: CloudOptions) {
  const { width, height, scale, offset, invalid, baseline, focalLength, principalPoint } = disparity
  const stored = values16Of(disparity)
  const isKept = confidence ? confident(confidence, disparity) : always
  const isInside = region ? insideOf(region) : always
  const colour = left && colourAt(left, disparity)

  const inverse = (column: number, row: number): number => {
    if (column < 0 || column >= width || row < 0 || row >= height) return NaN
    const value = stored[row * width + column] ?? 0
    const pixels = value * scale + offset
    return value === invalid || pixels <= 0 ? NaN : baseline / pixels
  }
  const pointOf: PointOf = (column, row, to) => {
    const unit = inverse(column, row)
    to[0] = (column - principalPoint.u) * unit
    to[1] = (row - principalPoint.v) * unit
    to[2] = focalLength * unit
  }
  const normalOf = normals ? normalsOf(pointOf) : undefined

  const [a, b, c, d, e, f, g, h, i] = matrixOf(camera?.orientation ?? { w: 1, x: 0, y: 0, z: 0 })
  const at = camera?.position ?? { x: 0, y: 0, z: 0 }
  const [point, normal] = [new Float64Array(3), new Float64Array(3)]
  const cloud = new GrowingCloud({ colours: colour !== undefined, normals })
  for (let pixel = 0; pixel < stored.length; pixel++) {
    if (pixel % stepPixels === 0) yield
    const column = pixel % width
    const row = (pixel - column) / width
    if (!isKept(column, row)) continue
    pointOf(column, row, point)
    const [px = NaN, py = 0, pz = 0] = point
    if (Number.isNaN(px)) continue
    const x = a * px + b * py + c * pz + at.x
    const y = d * px + e * py + f * pz + at.y
    const z = g * px + h * py + i * pz + at.z
    if (!isInside(x, y, z)) continue
    cloud.add(x, y, z)
    if (colour) {
      const seen = colour(column, row)
      cloud.colour(seen >> 16, (seen >> 8) & 0xff, seen & 0xff)
    }
    if (normalOf) {
      normalOf(column, row, normal)
      const [nx = 0, ny = 0, nz = 0] = normal
      cloud.normal(a * nx + b * ny + c * nz, d * nx + e * ny + f * nz, g * nx + h * ny + i * nz)
    }
  }
  return cloud.cloud()
}

const always = () => true

function confident({ image, least }: NonNullable<CloudOptions['confidence']>, { width, height }: Pixels) {
  const { encoding, size, step } = layoutOf(image)
  if (encoding === 'rgb8' || encoding === 'bgr8' || image.width !== width || image.height !== height)
    throw new RangeError(`The confidence has ${image.width} x ${image.height} pixels (${encoding})`)
  // One client has seen 16 bits too; the upper eight are enough to compare.
  const { data } = image
  return (column: number, row: number) => (data[row * step + column * size + size - 1] ?? 0) / 255 >= least
}

/** The colour of a pixel as red, green, blue in one number: 0xrrggbb. */
type ColourAt = (column: number, row: number) => number

/**
 * Finds the colours for the pixels of a disparity picture in the left one, which may have another size.
 * @throws RangeError if the picture cannot be read
 */
function colourAt(left: Pixels & Camera, disparity: Camera): ColourAt {
  const { encoding, size, step } = layoutOf(left)
  const { width, height, data } = left
  // Both look along the same axis: the same direction is the same multiple of the focal length.
  const scale = left.focalLength / disparity.focalLength
  const [high, low] = encoding === 'bgr8' ? [2, 0] : [0, 2]
  return (column, row) => {
    const x = Math.round((column - disparity.principalPoint.u) * scale + left.principalPoint.u)
    const y = Math.round((row - disparity.principalPoint.v) * scale + left.principalPoint.v)
    const at = Math.min(height - 1, Math.max(0, y)) * step + Math.min(width - 1, Math.max(0, x)) * size
    if (size === 3) return ((data[at + high] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + low] ?? 0)
    // Of 16 bits the upper eight.
    return (data[at + size - 1] ?? 0) * 0x010101
  }
}
