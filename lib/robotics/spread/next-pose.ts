import { determinant, Matrix } from 'ml-matrix'
import { type Axis, angleOf, degrees, ofRotationVector, radians } from '../rotation'
import { distance, product, rotated, type Pose, type Quaternion, type Vector } from '../pose'
import { scatterOf, turnBetween } from './spread'

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
  /**
   * Centre of the grid in the hand's frame at the first pose, metres; an estimate is sufficient. @default 0.5 m along z
   */
  grid?: Vector
  /** Poses at which the grid was not recognised, the latest last. */
  rejected?: readonly Pose[]
  /** Number of consecutive failures up to the latest attempt. @default 0 */
  failures?: number
}

/** Rotation of one step. */
const stepDegrees = 30
const stepMetres = 0.06
/** From the line of sight at the first pose: a grid seen at a steeper angle is detected badly, or not at all. */
const mostTilt = 35
/** About the line of sight: beyond this, cables wind up, and a grid without a marked corner may be read upside down. */
const mostRoll = 65
/** Orientations closer together than this contribute nearly the same. */
const apartDegrees = 7
/** Distance between positions, for a robot that turns about one axis. */
const apartMetres = 0.03
/** Continuing from the present position is worth a slightly smaller gain. */
const nearby = 0.1
const axes: readonly Axis[] = ['x', 'y', 'z']

/**
 * The next pose to record: rotated by one step about a line through the grid, so that the grid stays in the picture, in
 * the direction that adds most to the rotations of all poses together. After a pose at which the grid was not
 * recognised, the step is half as large, twice at most.
 *
 * @param poses of the robot's hand, in the order of recording
 * @returns undefined if there is no pose to start from, or none that would add anything
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

/** All single steps from all poses. */
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

/** A point of the hand's frame, in the base frame. */
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
