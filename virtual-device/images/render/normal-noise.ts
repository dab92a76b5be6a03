import { seededRandom } from '../../random'

/** Longer than the rows of every sensor. */
const length = 65_536

let table: Float32Array | undefined

/** Normally distributed numbers with the standard deviation 1; drawing each anew would take most of a picture's time. */
export function normalNoise(): Float32Array {
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
export const deviationOfStep = (step: number): number => (step - noStep) / stepsPerDeviation

let steps: Uint8Array | undefined

/** The same numbers in steps from 0 to 255, for what is looked up for every pixel. */
export function noiseSteps(): Uint8Array {
  steps ??= Uint8Array.from(
    Uint8ClampedArray.from(normalNoise(), (noise) => noStep + noise * stepsPerDeviation),
  )
  return steps
}

/** Where the numbers for a row begin. */
export const noiseOfRow = (random: () => number, width: number): number =>
  Math.floor(random() * (length - width))
