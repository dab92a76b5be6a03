import { Matrix, SingularValueDecomposition } from 'ml-matrix'
import {
  distance,
  type Pose,
  product,
  type Quaternion,
  rotated,
  type Vector,
  angleOf,
  type Axis,
  conjugated,
  degrees,
  matrixOf,
  normalized,
  ofRotationVector,
  quaternionOf,
  type RotationMatrix,
  rotationVectorOf,
} from '../pose'
import { leastTurnDegrees, spreadOf } from '../spread'
import { certaintyOf, covarianceOf, estimate, type Estimate, priorOf } from './likelihood'
import {
  whitening,
  type HandEyeObservation,
  residual,
  residualCount,
  station,
  type Station,
  unknownCount,
  type Unknowns,
  dot,
  sumOf,
  zeros,
} from './station'

/** How camera, grid and robot are mounted. */
export interface HandEyeOptions {
  /** True: the camera is mounted on the robot's hand and the grid is fixed. False: the other way round. */
  robotMounted: boolean
  /** For robots of four degrees of freedom. @default a full robot */
  fourAxis?: {
    /** Axis of the hand about which the robot turns. */
    axis: Axis
    /**
     * Signed distance, metres, along this axis from the origin of the hand to the camera, or to the grid if the camera
     * is fixed. Rotations about the axis cannot determine it.
     */
    offset: number
  }
}

/** The calibration and its accuracy. Lengths are in metres. */
export interface HandEyeResult {
  solved: true
  /** Pose of the camera: in the hand's frame if it is mounted there, otherwise in the external frame. Metres. */
  camera: Pose
  /** Pose of the grid: in the external frame, or in the hand's frame if the camera is fixed. Metres. */
  grid: Pose
  /**
   * Covariance of the camera's pose, six by six: rotations about the camera's own axes (radians), then translations
   * along the axes of the frame in which the pose is given (metres).
   */
  covariance: number[][]
  /** Standard deviation, metres. */
  translationError: number
  rotationErrorDegrees: number
  /** The true value lies within this distance with a probability of 95 %, metres. */
  translationBound: number
  rotationBoundDegrees: number
  /** Estimated standard deviations of one component of one pose. */
  noise: { gridTurnDegrees: number; translation: number; robotTurnDegrees: number }
  /** How far each pose deviates from the common result, in the order of the input. */
  misfits: Misfit[]
}

/** Why these poses give no result. */
export interface HandEyeFailure {
  solved: false
  reason:
    | 'too-few-poses'
    /** The hand turned about one axis only, or not at all: a full robot needs two. */
    | 'too-little-rotation'
    /** Poses of a robot with four degrees of freedom turn about only one axis. */
    | 'more-than-one-axis'
    /** The poses are too similar, or move too little. */
    | 'undetermined'
}

const fewestPoses = 3 // two poses would leave no residual from which to estimate the noise
/** A smaller rotation about a second axis is lost in the noise of any camera. */
const secondAxisDegrees = 0.5

/**
 * Solves the camera's pose from poses of the robot and the grid as detected at each of them. Repeated observations of
 * the same robot pose count as one.
 */
export function solveHandEye(
  observations: readonly HandEyeObservation[],
  { robotMounted, fourAxis }: HandEyeOptions,
): HandEyeResult | HandEyeFailure {
  const hands = observations.map(({ robot }) => robot)
  if (observations.length < fewestPoses) return { solved: false, reason: 'too-few-poses' }
  const [, second] = spreadOf(hands).axes
  if (!fourAxis && second.degrees < secondAxisDegrees) return { solved: false, reason: 'too-little-rotation' }
  if (fourAxis && second.degrees > leastTurnDegrees) return { solved: false, reason: 'more-than-one-axis' }

  const all = observations.map((each) => station(each, robotMounted))
  const { stations, partOf } = distinct(all)
  if (stations.length < fewestPoses) return { solved: false, reason: 'too-few-poses' }
  const given: GivenCoordinate | undefined = fourAxis && {
    of: robotMounted ? 'camera' : 'grid',
    axis: fourAxis.axis,
    value: fourAxis.offset,
  }
  const start = given ? startOfFourAxisRobot(stations, given) : startOfFullRobot(stations)
  const free = [...zeros(unknownCount).keys()].filter((unknown) => unknown !== fixed(given))
  const found = estimate({ stations, robotMounted, free, prior: priorOf(stations) }, start)
  if (!found) return { solved: false, reason: 'undetermined' }
  return {
    solved: true,
    ...found.unknowns,
    ...accuracy(found, free),
    ...spreadNoise(found),
    misfits: misfits(found, all, partOf, robotMounted),
  }
}

const fixed = (given: GivenCoordinate | undefined): number | undefined =>
  given && ['x', 'y', 'z'].indexOf(given.axis) + (given.of === 'camera' ? 3 : 9)

function accuracy(found: Estimate, free: readonly number[]) {
  const covariance = covarianceOf(found)
  const among = (from: number, to: number) =>
    free.flatMap((unknown, index) => (unknown >= from && unknown < to ? [index] : []))
  const turn = certaintyOf(found, covariance, among(0, 3))
  const move = certaintyOf(found, covariance, among(3, 6))
  const camera = [0, 1, 2, 3, 4, 5].map((unknown) => free.indexOf(unknown))
  return {
    covariance: camera.map((row) =>
      camera.map((column) => (row < 0 || column < 0 ? 0 : covariance.get(row, column))),
    ),
    translationError: move.deviation,
    rotationErrorDegrees: degrees(turn.deviation),
    translationBound: move.bound,
    rotationBoundDegrees: degrees(turn.bound),
  }
}

const spreadNoise = ({ noise }: Estimate) => {
  const [gridTurn, translation, robotTurn] = noise.map((each) =>
    Math.exp(each / 2),
  ) as unknown as Estimate['noise']
  return {
    noise: { gridTurnDegrees: degrees(gridTurn), translation, robotTurnDegrees: degrees(robotTurn) },
  }
}

/** Repeatability of a robot: metres and degrees. */
const again = { metres: 0.0005, degrees: 0.05 }

interface DistinctStations {
  stations: Station[]
  /** For each original station, the index of its merged one. */
  partOf: number[]
}

/**
 * Merges stations at the same robot pose, averaging their observations. A repetition shows the camera's noise, but
 * repeats the robot's error: as a pose of its own it would make the result look more certain than it is.
 */
function distinct(given: readonly Station[]): DistinctStations {
  const groups: Station[][] = []
  const partOf = given.map((one) => {
    const known = groups.findIndex(([first]) => first && isSame(first.arm, one.arm))
    if (known < 0) return groups.push([one]) - 1
    groups[known]?.push(one)
    return known
  })
  return { stations: groups.flatMap(merged), partOf }
}

const isSame = (one: Pose, other: Pose) =>
  distance(one.position, other.position) < again.metres &&
  degrees(angleOf(product(conjugated(one.orientation), other.orientation))) < again.degrees

function merged(group: readonly Station[]): Station[] {
  const [first, ...others] = group
  if (!first || !others.length) return [...group]
  const from = first.seen.orientation
  const turns = group.map(({ seen }) => rotationVectorOf(product(conjugated(from), seen.orientation)))
  const seen: Pose = {
    position: mean(group.map((each) => each.seen.position)),
    orientation: product(from, ofRotationVector(mean(turns))),
  }
  return [{ ...first, seen }]
}

const mean = (vectors: readonly Vector[]): Vector => {
  const of = (axis: keyof Vector) => vectors.reduce((sum, each) => sum + each[axis], 0) / vectors.length
  return { x: of('x'), y: of('y'), z: of('z') }
}

/**
 * Closed-form initial solution for robots that turn about two axes or more: Andreff's linear form of the rotations over
 * all pairs of poses at once, then the positions by linear least squares.
 */
export function startOfFullRobot(stations: readonly Station[]): Unknowns {
  // arm · camera · seen = grid for rotations: vec(grid) = (seenᵀ ⊗ arm) vec(camera). The pairs differ only by their
  // common mean, so the best camera over all of them is the first singular vector of that mean, and the grid is its
  // image.
  const mean = Matrix.zeros(9, 9)
  for (const { arm, seen } of stations)
    mean.add(rows(seen.orientation).transpose().kroneckerProduct(rows(arm.orientation)))
  const { leftSingularVectors, rightSingularVectors } = new SingularValueDecomposition(mean, {
    autoTranspose: true,
  })
  const camera = rotationNear(rightSingularVectors.getColumn(0))
  const grid = rotationNear(leftSingularVectors.getColumn(0))
  return positions(stations, camera, grid)
}

function positions(stations: readonly Station[], camera: Quaternion, grid: Quaternion): Unknowns {
  const left: number[][] = []
  const right: number[][] = []
  for (const { arm, seen } of stations) {
    const r = matrixOf(arm.orientation)
    const inHand = rotated(rotated(seen.position, camera), arm.orientation)
    left.push([r[0], r[1], r[2], -1, 0, 0], [r[3], r[4], r[5], 0, -1, 0], [r[6], r[7], r[8], 0, 0, -1])
    right.push([-arm.position.x - inHand.x], [-arm.position.y - inHand.y], [-arm.position.z - inHand.z])
  }
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = leastSquares(left, right)
  return {
    camera: { position: { x: a, y: b, z: c }, orientation: camera },
    grid: { position: { x: d, y: e, z: f }, orientation: grid },
  }
}

/** The shortest solution if the equations are underdetermined. */
const leastSquares = (left: number[][], right: number[][]): number[] =>
  new SingularValueDecomposition(new Matrix(left), { autoTranspose: true })
    .solve(new Matrix(right))
    .to1DArray()

const rows = (orientation: Quaternion) => Matrix.from1DArray(3, 3, [...matrixOf(orientation)])

/** The rotation closest to nine numbers, column by column, that are a rotation times any factor. */
function rotationNear(columns: readonly number[]): Quaternion {
  const given = Matrix.from1DArray(3, 3, [...columns]).transpose()
  const { leftSingularVectors: u, rightSingularVectors: v } = new SingularValueDecomposition(given)
  const nearest = u.mmul(v.transpose())
  const [a, b, c, d, e, f, g, h, i] = nearest.to1DArray() as unknown as RotationMatrix
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
  return quaternionOf(nearest.mul(Math.sign(determinant)).to1DArray() as unknown as RotationMatrix)
}

/** A known coordinate of a position, metres. */
export interface GivenCoordinate {
  of: 'camera' | 'grid'
  axis: 'x' | 'y' | 'z'
  value: number
}

/**
 * Closed-form initial solution for robots that turn about one axis. The rotations seen by the camera give that axis in
 * its own frame, hence its orientation up to one angle. Cosine and sine of this angle and the positions are a linear
 * least-squares problem; along the axis the positions are determined only up to a common shift, which the known
 * coordinate fixes.
 */
export function startOfFourAxisRobot(stations: readonly Station[], given: GivenCoordinate): Unknowns {
  const { arm: axis, seen: seenAxis } = commonAxes(stations)
  const aligned = turnFrom(seenAxis, axis)
  const left: number[][] = []
  const right: number[][] = []
  for (const { arm, seen } of stations) {
    const view = rotated(seen.position, aligned)
    const along = dotOf(axis, view)
    const axial = times(axis, along)
    const cosine = rotated(minus(view, axial), arm.orientation)
    const sine = rotated(cross(axis, view), arm.orientation)
    const constant = rotated(axial, arm.orientation)
    const m = matrixOf(arm.orientation)
    const rows = [m.slice(0, 3), m.slice(3, 6), m.slice(6, 9)]
    for (const [row, name] of (['x', 'y', 'z'] as const).entries()) {
      const grid = [0, 0, 0]
      grid[row] = -1
      left.push([cosine[name], sine[name], ...(rows[row] ?? []), ...grid])
      right.push([-arm.position[name] - constant[name]])
    }
  }
  const offset = 2 + ['x', 'y', 'z'].indexOf(given.axis) + (given.of === 'grid' ? 3 : 0)
  const heavy = left.length * 1000
  left.push(Array.from({ length: 8 }, (_, column) => (column === offset ? heavy : 0)))
  right.push([heavy * given.value])
  const [c = 1, s = 0, a = 0, b = 0, d = 0, e = 0, f = 0, g = 0] = leastSquares(left, right)
  const camera = product(ofRotationVector(times(axis, Math.atan2(s, c))), aligned)
  const [first] = stations
  const grid = first ? product(product(first.arm.orientation, camera), first.seen.orientation) : camera
  const unknowns: Unknowns = {
    camera: { position: { x: a, y: b, z: d }, orientation: camera },
    grid: { position: { x: e, y: f, z: g }, orientation: grid },
  }
  unknowns[given.of].position[given.axis] = given.value
  return unknowns
}

/** The common axis of all rotations, in the frame after the arm and in the camera's frame; both point the same way. */
function commonAxes(stations: readonly Station[]): { arm: Vector; seen: Vector } {
  const turns = stations.flatMap((one, index) =>
    stations.slice(index + 1).map((other) => ({
      arm: rotationVectorOf(product(conjugated(one.arm.orientation), other.arm.orientation)),
      seen: rotationVectorOf(product(one.seen.orientation, conjugated(other.seen.orientation))),
    })),
  )
  const [widest] = [...turns].sort((one, other) => dotOf(other.arm, other.arm) - dotOf(one.arm, one.arm))
  const direction = widest?.arm ?? { x: 0, y: 0, z: 1 }
  const mean = (of: 'arm' | 'seen') =>
    unit({
      x: sumOf(turns, (turn) => dotOf(turn.arm, direction) * turn[of].x),
      y: sumOf(turns, (turn) => dotOf(turn.arm, direction) * turn[of].y),
      z: sumOf(turns, (turn) => dotOf(turn.arm, direction) * turn[of].z),
    })
  return { arm: mean('arm'), seen: mean('seen') }
}

/** The shortest rotation from one direction to another. */
function turnFrom(from: Vector, to: Vector): Quaternion {
  const cosine = dotOf(from, to)
  // Opposite directions: half a turn about any perpendicular axis.
  if (cosine < -1 + 1e-9) {
    const across = Math.abs(from.x) < 0.7 ? { x: 1, y: 0, z: 0 } : { x: 0, y: 1, z: 0 }
    return normalized({ w: 0, ...cross(from, across) })
  }
  return normalized({ w: 1 + cosine, ...cross(from, to) })
}

const dotOf = (a: Vector, b: Vector) => a.x * b.x + a.y * b.y + a.z * b.z
const times = ({ x, y, z }: Vector, factor: number): Vector => ({
  x: factor * x,
  y: factor * y,
  z: factor * z,
})
const minus = (a: Vector, b: Vector): Vector => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z })
const unit = (vector: Vector) => times(vector, 1 / Math.max(1e-30, Math.sqrt(dotOf(vector, vector))))
const cross = (a: Vector, b: Vector): Vector => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
})

/** How far the observation at one pose deviates from the common result of all poses. */
export interface Misfit {
  translation: number
  rotationDegrees: number
  /** About 1 for an ordinary pose; above 3 the pose does not fit the others. */
  surprise: number
}

/** @param partOf for each station, the index of its merged one */
function misfits(
  { unknowns, noise, white: { q } }: Estimate,
  stations: readonly Station[],
  partOf: readonly number[],
  robotMounted: boolean,
): Misfit[] {
  return stations.map((each, index) => {
    const seen = residual(each, unknowns, robotMounted)
    const [a = 0, b = 0, c = 0, x = 0, y = 0, z = 0] = seen.error
    const solved = partOf[index] ?? index
    const rows = [solved * residualCount, (solved + 1) * residualCount] as const
    const own = whitening(seen, noise)(seen.error)
    // The part of the error that the pose itself determines is expected.
    const expected = residualCount - sumOf(q.slice(...rows), (row) => dot(row, row))
    return {
      translation: Math.hypot(x, y, z),
      rotationDegrees: degrees(Math.hypot(a, b, c)),
      surprise: Math.sqrt(dot(own, own) / Math.max(1e-9, expected)),
    }
  })
}
