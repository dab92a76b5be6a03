import { seededRandom } from '../../random'

/** A prime, so that rows of usual widths begin at different places. */
const length = 65_521

let table: Float32Array | undefined

/** Normally distributed numbers with the standard deviation 1, to be read from a random place on. */
export function normalNoise(): Float32Array {
  if (table) return table
  const random = seededRandom(20_260_101)
  table = Float32Array.from({ length }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    return radius * Math.cos(2 * Math.PI * random())
  })
  return table
}
