import { seededRandom } from '../../values'
import type { Canvas } from './album'

/** How a sensor turns light into grey levels. */
export interface Exposure {
  /** Grey level of medium light, as a share of the range; above 1 it is burnt out. */
  brightness: number
  /** dB */
  gain: number
  gamma: number
  /** Way of the image on the sensor during the exposure, pixels. */
  blur: { x: number; y: number }
  seed: number
}

/** Medium reflected light, as a share of the range. */
const medium = 0.4
/** Grey levels without gain: of the sensor itself, and per root of the grey level. */
const noises = { sensor: 0.6, photons: 0.09 }

/** Standard deviation of a pixel with that grey level. @param gain dB */
export const pixelNoise = (level: number, gain: number): number =>
  Math.hypot(noises.sensor, noises.photons * Math.sqrt(level)) * 10 ** (gain / 20)

/** The grey image of a sensor. @param light 0 to 255 */
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

/** The grey level of each light with each step of the noise: most pictures have more pixels than this has entries. */
function sensorLevels({ brightness, gain, gamma }: Exposure): Uint8Array {
  const levels = new Uint8ClampedArray(256 * 256)
  for (let light = 0; light < 256; light++) {
    const level = 255 * Math.min(1, (light / 255) * (brightness / medium)) ** gamma
    const noise = pixelNoise(level, gain)
    for (let step = 0; step < 256; step++) levels[(light << 8) | step] = level + noise * deviationOfStep(step)
  }
  return new Uint8Array(levels.buffer)
}

/** Steps of the longest way; more would not look different. */
const mostSteps = 64

/** Each pixel averaged over its way. */
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

/** Three equal channels. */
export function asColour(grey: Uint8Array): Uint8Array {
  const image = new Uint8Array(3 * grey.length)
  for (let index = 0; index < grey.length; index++)
    image[3 * index] = image[3 * index + 1] = image[3 * index + 2] = grey[index] as number
  return image
}

/** Pixels of disparity per unit. */
export const scale = 1 / 16
const largest = 65_535

/** What a depth image is computed with. Metres. */
export interface Matching {
  baseline: number
  mindepth: number
  maxdepth: number
  /** Largest depth error kept. */
  maxdeptherr: number
  /** Lowest confidence kept, 0 to 1. */
  minconf: number
  /** Standard deviation of a depth. */
  noise: number
  seed: number
}

export interface DisparityImage {
  /** 16 bits, little-endian, 0 is invalid. */
  raw: Uint8Array
  /** In units of `scale`. */
  error: Uint8Array
  /** 255 is certain. */
  confidence: Uint8Array
}

/** Our choice, as for the depths that `measure` measures: 3 % of the pixels are without a depth. */
const holesAbove = 1.8808
/** Confidence of a point on a smooth surface, and beside a step. */
const confidences = { usual: 0.95, step: 0.6 }
/** Disparity steps above this are the edge of a body, pixels. */
const edge = 1
/** Error of a disparity on a smooth surface, pixels. */
const usualError = 0.0625

/** The disparities of the left camera from true depths. */
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

/** Longer than the rows of every sensor. */
const length = 65_536

let table: Float32Array | undefined

/** Normally distributed numbers with the standard deviation 1; drawing each anew would take most of a picture's time. */
function normalNoise(): Float32Array {
  if (table) return table
  const random = seededRandom(20_260_101)
  table = Float32Array.from({ length }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    return radius * Math.cos(2 * Math.PI * random())
  })
  return table
}

/** Steps of the noise per standard deviation, and the step that is no noise. */
const [stepsPerDeviation, noStep] = [32, 128]

/** What a step of the noise is, in standard deviations. */
const deviationOfStep = (step: number): number => (step - noStep) / stepsPerDeviation

let steps: Uint8Array | undefined

/** The same numbers in steps from 0 to 255, for what is looked up for every pixel. */
function noiseSteps(): Uint8Array {
  steps ??= Uint8Array.from(
    Uint8ClampedArray.from(normalNoise(), (noise) => noStep + noise * stepsPerDeviation),
  )
  return steps
}

/** Where the numbers for a row begin. */
const noiseOfRow = (random: () => number, width: number): number => Math.floor(random() * (length - width))
