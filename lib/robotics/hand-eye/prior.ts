import { Matrix } from 'ml-matrix'
import { noiseCount, type Noise } from './noise'
import type { Station } from './station'
import { sumOf, zeros } from './sums'

/**
 * Prior knowledge of the noise: not its size, only the proportions of its sources. The ratio of rotation to position
 * noise of a detected grid is a fraction of the distance to the grid; robots rotate more accurately than cameras
 * measure. Normal distributions of the logarithms of the variances relative to that of the translations, wide enough to
 * matter only for few poses.
 */
export interface Prior {
  mean: Noise
  /** Infinite for the translations: their size is unknown. */
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

/** Minus the logarithm of the prior's density, with its first and second derivatives with respect to the noise. */
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
