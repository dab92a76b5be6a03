import type { MeshOptions } from '../wire'
import type { Lens } from './album'
import { type DisparityImage, scale } from './exposed'

/** Fewest and most points that a client can ask for. */
const bounds = { least: 1000, most: 3_100_000 }
/** Share of its depth by which neighbours may differ and still be joined. */
const joined = 0.02

/**
 * The points of a depth image, joined to triangles, as a binary PLY file: metres, in the camera's frame.
 * @param left the image for the colours, of any size
 */
export function mesh(
  { raw }: Pick<DisparityImage, 'raw'>,
  lens: Lens,
  baseline: number,
  options: MeshOptions,
  left: { data: Uint8Array; width: number; height: number },
): Buffer {
  const { maxPoints, textured, watertight } = options
  const most = maxPoints === 0 ? bounds.most : Math.min(Math.max(maxPoints, bounds.least), bounds.most)
  const step = Math.ceil(Math.sqrt((lens.width * lens.height) / most))
  const columns = Math.floor(lens.width / step)
  const rows = Math.floor(lens.height / step)
  const depths = binned(raw, lens, baseline, { step, columns, rows, nearest: options.nearest })
  if (watertight) fill(depths)

  const points: number[] = []
  const numberOf = new Int32Array(depths.length).fill(-1)
  depths.forEach((depth, index) => {
    if (depth > 0) numberOf[index] = points.push(index) - 1
  })
  const faces: number[] = []
  const isJoined = (...corners: number[]) => {
    const all = corners.map((corner) => depths[corner] as number)
    const least = Math.min(...all)
    return least > 0 && (watertight || Math.max(...all) - least < joined * least)
  }
  for (let row = 0; row + 1 < rows; row++)
    for (let column = 0; column + 1 < columns; column++) {
      const [one, two] = [row * columns + column, row * columns + column + 1]
      const [three, four] = [one + columns, two + columns]
      if (isJoined(one, three, two)) faces.push(one, three, two)
      if (isJoined(two, three, four)) faces.push(two, three, four)
    }

  const header = Buffer.from(headerOf(points.length, faces.length / 3, textured))
  const pointBytes = textured ? 15 : 12
  const file = Buffer.alloc(header.length + pointBytes * points.length + (13 * faces.length) / 3)
  header.copy(file)
  let at = header.length
  for (const index of points) {
    const depth = depths[index] as number
    const column = (index % columns) * step + (step - 1) / 2
    const row = Math.floor(index / columns) * step + (step - 1) / 2
    at = file.writeFloatLE(((column - lens.u) * depth) / lens.focal, at)
    at = file.writeFloatLE(((row - lens.v) * depth) / lens.focal, at)
    at = file.writeFloatLE(depth, at)
    if (!textured) continue
    const x = Math.min(left.width - 1, Math.floor(((column + 0.5) / lens.width) * left.width))
    const y = Math.min(left.height - 1, Math.floor(((row + 0.5) / lens.height) * left.height))
    file.fill(left.data[y * left.width + x] ?? 0, at, at + 3)
    at += 3
  }
  for (let face = 0; face < faces.length; face += 3) {
    at = file.writeUInt8(3, at)
    for (const corner of faces.slice(face, face + 3)) at = file.writeUInt32LE(numberOf[corner] as number, at)
  }
  return file
}

/** The depth of each bin of pixels, metres; 0 for none. */
function binned(
  raw: Uint8Array,
  { width, focal }: Lens,
  baseline: number,
  bins: { step: number; columns: number; rows: number; nearest: boolean },
): Float32Array {
  const { step, columns, rows, nearest } = bins
  const values = new Uint16Array(raw.buffer, raw.byteOffset, raw.length / 2)
  return Float32Array.from({ length: columns * rows }, (_, bin) => {
    const [left, top] = [(bin % columns) * step, Math.floor(bin / columns) * step]
    let [sum, count, largest] = [0, 0, 0]
    for (let pixel = 0; pixel < step * step; pixel++) {
      const value = values[(top + Math.floor(pixel / step)) * width + left + (pixel % step)] as number
      if (value === 0) continue
      sum += (focal * baseline) / (value * scale)
      count += 1
      largest = Math.max(largest, value)
    }
    if (count === 0) return 0
    return nearest ? (focal * baseline) / (largest * scale) : sum / count
  })
}

/** Gives bins without a depth the last one before them. */
function fill(depths: Float32Array): void {
  let last = depths.find((depth) => depth > 0) ?? 0
  for (let index = 0; index < depths.length; index++)
    if (depths[index]) last = depths[index] as number
    else depths[index] = last
}

const headerOf = (points: number, faces: number, textured: boolean) =>
  [
    'ply',
    'format binary_little_endian 1.0',
    `element vertex ${points}`,
    ...['x', 'y', 'z'].map((axis) => `property float ${axis}`),
    ...(textured ? ['red', 'green', 'blue'].map((colour) => `property uchar diffuse_${colour}`) : []),
    `element face ${faces}`,
    'property list uchar uint vertex_indices',
    'end_header',
    '',
  ].join('\n')

/** Number of the farthest step; 0 is a pixel without a measurement. */
const farthest = 255
/** Share of the pixels that may lie outside the steps on either side, so that single wrong ones do not take them all. */
const outside = 0.02
/** Pixels looked at to find the range. */
const samples = 10_000

/**
 * Depths in equal steps, from 1 for near to 255 for far.
 * @param raw disparities with 16 bits, little-endian; 0 is invalid
 */
export function depthSteps(raw: Uint8Array): Uint8Array {
  const values = new Uint16Array(raw.buffer, raw.byteOffset, raw.length / 2)
  const every = Math.max(1, Math.floor(values.length / samples))
  const seen = new Uint16Array(Math.ceil(values.length / every))
  let count = 0
  for (let index = 0; index < values.length; index += every)
    if (values[index] !== 0) seen[count++] = values[index] as number
  const sorted = seen.subarray(0, count).sort()
  const at = (share: number) => sorted[Math.round(share * (count - 1))] ?? 1
  const [near, far] = [1 / at(1 - outside), 1 / at(outside)]
  const scale = far > near ? (farthest - 1) / (far - near) : 0
  const steps = new Uint8Array(values.length)
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number
    if (value === 0) continue
    const step = (1 / value - near) * scale
    steps[index] = 1.5 + (step < 0 ? 0 : step > farthest - 1 ? farthest - 1 : step)
  }
  return steps
}
