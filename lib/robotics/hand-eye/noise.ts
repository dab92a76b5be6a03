import { radians } from '../quaternion'
import type { Residual } from './station'

/**
 * The sources of the errors, as natural logarithms of variances: the detected rotation of the grid (rad²), its detected
 * position and the robot's position (m²), the robot's rotation (rad²).
 */
export type Noise = readonly [detectedTurn: number, move: number, robotTurn: number]
export const noiseCount = 3

const variance = (deviation: number) => 2 * Math.log(deviation)
/**
 * Noise below a tenth of a micrometre, or the equivalent angle, occurs only in exact poses, where it would shrink
 * without end.
 */
export const leastNoise: Noise = [variance(radians(1e-4)), variance(1e-7), variance(radians(3e-5))]

/** Errors of one pose as seen by the camera: rotations (radians), then translations (metres). */
type Errors = readonly number[]

/**
 * Scales the errors of one pose to independent ones of variance one. Their covariance is `(a + c) I` for the rotations,
 * `b I + c [l][l]ᵀ` for the translations and `-c [l]` between them, because a rotation error of the robot (c) also
 * moves the grid, by the lever l. Its root has a closed form.
 */
export function whitening({ lever: [x, y, z] }: Residual, noise: Noise): (errors: Errors) => number[] {
  const [a, b, c] = noise.map(Math.exp) as unknown as Noise
  const turns = 1 / Math.sqrt(a + c)
  const share = c / (a + c)
  const squared = x * x + y * y + z * z
  const across = 1 / Math.sqrt(b + a * share * squared)
  const along = squared > 0 ? (1 / Math.sqrt(b) - across) / squared : 0
  return ([p = 0, q = 0, r = 0, u = 0, v = 0, w = 0]) => {
    // The rest of the translation after the part that is correlated with the rotation.
    const [i, j, k] = [u + share * (y * r - z * q), v + share * (z * p - x * r), w + share * (x * q - y * p)]
    const aligned = along * (x * i + y * j + z * k)
    return [
      turns * p,
      turns * q,
      turns * r,
      across * i + aligned * x,
      across * j + aligned * y,
      across * k + aligned * z,
    ]
  }
}

/** For each source, the errors caused by its three numbers, at one standard deviation each. */
export function sources({ lever: [x, y, z] }: Residual, noise: Noise): number[][][] {
  const [a = 0, b = 0, c = 0] = noise.map((each) => Math.exp(each / 2))
  return [
    [
      [a, 0, 0, 0, 0, 0],
      [0, a, 0, 0, 0, 0],
      [0, 0, a, 0, 0, 0],
    ],
    [
      [0, 0, 0, b, 0, 0],
      [0, 0, 0, 0, b, 0],
      [0, 0, 0, 0, 0, b],
    ],
    [
      [c, 0, 0, 0, -c * z, c * y],
      [0, c, 0, c * z, 0, -c * x],
      [0, 0, c, -c * y, c * x, 0],
    ],
  ]
}

/** Logarithm of the determinant of the covariance whose root {@link whitening} uses. */
export function logDeterminant({ lever: [x, y, z] }: Residual, noise: Noise): number {
  const [a, b, c] = noise.map(Math.exp) as unknown as Noise
  const across = b + ((a * c) / (a + c)) * (x * x + y * y + z * z)
  return 3 * Math.log(a + c) + Math.log(b) + 2 * Math.log(across)
}
