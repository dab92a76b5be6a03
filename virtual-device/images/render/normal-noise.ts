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

/** Where the numbers for a row begin. */
export const noiseOfRow = (random: () => number, width: number): number =>
  Math.floor(random() * (length - width))
