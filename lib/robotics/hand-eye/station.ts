import {
  composed,
  inverted,
  type Pose,
  product,
  conjugated,
  matrixOf,
  ofRotationVector,
  radians,
  rotationVectorOf,
} from '../pose'

/** The observation at one pose of the robot. Metres. */
export interface HandEyeObservation {
  /** The robot's hand (flange or tool, always the same one) in the external frame, as reported by the robot. */
  robot: Pose
  /** The grid in the camera's frame, as detected. */
  grid: Pose
  /**
   * Uncertainty of the grid's pose from the picture: covariance of rotations about the camera's axes (radians), then of
   * the position (metres). Decides which deviations of a pose are noise.
   */
  covariance?: readonly (readonly number[])[]
}

/**
 * Both mountings as one equation, `arm · camera · seen = grid`: with the camera on the robot, arm is the hand in the
 * external frame; with a fixed camera, it is the external frame in the hand.
 */
export interface Station {
  arm: Pose
  back: Pose
  seen: Pose
  covariance?: readonly (readonly number[])[] | undefined
}

/** The camera on the hand and the grid in the external frame, or the other way round. */
export interface Unknowns {
  camera: Pose
  grid: Pose
}

/** Changes of the unknowns: rotation and translation of the camera, rotation and translation of the grid. */
export const unknownCount = 12
/** Rotation first, then translation, in the camera's frame. */
export const residualCount = 6

export function station({ robot, grid, covariance }: HandEyeObservation, robotMounted: boolean): Station {
  const back = inverted(robot)
  const [arm, armBack] = robotMounted ? [robot, back] : [back, robot]
  return { arm, back: armBack, seen: grid, covariance }
}

export interface Residual {
  /** Observed minus expected: rotation vector (radians), then metres, in the camera's frame. */
  error: number[]
  /** Six rows of twelve: the derivative of the error with respect to the unknowns. */
  jacobian: number[][]
  /** From the robot's hand to the grid, metres, in the camera's frame: the lever of the robot's rotation error. */
  lever: [number, number, number]
}

export function residual(
  { back, seen }: Station,
  { camera, grid }: Unknowns,
  robotMounted: boolean,
): Residual {
  const cameraBack = inverted(camera)
  const toCamera = composed(cameraBack, back)
  const expected = composed(toCamera, grid)
  const turn = rotationVectorOf(product(seen.orientation, conjugated(expected.orientation)))
  const { x, y, z } = expected.position
  const hand = robotMounted ? cameraBack.position : toCamera.position
  const [a, b] = [matrixOf(expected.orientation), matrixOf(cameraBack.orientation)]
  const c = matrixOf(toCamera.orientation)
  return {
    error: [turn.x, turn.y, turn.z, seen.position.x - x, seen.position.y - y, seen.position.z - z],
    jacobian: [
      [1, -turn.z / 2, turn.y / 2, 0, 0, 0, -a[0], -a[1], -a[2], 0, 0, 0],
      [turn.z / 2, 1, -turn.x / 2, 0, 0, 0, -a[3], -a[4], -a[5], 0, 0, 0],
      [-turn.y / 2, turn.x / 2, 1, 0, 0, 0, -a[6], -a[7], -a[8], 0, 0, 0],
      [0, z, -y, b[0], b[1], b[2], 0, 0, 0, -c[0], -c[1], -c[2]],
      [-z, 0, x, b[3], b[4], b[5], 0, 0, 0, -c[3], -c[4], -c[5]],
      [y, -x, 0, b[6], b[7], b[8], 0, 0, 0, -c[6], -c[7], -c[8]],
    ],
    lever: [x - hand.x, y - hand.y, z - hand.z],
  }
}

/** @param step changes of the unknowns: radians and metres, as listed at {@link unknownCount} */
export const stepped = ({ camera, grid }: Unknowns, step: readonly number[]): Unknowns => ({
  camera: moved(camera, step.slice(0, 6)),
  grid: moved(grid, step.slice(6, 12)),
})

function moved(
  { position, orientation }: Pose,
  [a = 0, b = 0, c = 0, x = 0, y = 0, z = 0]: readonly number[],
): Pose {
  return {
    position: { x: position.x + x, y: position.y + y, z: position.z + z },
    orientation: product(orientation, ofRotationVector({ x: a, y: b, z: c })),
  }
}

/** A plain loop, because the solver spends its time here. */
export function sumOf<T>(items: readonly T[], term: (item: T, index: number) => number): number {
  let sum = 0
  for (let index = 0; index < items.length; index += 1) sum += term(items[index] as T, index)
  return sum
}

export const dot = (one: readonly number[], other: readonly number[]): number =>
  sumOf(one, (part, index) => part * (other[index] ?? 0))

export const zeros = (count: number): number[] => new Array<number>(count).fill(0)

/** Scalar products of all pairs of columns. */
export function gramian(rows: readonly (readonly number[])[]): number[][] {
  const width = rows[0]?.length ?? 0
  const products = Array.from({ length: width }, () => zeros(width))
  for (const row of rows)
    for (let one = 0; one < width; one += 1) {
      const own = products[one] ?? []
      const factor = row[one] ?? 0
      for (let other = 0; other <= one; other += 1)
        own[other] = (own[other] ?? 0) + factor * (row[other] ?? 0)
    }
  for (let one = 0; one < width; one += 1)
    for (let other = 0; other < one; other += 1) (products[other] ?? [])[one] = products[one]?.[other] ?? 0
  return products
}

/**
 * Sources of errors, as natural logarithms of variances: the detected rotation of the grid (rad²), its detected
 * position and the robot's position (m²), the robot's rotation (rad²).
 */
export type Noise = readonly [detectedTurn: number, move: number, robotTurn: number]
export const noiseCount = 3

const variance = (deviation: number) => 2 * Math.log(deviation)
/** Less noise occurs only in exact poses, where it would shrink without end: 0.1 µm, or the equivalent angle. */
export const leastNoise: Noise = [variance(radians(1e-4)), variance(1e-7), variance(radians(3e-5))]

/** In the camera's frame: rotations (radians), then translations (metres). */
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

/** For each source, the errors caused by its three components, at one standard deviation each. */
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

/** Log determinant of the covariance whose root {@link whitening} uses. */
export function logDeterminant({ lever: [x, y, z] }: Residual, noise: Noise): number {
  const [a, b, c] = noise.map(Math.exp) as unknown as Noise
  const across = b + ((a * c) / (a + c)) * (x * x + y * y + z * z)
  return 3 * Math.log(a + c) + Math.log(b) + 2 * Math.log(across)
}
