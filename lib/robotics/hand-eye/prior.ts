import { Matrix } from 'ml-matrix'
import { noiseCount, type Noise } from './noise'
import type { Station } from './station'
import { sumOf, zeros } from './sums'

/**
 * What is known of the noise before any is seen: not how large it is, only how its sources compare. Rotation and
 * position noise of a detected grid stand to each other as a fraction of the distance to the grid; robots turn more
 * exactly than cameras see. Normal distributions of the logarithms of the variances against that of the moves, wide
 * enough to matter for few poses only.
 */
export interface Prior {
  mean: Noise
  /** Of the moves infinite: their size is open. */
  deviation: Noise
}

export function priorOf(stations: readonly Station[]): Prior {
  const squares = sumOf(stations, ({ seen: { position: p } }) => p.x ** 2 + p.y ** 2 + p.z ** 2)
  const distance = Math.sqrt(squares / stations.length)
  return {
    mean: [-2 * Math.log(distance / 2), 0, -2 * Math.log(2 * distance)],
    deviation: [2, Infinity, 1.5],
  }
}

/** Minus the logarithm of the prior's density, with its first and second derivatives by the noise. */
export function penalty({ mean, deviation }: Prior, noise: Noise) {
  const curvature = Matrix.zeros(noiseCount, noiseCount)
  const gradient = zeros(noiseCount)
  let value = 0
  for (const source of [0, 2] as const) {
    const weight = 1 / deviation[source] ** 2
    const off = noise[source] - noise[1] - mean[source]
    value += (weight * off * off) / 2
    const signs = zeros(noiseCount)
    signs[source] = 1
    signs[1] = -1
    signs.forEach((sign, index) => (gradient[index] = (gradient[index] ?? 0) + sign * weight * off))
    curvature.add(Matrix.columnVector(signs).mmul(Matrix.rowVector(signs)).mul(weight))
  }
  return { value, gradient, curvature }
}
