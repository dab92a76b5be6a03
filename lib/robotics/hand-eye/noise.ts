import { radians } from '../quaternion'
import type { Residual } from './station'

/**
 * Where the errors come from, as natural logarithms of variances: the grid's rotation as detected (rad²), its position
 * as detected and the robot's own (m²), the robot's rotation (rad²).
 */
export type Noise = readonly [detectedTurn: number, move: number, robotTurn: number]
export const noiseCount = 3

const variance = (deviation: number) => 2 * Math.log(deviation)
/** Less noise than a tenth of a micrometre and its like in degrees is found in exact poses only, and without end. */
export const leastNoise: Noise = [variance(radians(1e-4)), variance(1e-7), variance(radians(3e-5))]

/** Errors of one pose as the camera sees them: turns (radians), then moves (metres). */
type Errors = readonly number[]

/**
 * Scales the errors of one pose to independent ones of variance one. Their covariance is
 * `(a + c) I` for the turns, `b I + c [l][l]ᵀ` for the moves and `-c [l]` between them, where the robot's turn (c) also
 * moves the grid, by the lever l. It has a root in closed form.
 */
export function whitening({ lever: [x, y, z] }: Residual, noise: Noise): (errors: Errors) => number[] {
  const [a, b, c] = noise.map(Math.exp) as unknown as Noise
  const turns = 1 / Math.sqrt(a + c)
  const share = c / (a + c)
  const squared = x * x + y * y + z * z
  const across = 1 / Math.sqrt(b + a * share * squared)
  const along = squared > 0 ? (1 / Math.sqrt(b) - across) / squared : 0
  return ([p = 0, q = 0, r = 0, u = 0, v = 0, w = 0]) => {
    // What remains of the move after the part that goes with the turn.
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

/** For each source, the errors that its three numbers make, of one standard deviation each. */
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

/** Logarithm of the determinant of the covariance that {@link whitening} takes the root of. */
export function logDeterminant({ lever: [x, y, z] }: Residual, noise: Noise): number {
  const [a, b, c] = noise.map(Math.exp) as unknown as Noise
  const across = b + ((a * c) / (a + c)) * (x * x + y * y + z * z)
  return 3 * Math.log(a + c) + Math.log(b) + 2 * Math.log(across)
}
