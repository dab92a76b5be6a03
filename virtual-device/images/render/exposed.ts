/** From a drawn scene to the output of camera and depth computation. */
import { seededRandom } from '../../values'
import type { Canvas, Lens } from './album'
import type { MeshOptions } from '../wire'

export interface Exposure {
  /** Grey level of medium light, as a share of the range; above 1 it is saturated. */
  brightness: number
  /** dB */
  gain: number
  gamma: number
  /** Motion of the image on the sensor during the exposure, pixels. */
  blur: { x: number; y: number }
  seed: number
}

const medium = 0.4 // medium reflected light, as a share of the range

/** Grey levels without gain: of the sensor itself, and per root of the grey level. */
const noises = { sensor: 0.6, photons: 0.09 }

/** Standard deviation of a pixel with that grey level. @param gain dB */
export const pixelNoise = (level: number, gain: number): number =>
  Math.hypot(noises.sensor, noises.photons * Math.sqrt(level)) * 10 ** (gain / 20)

/** @param light 0 to 255 */
export function exposed(light: Uint8Array, width: number, exposure: Exposure): Uint8Array {
  const levels = sensorLevels(exposure)
  const steps = noiseSteps()
  const seen = blurred(light, width, exposure.blur)
  const image = new Uint8Array(seen.length)
  const random = seededRandom(exposure.seed)
  for (let start = 0; start < seen.length; start += width) {
    const drawn = noiseOfRow(random, width) - start
    for (let index = start; index < start + width; index++)
      image[index] = levels[((seen[index] as number) << 8) | (steps[index + drawn] as number)] as number
  }
  return image
}

/** Lookup table of grey levels by light and noise step: most pictures have more pixels. */
function sensorLevels({ brightness, gain, gamma }: Exposure): Uint8Array {
  const levels = new Uint8ClampedArray(256 * 256)
  for (let light = 0; light < 256; light++) {
    const level = 255 * Math.min(1, (light / 255) * (brightness / medium)) ** gamma
    const noise = pixelNoise(level, gain)
    for (let step = 0; step < 256; step++) levels[(light << 8) | step] = level + noise * deviationOfStep(step)
  }
  return new Uint8Array(levels.buffer)
}

const mostSteps = 64 // of the longest blur; more would not look different

/** Each pixel averaged over its motion. */
function blurred(light: Uint8Array, width: number, { x, y }: Exposure['blur']): Uint8Array {
  const steps = Math.min(mostSteps, Math.round(Math.max(Math.abs(x), Math.abs(y))))
  if (steps < 1) return light
  const height = light.length / width
  const offsets = Array.from({ length: steps + 1 }, (_, step) => ({
    x: Math.round((x * step) / steps - x / 2),
    y: Math.round((y * step) / steps - y / 2),
  }))
  const sums = new Uint16Array(light.length)
  for (const offset of offsets)
    for (let row = 0; row < height; row++) {
      const from = width * Math.min(Math.max(row + offset.y, 0), height - 1)
      const last = from + width - 1
      const to = row * width
      for (let column = 0; column < width; column++) {
        const there = from + column + offset.x
        const seen = there < from ? from : there > last ? last : there
        sums[to + column] = (sums[to + column] as number) + (light[seen] as number)
      }
    }
  const image = new Uint8Array(light.length)
  for (let index = 0; index < image.length; index++) image[index] = (sums[index] as number) / offsets.length
  return image
}

export function asColour(grey: Uint8Array): Uint8Array {
  const image = new Uint8Array(3 * grey.length)
  for (let index = 0; index < grey.length; index++)
    image[3 * index] = image[3 * index + 1] = image[3 * index + 2] = grey[index] as number
  return image
}

/** Pixels of disparity per unit. */
export const scale = 1 / 16

const largest = 65_535

export interface Matching {
  baseline: number
  mindepth: number
  maxdepth: number
  /** Largest accepted depth error. */
  maxdeptherr: number
  /** Smallest accepted confidence, 0 to 1. */
  minconf: number
  noise: number
  seed: number
}

interface DisparityImage {
  /** 16 bits, little-endian, 0 is invalid. */
  raw: Uint8Array
  /** In units of `scale`. */
  error: Uint8Array
  /** 255 is certain. */
  confidence: Uint8Array
}

/** Our choice, as for the depths of `measure`: 3 % of the pixels are without a depth. */
const holesAbove = 1.8808

/** Confidence of a point on a smooth surface, and beside a step. */
const confidences = { usual: 0.95, step: 0.6 }

const edge = 1 // disparity steps above this are the edge of a body, pixels

const usualError = 0.0625 // on a smooth surface, pixels

/** Disparities of the left camera from true depths. */
export function disparityImage({ depth, lens }: Canvas, matching: Matching): DisparityImage {
  const { baseline, mindepth, maxdepth, maxdeptherr, minconf, noise, seed } = matching
  const { width } = lens
  const product = lens.focal * baseline
  const pixels = depth.length
  const raw = Buffer.alloc(2 * pixels)
  const values = new Uint16Array(raw.buffer, raw.byteOffset, pixels)
  const [error, confidence] = [new Uint8Array(pixels), new Uint8Array(pixels)]
  const normal = normalNoise()
  const random = seededRandom(seed)
  let [drawn, drawnHoles] = [0, 0]
  for (let index = 0; index < pixels; index++) {
    if (index % width === 0) {
      drawn = noiseOfRow(random, width) - index
      drawnHoles = noiseOfRow(random, width) - index
    }
    const exact = depth[index] as number
    const isHole = (normal[index + drawnHoles] as number) > holesAbove
    if (isHole || exact < mindepth || exact > maxdepth) continue
    const before = depth[index % width ? index - 1 : index + 1] as number
    const certain = Math.abs(product / exact - product / before) > edge ? confidences.step : confidences.usual
    const expected = Math.sqrt(usualError ** 2 + ((noise * product) / exact ** 2) ** 2)
    if (certain < minconf || (expected * exact ** 2) / product > maxdeptherr) continue
    const measured = product / (exact + noise * (normal[index + drawn] as number))
    values[index] = Math.min(Math.max(Math.round(measured / scale), 1), largest)
    error[index] = Math.min(255, Math.round(expected / scale))
    confidence[index] = Math.round(255 * certain)
  }
  return { raw, error, confidence }
}

const length = 65_536 // longer than the rows of every sensor

let table: Float32Array | undefined

/** Standard normal numbers; drawing each anew would take most of a picture's time. */
function normalNoise(): Float32Array {
  if (table) return table
  const random = seededRandom(20_260_101)
  table = Float32Array.from({ length }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    return radius * Math.cos(2 * Math.PI * random())
  })
  return table
}

/** Noise steps per standard deviation, and the step without noise. */
const [stepsPerDeviation, noStep] = [32, 128]

/** In standard deviations. */
const deviationOfStep = (step: number): number => (step - noStep) / stepsPerDeviation

let steps: Uint8Array | undefined

/** The same numbers in steps from 0 to 255, for lookups per pixel. */
function noiseSteps(): Uint8Array {
  steps ??= Uint8Array.from(
    Uint8ClampedArray.from(normalNoise(), (noise) => noStep + noise * stepsPerDeviation),
  )
  return steps
}

/** Start of the numbers for a row. */
const noiseOfRow = (random: () => number, width: number): number => Math.floor(random() * (length - width))

/** Number of points that a client can request. */
const bounds = { least: 1000, most: 3_100_000 }

const joined = 0.02 // relative depth difference up to which neighbours are joined

/** A triangulated depth image as a binary PLY file: metres, in the camera's frame. @param left for the colours */
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

/** Depth of each bin of pixels, metres; 0 for none. */
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

/** Gives bins without a depth the previous one. */
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

const farthest = 255 // number of the farthest step; 0 is a pixel without a measurement

const outside = 0.02 // share of outliers on either side that do not widen the range

const samples = 10_000 // pixels sampled for the range

/** Equal steps, from 1 for near to 255 for far. @param raw disparities with 16 bits, little-endian; 0 is invalid */
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
