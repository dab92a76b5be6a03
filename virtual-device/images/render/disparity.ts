import { seededRandom } from '../../random'
import { noiseOfRow, normalNoise } from './normal-noise'
import type { Canvas } from './canvas'

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
