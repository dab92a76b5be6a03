import { seededRandom } from '../../random'
import { deviationOfStep, noiseOfRow, noiseSteps } from './normal-noise'

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
