/** How much a set of poses turns and moves, whether that suffices for a calibration, and which pose helps most. */
import { determinant, EigenvalueDecomposition, Matrix } from 'ml-matrix'
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
  ofRotationVector,
  radians,
  rotationVectorOf,
} from './pose'

/** The rotations of a set of poses about one axis. */
export interface PrincipalAxis {
  /** Unit vector in the frame of the robot's hand. */
  axis: Vector
  /** Root mean square of the rotation between two poses about it. */
  degrees: number
}

/** How different the poses of a set are. */
export interface Spread {
  /** Largest rotation between two poses. */
  rotationDegrees: number
  /** Largest distance between two poses, metres. */
  translation: number
  /** Three orthogonal axes, in decreasing order of rotation. */
  axes: readonly [PrincipalAxis, PrincipalAxis, PrincipalAxis]
  /** Axes about which the poses rotate at all. A full robot needs two. */
  independentAxes: number
}

/** A smaller rotation is jogging inaccuracy. */
export const leastTurnDegrees = 2

const turnBetween = (one: Pose, other: Pose): Quaternion =>
  product(conjugated(one.orientation), other.orientation)

/** @param poses of the robot's hand, metres */
export function spreadOf(poses: readonly Pose[]): Spread {
  const pairs = poses.flatMap((one, index) => poses.slice(index + 1).map((other) => [one, other] as const))
  const turns = pairs.map(([one, other]) => turnBetween(one, other))
  const axes = principalAxes(turns)
  return {
    rotationDegrees: degrees(Math.max(0, ...turns.map(angleOf))),
    translation: Math.max(0, ...pairs.map(([one, other]) => distance(one.position, other.position))),
    axes,
    independentAxes: axes.filter(({ degrees }) => degrees >= leastTurnDegrees).length,
  }
}

/** Sum of the squared rotation vectors, radians²: three by three. */
function scatterOf(turns: readonly Quaternion[]): Matrix {
  const scatter = Matrix.zeros(3, 3)
  for (const turn of turns) {
    const { x, y, z } = rotationVectorOf(turn)
    const vector = Matrix.columnVector([x, y, z])
    scatter.add(vector.mmul(vector.transpose()))
  }
  return scatter
}

function principalAxes(turns: readonly Quaternion[]): Spread['axes'] {
  const scatter = scatterOf(turns).div(Math.max(1, turns.length))
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(scatter, {
    assumeSymmetric: true,
  })
  const axes = realEigenvalues.map((value, column): PrincipalAxis => {
    const [x = 0, y = 0, z = 0] = eigenvectorMatrix.getColumn(column)
    return { axis: pointedForward({ x, y, z }), degrees: degrees(Math.sqrt(Math.max(0, value))) }
  })
  return axes.sort((one, other) => other.degrees - one.degrees) as unknown as Spread['axes']
}

/** Of the two directions of an axis, the one whose largest component is positive. */
function pointedForward({ x, y, z }: Vector): Vector {
  const largest = [x, y, z].reduce((one, other) => (Math.abs(other) > Math.abs(one) + 1e-9 ? other : one))
  const sign = largest < 0 ? -1 : 1
  return { x: sign * x + 0, y: sign * y + 0, z: sign * z + 0 }
}

/** Two poses, by index, that contribute the same to the calibration. */
export interface NearDuplicate {
  poses: readonly [number, number]
  degrees: number
  metres: number
}

const alikeDegrees = 3

const alikeMetres = 0.02

/** The pairs of poses that are less than 3 degrees and 20 mm apart. */
export const nearDuplicates = (poses: readonly Pose[]): NearDuplicate[] =>
  poses.flatMap((one, index) =>
    poses.flatMap((other, otherIndex): NearDuplicate[] => {
      if (otherIndex <= index) return []
      const turn = degrees(angleOf(turnBetween(one, other)))
      const metres = distance(one.position, other.position)
      if (turn >= alikeDegrees || metres >= alikeMetres) return []
      return [{ poses: [index, otherIndex], degrees: turn, metres }]
    }),
  )

/** The number of poses if nearly identical ones count as one. */
export function distinctPoses(poses: readonly Pose[]): number {
  const repeated = new Set(nearDuplicates(poses).map(({ poses: [, later] }) => later))
  return poses.length - repeated.size
}

/** The pose that would add most to the calibration, and the movement to reach it. */
export interface NextPose {
  /** Index of the pose to start from. */
  from: number
  /** Axis of the robot's hand at that pose; the rotation is about the parallel line through the grid. */
  axis: Axis
  /** Right-handed: positive turns clockwise, looking along the axis. */
  degrees: number
  /** Metres along another axis of the hand, after the rotation; only for a robot that turns about one axis. */
  shift?: { axis: Axis; metres: number }
  /** The resulting pose of the hand, with the grid in the same place in the picture. */
  pose: Pose
}

/** What is known about the robot and the grid. */
export interface NextPoseOptions {
  /** The only axis about which the robot turns. @default any */
  axis?: Axis
  /** Centre of the grid in the hand's frame at the first pose, metres; an estimate is sufficient. @default 0.5 m along z */
  grid?: Vector
  /** Poses at which the grid was not recognised, the latest last. */
  rejected?: readonly Pose[]
  /** Number of consecutive failures up to the latest attempt. @default 0 */
  failures?: number
}

const stepDegrees = 30 // rotation of one step

const stepMetres = 0.06

/** From the line of sight at the first pose: a grid seen at a steeper angle is detected badly, or not at all. */
const mostTilt = 35

/** About the line of sight: beyond this, cables wind up, and a grid without a marked corner may be read upside down. */
const mostRoll = 65

const apartDegrees = 7 // orientations closer together than this contribute nearly the same

const apartMetres = 0.03 // distance between positions, for a robot that turns about one axis

const nearby = 0.1 // continuing from the current position is worth a slightly smaller gain

const axes: readonly Axis[] = ['x', 'y', 'z']

/**
 * The next pose to record: rotated by one step about a line through the grid, so that the grid stays in the picture, in
 * the direction that adds most to the rotations of all poses. After a pose without a recognised grid, the step is half
 * as large, twice at most. @param poses of the robot's hand, in the order of recording @returns undefined if there is
 * no pose to start from, or none that would add anything
 */
export function nextPose(poses: readonly Pose[], options: NextPoseOptions = {}): NextPose | undefined {
  const { grid = { x: 0, y: 0, z: 0.5 }, rejected = [], failures = 0 } = options
  const first = poses[0]
  if (!first) return undefined
  const largest = stepDegrees / 2 ** Math.min(2, failures)
  for (const angle of [largest, largest / 2]) {
    const possible = candidates(poses, angle, grid, options.axis).filter(
      ({ pose }) =>
        isInReach(first, pose, grid) &&
        poses.every((each) => isApart(each, pose, options.axis !== undefined)) &&
        rejected.every((each) => isApart(each, pose, options.axis !== undefined)),
    )
    const last = poses.length - 1
    const gains = possible.map(({ from, pose }) => gainOf(poses, pose) + (from === last ? nearby : 0))
    const best = possible[gains.indexOf(Math.max(...gains))]
    if (best) return best
  }
  return undefined
}

function candidates(poses: readonly Pose[], angle: number, grid: Vector, only: Axis | undefined): NextPose[] {
  const first = poses[0] as Pose
  const place = moved(first, grid)
  const shifts = only ? shiftsAcross(only) : [undefined]
  return poses.flatMap((start, from) =>
    (only ? [only] : axes).flatMap((axis) =>
      [angle, -angle].flatMap((turned) =>
        shifts.map((shift): NextPose => {
          const orientation = product(start.orientation, turn(axis, turned))
          // The hand is where it sees or holds the grid as it does at the first pose.
          const pose = { position: minus(place, rotated(grid, orientation)), orientation }
          if (!shift) return { from, axis, degrees: turned, pose }
          const along = { x: 0, y: 0, z: 0, [shift.axis]: shift.metres }
          return { from, axis, degrees: turned, shift, pose: { ...pose, position: moved(pose, along) } }
        }),
      ),
    ),
  )
}

/** A robot that turns about one axis must also move across it. */
const shiftsAcross = (only: Axis) =>
  axes
    .filter((axis) => axis !== only)
    .flatMap((axis) => [stepMetres, -stepMetres].map((metres) => ({ axis, metres })))

/** Whether the grid is seen at a reasonable angle and not rotated too far in the picture. */
function isInReach(first: Pose, pose: Pose, grid: Vector): boolean {
  const change = turnBetween(first, pose)
  const length = Math.hypot(grid.x, grid.y, grid.z)
  const sight = length > 0 ? scaled(grid, 1 / length) : { x: 0, y: 0, z: 1 }
  const seen = rotated(sight, change)
  const tilt = degrees(Math.acos(Math.min(1, Math.max(-1, dot(seen, sight)))))
  // The part of the rotation about the line of sight.
  const roll = degrees(2 * Math.atan2(dot({ x: change.x, y: change.y, z: change.z }, sight), change.w))
  const wrapped = Math.abs(((roll + 540) % 360) - 180)
  return tilt <= mostTilt && wrapped <= mostRoll
}

const isApart = (one: Pose, other: Pose, movesToo: boolean): boolean =>
  degrees(angleOf(turnBetween(one, other))) >= apartDegrees ||
  (movesToo && distance(one.position, other.position) >= apartMetres)

const turn = (axis: Axis, angle: number): Quaternion =>
  ofRotationVector({ x: 0, y: 0, z: 0, [axis]: radians(angle) })

function moved({ position, orientation }: Pose, point: Vector): Vector {
  const { x, y, z } = rotated(point, orientation)
  return { x: position.x + x, y: position.y + y, z: position.z + z }
}

const minus = (one: Vector, other: Vector): Vector => ({
  x: one.x - other.x,
  y: one.y - other.y,
  z: one.z - other.z,
})

const scaled = ({ x, y, z }: Vector, by: number): Vector => ({ x: x * by, y: y * by, z: z * by })

const dot = (one: Vector, other: Vector) => one.x * other.x + one.y * other.y + one.z * other.z

/** Half a degree squared: an axis without any rotation so far counts as hardly rotated instead of as zero. */
const floor = radians(0.5) ** 2

function gainOf(poses: readonly Pose[], added: Pose): number {
  const all = [...poses, added]
  const turns = all.flatMap((one, index) => all.slice(index + 1).map((other) => turnBetween(one, other)))
  return Math.log(determinant(scatterOf(turns).add(Matrix.eye(3).mul(floor))))
}

/** A problem of a set of poses. `refuse`: a calibration is impossible; `warn`: it will be less accurate than possible. */
export type Finding = { severity: 'refuse' | 'warn' } & (
  | { kind: 'too-few-poses'; poses: number; needed: number }
  | { kind: 'few-poses'; poses: number; advised: number }
  /** The poses rotate only about this axis of the hand. */
  | { kind: 'single-axis'; axis: Vector; degrees: number }
  /** The poses hardly rotate about a second axis. */
  | { kind: 'weak-second-axis'; axis: Vector; degrees: number; advised: number }
  | { kind: 'little-rotation'; degrees: number; advised: number }
  /** The robot is configured to turn about one axis, but the poses rotate about more. */
  | { kind: 'more-than-one-axis'; axis: Vector; degrees: number }
  /** Poses that rotate about one axis must also move across it, metres. */
  | { kind: 'little-translation'; metres: number; advised: number }
  | { kind: 'much-translation'; metres: number; advised: number }
  | ({ kind: 'near-duplicates' } & NearDuplicate)
)

/** The value of a set of poses for a calibration. */
export interface Assessment {
  spread: Spread
  /** Refusals first. */
  findings: Finding[]
  usable: boolean
  good: boolean
  /** The next pose to record; undefined if nothing is missing, or if no step would improve the set. */
  next?: NextPose
}

/** For the next pose, about grid and attempts too. */
export type AssessOptions = NextPoseOptions

/** With fewer poses a calibration is refused. */
export const neededPoses = 4

/** With fewer poses a calibration is less accurate than possible. */
export const advisedPoses = 8

const advisedDegrees = 30

const advisedSecondAxisDegrees = 5

/** Movement across the axis of a robot that turns about only one. */
const advisedMetres = { least: 0.1, most: 1 }

const refusedMetres = 0.02

/** Assesses whether a set of robot poses is sufficient for a calibration, how good it is, and which pose should be next. */
export function assess(poses: readonly Pose[], options: AssessOptions = {}): Assessment {
  const { axis } = options
  const spread = spreadOf(poses)
  const findings = [
    ...ofCount(poses),
    ...(poses.length < 2 ? [] : axis ? ofOneAxis(spread) : ofAnyAxis(spread)),
    ...nearDuplicates(poses).map((pair): Finding => ({ severity: 'warn', kind: 'near-duplicates', ...pair })),
    ...ofReach(spread),
  ].sort((one, other) => rank(one) - rank(other))
  // Two nearly identical poses do not require another one.
  const isEnough = findings.every(({ kind }) => kind === 'near-duplicates' || kind === 'much-translation')
  const next = isEnough ? undefined : nextPose(poses, options)
  return {
    spread,
    findings,
    usable: findings.every(({ severity }) => severity === 'warn'),
    good: findings.length === 0,
    ...(next && { next }),
  }
}

const rank = ({ severity }: Finding) => (severity === 'refuse' ? 0 : 1)

function ofCount(poses: readonly Pose[]): Finding[] {
  const distinct = distinctPoses(poses)
  if (distinct < neededPoses)
    return [{ severity: 'refuse', kind: 'too-few-poses', poses: distinct, needed: neededPoses }]
  if (distinct >= advisedPoses) return []
  return [{ severity: 'warn', kind: 'few-poses', poses: distinct, advised: advisedPoses }]
}

function ofAnyAxis({ axes: [first, second], rotationDegrees, independentAxes }: Spread): Finding[] {
  if (independentAxes === 0 || rotationDegrees < advisedDegrees / 6)
    return [
      { severity: 'refuse', kind: 'little-rotation', degrees: rotationDegrees, advised: advisedDegrees },
    ]
  if (independentAxes === 1) return [{ severity: 'refuse', kind: 'single-axis', ...first }]
  const found: Finding[] = []
  if (second.degrees < advisedSecondAxisDegrees)
    found.push({ severity: 'warn', kind: 'weak-second-axis', ...second, advised: advisedSecondAxisDegrees })
  if (rotationDegrees < advisedDegrees)
    found.push({
      severity: 'warn',
      kind: 'little-rotation',
      degrees: rotationDegrees,
      advised: advisedDegrees,
    })
  return found
}

function ofOneAxis({ axes: [first, second], rotationDegrees, translation }: Spread): Finding[] {
  const found: Finding[] = []
  if (second.degrees >= leastTurnDegrees)
    found.push({ severity: 'refuse', kind: 'more-than-one-axis', ...second })
  if (rotationDegrees < advisedDegrees)
    found.push({
      severity: first.degrees < leastTurnDegrees ? 'refuse' : 'warn',
      kind: 'little-rotation',
      degrees: rotationDegrees,
      advised: advisedDegrees,
    })
  if (translation < advisedMetres.least)
    found.push({
      severity: translation < refusedMetres ? 'refuse' : 'warn',
      kind: 'little-translation',
      metres: translation,
      advised: advisedMetres.least,
    })
  return found
}

const ofReach = ({ translation }: Spread): Finding[] =>
  translation > advisedMetres.most
    ? [{ severity: 'warn', kind: 'much-translation', metres: translation, advised: advisedMetres.most }]
    : []
