/** Point clouds: from a disparity picture, cropped and thinned, and written as PLY. */
import { matrixOf, type Pose, type Vector } from '../robotics/pose'
import { inSlices } from '../kernel/timers'
import type { Camera, Disparity } from './depth'
import { layoutOf, values16Of, type Pixels } from './picture'

/** All arrays have the same order. */
export interface Cloud {
  count: number
  /** x, y, z of each point, metres. */
  positions: Float32Array
  /** Red, green, blue of each point, 0 to 255. */
  colours?: Uint8Array
  /** Unit surface normal at each point; zeros where it is unknown. */
  normals?: Float32Array
}

class GrowingCloud {
  count = 0
  #positions: Float32Array
  #colours: Uint8Array | undefined
  #normals: Float32Array | undefined

  constructor({ colours, normals }: { colours: boolean; normals: boolean }, room = 1 << 14) {
    this.#positions = new Float32Array(3 * room)
    if (colours) this.#colours = new Uint8Array(3 * room)
    if (normals) this.#normals = new Float32Array(3 * room)
  }

  /** Metres. The point's properties follow. */
  add(x: number, y: number, z: number): void {
    if (3 * this.count === this.#positions.length) this.#grow()
    const at = 3 * this.count++
    this.#positions[at] = x
    this.#positions[at + 1] = y
    this.#positions[at + 2] = z
  }

  colour(red: number, green: number, blue: number): void {
    const at = 3 * (this.count - 1)
    const colours = this.#colours
    if (!colours) return
    colours[at] = red
    colours[at + 1] = green
    colours[at + 2] = blue
  }

  normal(x: number, y: number, z: number): void {
    const at = 3 * (this.count - 1)
    const normals = this.#normals
    if (!normals) return
    normals[at] = x
    normals[at + 1] = y
    normals[at + 2] = z
  }

  /** Without a copy. */
  cloud(): Cloud {
    const used = 3 * this.count
    return {
      count: this.count,
      positions: this.#positions.subarray(0, used),
      ...(this.#colours && { colours: this.#colours.subarray(0, used) }),
      ...(this.#normals && { normals: this.#normals.subarray(0, used) }),
    }
  }

  #grow(): void {
    const larger = <Values extends Float32Array | Uint8Array>(to: Values, from: Values) => {
      to.set(from)
      return to
    }
    const length = 2 * this.#positions.length
    this.#positions = larger(new Float32Array(length), this.#positions)
    if (this.#colours) this.#colours = larger(new Uint8Array(length), this.#colours)
    if (this.#normals) this.#normals = larger(new Float32Array(length), this.#normals)
  }
}

/** A box anywhere in a frame. */
export interface Box {
  pose: Pose
  /** Edge lengths along its own axes, metres. */
  size: Vector
}

/** Whether a position (metres, in the frame of the box's pose) lies in the box or on its surface. */
function insideOf({ pose: { position, orientation }, size }: Box) {
  const [a, b, c, d, e, f, g, h, i] = matrixOf(orientation)
  const [halfX, halfY, halfZ] = [size.x / 2, size.y / 2, size.z / 2]
  return (x: number, y: number, z: number): boolean => {
    const [fromX, fromY, fromZ] = [x - position.x, y - position.y, z - position.z]
    // The columns of the matrix are the axes of the box.
    return (
      Math.abs(a * fromX + d * fromY + g * fromZ) <= halfX &&
      Math.abs(b * fromX + e * fromY + h * fromZ) <= halfY &&
      Math.abs(c * fromX + f * fromY + i * fromZ) <= halfZ
    )
  }
}

/** Share of their distance by which neighbours of one surface differ at most. */
const jump = 0.02

/** Writes x, y, z of a point; x is NaN without a measurement. */
type PointOf = (column: number, row: number, to: Float64Array) => void

/**
 * Normals from the neighbours of a pixel, in the camera frame, towards the camera; zeros if a neighbour in either
 * direction is missing or on another surface. @param pointOf reads a point, also outside the picture
 */
function normalAt(pointOf: PointOf) {
  const [own, before, after] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)]
  const [across, down] = [new Float64Array(3), new Float64Array(3)]

  const isNear = (point: Float64Array) =>
    Math.abs((point[2] ?? NaN) - (own[2] ?? NaN)) <= jump * (own[2] ?? NaN)

  /** @returns false if there is no neighbour on either side */
  const slope = (column: number, row: number, x: number, y: number, to: Float64Array): boolean => {
    pointOf(column - x, row - y, before)
    pointOf(column + x, row + y, after)
    const from = isNear(before) ? before : own
    const until = isNear(after) ? after : own
    if (from === until) return false
    for (let part = 0; part < 3; part++) to[part] = (until[part] ?? 0) - (from[part] ?? 0)
    return true
  }

  return (column: number, row: number, to: Float64Array): void => {
    to.fill(0)
    pointOf(column, row, own)
    if (!slope(column, row, 1, 0, across) || !slope(column, row, 0, 1, down)) return
    const [ax = 0, ay = 0, az = 0] = across
    const [dx = 0, dy = 0, dz = 0] = down
    // Down × across points to the camera, because y goes down and z away from it.
    const [x, y, z] = [dy * az - dz * ay, dz * ax - dx * az, dx * ay - dy * ax]
    const length = Math.hypot(x, y, z)
    if (!(length > 0)) return
    to[0] = x / length
    to[1] = y / length
    to[2] = z / length
  }
}

/** Per axis on each side of the origin: three indices then fit into one exact number. */
const halfCells = 1 << 16

/** Numbers the cubes of a grid from 0. Its table never grows: moving a million entries would hold the event loop. */
class Cells {
  count = 0
  readonly #edge: number
  readonly #mask: number
  readonly #keys: Float64Array
  readonly #numbers: Int32Array // number of the cell, plus one; 0 is free

  /** @param edge of a cube, metres @param most number of different cubes */
  constructor(edge: number, most: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * most + 2))
    this.#edge = edge
    this.#mask = size - 1
    this.#keys = new Float64Array(size)
    this.#numbers = new Int32Array(size)
  }

  /** Undefined beyond 65536 cubes from the origin. */
  numberAt(x: number, y: number, z: number): number | undefined {
    const [first, second, third] = [this.#cell(x), this.#cell(y), this.#cell(z)]
    if (!isInGrid(first) || !isInGrid(second) || !isInGrid(third)) return undefined
    const key = (first * 2 * halfCells + second) * 2 * halfCells + third
    // Neighbours must not be adjacent in the table: collisions are probed linearly.
    const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35)
    for (let place = (mixed ^ (mixed >>> 15)) & this.#mask; ; place = (place + 1) & this.#mask) {
      const number = this.#numbers[place] ?? 0
      if (number === 0) {
        this.#keys[place] = key
        return (this.#numbers[place] = ++this.count) - 1
      }
      if (this.#keys[place] === key) return number - 1
    }
  }

  #cell(coordinate: number): number {
    return Math.floor(coordinate / this.#edge) + halfCells
  }
}

const isInGrid = (cell: number) => cell >= 0 && cell < 2 * halfCells

const stepPoints = 1 << 11 // per step of work, below a millisecond

/** Keeps `most` points, spread evenly over the order of the cloud. */
function* evenly(cloud: Cloud, most: number) {
  const thinned = new GrowingCloud(propertiesOf(cloud), Math.max(1, most))
  for (let index = 0; index < most; index++) {
    if (index % stepPoints === 0) yield
    copyPoint(cloud, Math.floor((index * cloud.count) / most), thinned)
  }
  return thinned.cloud()
}

/** Keeps the mean of the points per cube. @param edge metres; points beyond 65536 cubes from the origin are dropped */
function* onePerCell(cloud: Cloud, edge: number) {
  const { count, positions } = cloud
  const cells = new Cells(edge, count)
  const sums = new Sums()
  for (let index = 0; index < count; index++) {
    if (index % stepPoints === 0) yield
    const at = 3 * index
    const cell = cells.numberAt(positions[at] ?? NaN, positions[at + 1] ?? NaN, positions[at + 2] ?? NaN)
    if (cell !== undefined) sums.add(cell, cloud, at)
  }
  const thinned = new GrowingCloud(propertiesOf(cloud), Math.max(1, cells.count))
  for (let cell = 0; cell < cells.count; cell++) {
    if (cell % stepPoints === 0) yield
    sums.mean(cell, thinned)
  }
  return thinned.cloud()
}

const propertiesOf = ({ colours, normals }: Cloud) => ({
  colours: colours !== undefined,
  normals: normals !== undefined,
})

function copyPoint({ positions, colours, normals }: Cloud, index: number, to: GrowingCloud): void {
  const at = 3 * index
  to.add(positions[at] ?? 0, positions[at + 1] ?? 0, positions[at + 2] ?? 0)
  if (colours) to.colour(colours[at] ?? 0, colours[at + 1] ?? 0, colours[at + 2] ?? 0)
  if (normals) to.normal(normals[at] ?? 0, normals[at + 1] ?? 0, normals[at + 2] ?? 0)
}

/** Per cell: the number of points, then three sums each of positions, colours and normals. */
const width = 10

class Sums {
  #values = new Float64Array(width << 10)

  add(cell: number, { positions, colours, normals }: Cloud, point: number): void {
    const at = width * cell
    if (at >= this.#values.length) {
      const larger = new Float64Array(2 * this.#values.length)
      larger.set(this.#values)
      this.#values = larger
    }
    const sums = this.#values
    sums[at] = (sums[at] ?? 0) + 1
    for (let axis = 0; axis < 3; axis++) {
      sums[at + 1 + axis] = (sums[at + 1 + axis] ?? 0) + (positions[point + axis] ?? 0)
      sums[at + 4 + axis] = (sums[at + 4 + axis] ?? 0) + (colours?.[point + axis] ?? 0)
      sums[at + 7 + axis] = (sums[at + 7 + axis] ?? 0) + (normals?.[point + axis] ?? 0)
    }
  }

  mean(cell: number, to: GrowingCloud): void {
    const [n = 1, x = 0, y = 0, z = 0, red = 0, green = 0, blue = 0, nx = 0, ny = 0, nz = 0] =
      this.#values.subarray(width * cell, width * (cell + 1))
    to.add(x / n, y / n, z / n)
    to.colour(Math.round(red / n), Math.round(green / n), Math.round(blue / n))
    const length = Math.hypot(nx, ny, nz)
    if (length > 0) to.normal(nx / length, ny / length, nz / length)
  }
}

const stepPixels = 1 << 12 // per step of work, below a millisecond

const slice = 3 // milliseconds for which the event loop is held at most

/** Properties, frame and selection of points. */
export interface CloudOptions {
  left?: Pixels & Camera
  /** Confidence, mono8, of the size of the disparity; points below `least` (0 to 1) are dropped. */
  confidence?: { image: Pixels; least: number }
  /** Calculates surface normals. @default false */
  normals?: boolean
  /** Pose of the camera in the frame of the cloud, for example the robot's. @default the camera's own frame */
  camera?: Pose
  /** In the frame of the cloud; points outside are dropped. */
  region?: Box
  /** Edge of a cube, metres: keeps one point, the mean, per cube. */
  cell?: number
  most?: number
  /** Stops work whose result is no longer needed. @throws AbortError in that case */
  isOver?: () => boolean
}

/**
 * The points of a disparity picture in metres: x right, y down, z forward in the camera's own frame. Holds the event
 * loop for 3 ms at most. @throws RangeError if a picture cannot be read or has another size
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
  const isConfident = confidence ? confident(confidence, disparity) : always
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
  const normalOf = normals ? normalAt(pointOf) : undefined

  const [a, b, c, d, e, f, g, h, i] = matrixOf(camera?.orientation ?? { w: 1, x: 0, y: 0, z: 0 })
  const at = camera?.position ?? { x: 0, y: 0, z: 0 }
  const [point, normal] = [new Float64Array(3), new Float64Array(3)]
  const cloud = new GrowingCloud({ colours: colour !== undefined, normals })
  for (let pixel = 0; pixel < stored.length; pixel++) {
    if (pixel % stepPixels === 0) yield
    const column = pixel % width
    const row = (pixel - column) / width
    if (!isConfident(column, row)) continue
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
  // 16 bits have been seen too; the upper eight are enough to compare.
  const { data } = image
  return (column: number, row: number) => (data[row * step + column * size + size - 1] ?? 0) / 255 >= least
}

/** 0xrrggbb. */
type ColourAt = (column: number, row: number) => number

/** Finds the colours in the left picture, which may have another size. @throws RangeError if it cannot be read */
function colourAt(left: Pixels & Camera, disparity: Camera): ColourAt {
  const { encoding, size, step } = layoutOf(left)
  const { width, height, data } = left
  // Both have the same optical axis: the same direction is the same multiple of the focal length.
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

/** Binary is little-endian: smaller, and faster to read; text is for people. */
export type PlyKind = 'binary' | 'text'

interface PlyOptions {
  /** @default 'binary' */
  kind?: PlyKind
  /** Stops work whose result is no longer needed. @throws AbortError in that case */
  isOver?: () => boolean
}

/** Writes a cloud as a PLY file: positions in metres, then normals and colours if it has them. */
export const plyOf = (cloud: Cloud, { kind = 'binary', isOver }: PlyOptions = {}): Promise<Buffer> =>
  inSlices(kind === 'binary' ? binary(cloud) : text(cloud), isOver, slice)

function headerOf({ count, normals, colours }: Cloud, format: string): string {
  const properties = [
    ...['x', 'y', 'z'].map((name) => `float ${name}`),
    ...(normals ? ['nx', 'ny', 'nz'] : []).map((name) => `float ${name}`),
    ...(colours ? ['red', 'green', 'blue'] : []).map((name) => `uchar ${name}`),
  ]
  return [
    'ply',
    `format ${format} 1.0`,
    `element vertex ${count}`,
    ...properties.map((property) => `property ${property}`),
    'end_header\n',
  ].join('\n')
}

function* binary(cloud: Cloud) {
  const { count, positions, normals, colours } = cloud
  const header = headerOf(cloud, 'binary_little_endian')
  const size = 12 + (normals ? 12 : 0) + (colours ? 3 : 0)
  const file = Buffer.allocUnsafe(header.length + count * size)
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  let at = file.write(header, 'latin1')
  const floats = (values: Float32Array, point: number) => {
    for (let axis = 0; axis < 3; axis++, at += 4) view.setFloat32(at, values[point + axis] ?? 0, true)
  }
  for (let index = 0; index < count; index++) {
    if (index % stepPoints === 0) yield
    const point = 3 * index
    floats(positions, point)
    if (normals) floats(normals, point)
    if (colours) for (let part = 0; part < 3; part++) file[at++] = colours[point + part] ?? 0
  }
  return file
}

/** Positions to a hundredth of a millimetre, normals to four digits. */
function* text(cloud: Cloud) {
  const { count, positions, normals, colours } = cloud
  const parts = [Buffer.from(headerOf(cloud, 'ascii'))]
  for (let first = 0; first < count; first += stepPoints) {
    const lines: string[] = []
    for (let index = first; index < Math.min(count, first + stepPoints); index++) {
      const three = (values: ArrayLike<number>, digits: number) =>
        [0, 1, 2].map((part) => (values[3 * index + part] ?? 0).toFixed(digits)).join(' ')
      const line = [three(positions, 5)]
      if (normals) line.push(three(normals, 4))
      if (colours) line.push(three(colours, 0))
      lines.push(`${line.join(' ')}\n`)
    }
    parts.push(Buffer.from(lines.join('')))
    yield
  }
  return Buffer.concat(parts)
}
