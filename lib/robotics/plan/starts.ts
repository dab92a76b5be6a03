import { determinant, Matrix, pseudoInverse, SingularValueDecomposition } from 'ml-matrix'
import type { Unknowns } from '../hand-eye/station'
import {
  composed,
  distance,
  inverted,
  type Pose,
  product,
  type Quaternion,
  rotated,
  type Vector,
  angleOf,
  conjugated,
  degrees,
  ofRotationVector,
  quaternionOf,
  radians,
  type RotationMatrix,
} from '../pose'
import { slackOf, turnOf, type Attempt, isSighting, type PlanSettings, type Sighting } from './views'

/** First shifts, metres: longest, and shortest above the noise of any camera. */
const longest = 0.05
const shortest = 0.01
const share = 0.7 // of the grid's room in the picture
const same = 0.002 // closer shifts are the same, metres

/**
 * The shifts to try, along the axes of the robot's base from the taught pose, the best first. However the camera is
 * mounted, the grid moves in the picture by no more than the shift. @returns empty if three directions have been
 * observed, or all tried
 */
export function nextShifts(settings: PlanSettings, taught: Sighting, attempts: readonly Attempt[]): Pose[] {
  const shifts = attempts.filter(({ purpose }) => purpose === 'shift')
  const room = share * Math.max(0, slackOf(settings, taught.grid))
  const length = Math.min(longest, Math.max(shortest, room))
  const open = (['x', 'y', 'z'] as const).filter(
    (axis) => !shifts.some((shift) => isSighting(shift) && isAlong(shift.robot, taught.robot, axis)),
  )
  const tries = open.flatMap((axis) =>
    [length, -length, length / 2, -length / 2].map((metres) =>
      moved(taught.robot, { ...none, [axis]: metres }),
    ),
  )
  return tries.filter((pose) => shifts.every(({ robot }) => distance(robot.position, pose.position) > same))
}

function isAlong(pose: Pose, taught: Pose, axis: 'x' | 'y' | 'z'): boolean {
  const along = Math.abs(pose.position[axis] - taught.position[axis])
  return along > 0.7 * distance(pose.position, taught.position) && along > same
}

const none: Vector = { x: 0, y: 0, z: 0 }

const moved = ({ position, orientation }: Pose, { x, y, z }: Vector): Pose => ({
  position: { x: position.x + x, y: position.y + y, z: position.z + z },
  orientation,
})

/** Metres: upper bound of the unknown distance of camera or grid from the hand before the first turns. */
const unknownArm = 0.3
/** Tilt and roll of the first turns, degrees, and the share of the picture's room that they may use. */
const turn = { tilt: 10, roll: 15 }
const scales = [1, -1, 0.5, -0.5, 0.25, -0.25] as const // in the other direction, then half as far

/**
 * The poses to try for the next of two turns, about where the shifts locate the grid, the best first. The grid is moved
 * to the middle of the picture and moves there by no more than the turn times the unknown arm. @param room for the grid
 * in the middle of the picture, metres @returns empty if both turns have been observed, or all tried
 */
export function nextTurns(
  settings: PlanSettings,
  taught: Sighting,
  unknowns: Unknowns,
  room: number,
  attempts: readonly Attempt[],
): Pose[] {
  const most = degrees((share * Math.max(0, room)) / unknownArm)
  const size = Math.min(1, most / Math.max(turn.tilt, 1))
  for (const kind of [0, 1] as const) {
    const poses = scales.map((scale) => poseOf(settings, taught, unknowns, kind, scale * size))
    const tried = poses.map((pose) => attempts.find((attempt) => isTurnTo(attempt, pose)))
    if (tried.some((attempt) => attempt && isSighting(attempt))) continue
    return poses.filter((_, index) => !tried[index])
  }
  return []
}

function poseOf(
  { robotMounted, fourAxis }: PlanSettings,
  taught: Sighting,
  { camera, grid }: Unknowns,
  kind: 0 | 1,
  scale: number,
): Pose {
  const ahead: Vector = { x: 0, y: 0, z: Math.hypot(...Object.values(taught.grid.position)) }
  if (fourAxis) {
    // The second turn is the first one reversed.
    const angle = radians(2 * turn.tilt * scale * (kind ? -0.8 : 1))
    const hand = product(
      taught.robot.orientation,
      ofRotationVector({ x: 0, y: 0, z: 0, [fourAxis.axis]: angle }),
    )
    const orientation = robotMounted ? hand : conjugated(hand)
    const bare = composed({ position: { x: 0, y: 0, z: 0 }, orientation }, composed(camera, at(ahead)))
    const arm = {
      position: {
        x: grid.position.x - bare.position.x,
        y: grid.position.y - bare.position.y,
        z: grid.position.z - bare.position.z,
      },
      orientation,
    }
    return robotMounted ? arm : inverted(arm)
  }
  const change = turnOf({
    tilt: turn.tilt * scale,
    azimuth: 90 * kind,
    roll: (kind ? -1 : 1) * turn.roll * scale,
  })
  const seen: Pose = { position: ahead, orientation: product(change, taught.grid.orientation) }
  const arm = composed(grid, inverted(composed(camera, seen)))
  return robotMounted ? arm : inverted(arm)
}

const at = (position: Vector): Pose => ({ position, orientation: { w: 1, x: 0, y: 0, z: 0 } })

/** Within any robot's accuracy. */
const isTurnTo = ({ purpose, robot }: Attempt, pose: Pose) =>
  purpose === 'turn' &&
  degrees(angleOf(product(conjugated(robot.orientation), pose.orientation))) < 1 &&
  distance(robot.position, pose.position) < 0.01

/** From three shifts of the hand, without any turn. */
interface ShiftResult {
  /** Whether camera or grid moves with the hand; undefined if the picture does not change. */
  mounting: 'robot' | 'fixed' | undefined
  /** Motion of the grid in the camera's frame per metre of the robot: 1, unless a unit is wrong. */
  ratio: number
  /** Of the camera, in the robot's base at the taught pose. */
  orientation: Quaternion
}

const tolerance = 0.3 // farther from one, or from a rotation, the shifts contradict each other

/**
 * Evaluates the shifts. A camera on the robot sees the grid move against the hand, a fixed camera along with it: the
 * sign of the determinant distinguishes them. @returns undefined with fewer than three directions
 */
export function fromShifts(taught: Sighting, attempts: readonly Attempt[]): ShiftResult | undefined {
  const shifts = attempts.filter(isSighting).filter(({ purpose }) => purpose === 'shift')
  if (shifts.length < 3) return undefined
  const rows = (of: (shift: Sighting) => Vector) =>
    new Matrix(
      shifts.map((shift) => {
        const { x, y, z } = of(shift)
        return [x, y, z]
      }),
    )
  const hand = rows(({ robot }) => minus(robot.position, taught.robot.position))
  const seen = rows(({ grid }) => minus(grid.position, taught.grid.position))
  // detected = hand · map, row by row.
  const map = pseudoInverse(hand).mmul(seen)
  const volume = determinant(map)
  const ratio = Math.cbrt(Math.abs(volume))
  const { leftSingularVectors: u, rightSingularVectors: v } = new SingularValueDecomposition(map)
  const onRobot = volume < 0
  // The columns of the map are the axes of the camera in the base; reversed for a camera on the robot.
  const nearest = u.mmul(v.transpose()).mul(onRobot ? -1 : 1)
  return {
    mounting: Math.abs(ratio - 1) > tolerance ? undefined : onRobot ? 'robot' : 'fixed',
    ratio,
    orientation: quaternionOf(nearest.to1DArray() as unknown as RotationMatrix),
  }
}

/** Camera and grid from shifts alone: a camera in the hand's origin, or a grid there. */
export function roughUnknowns(
  { robot, grid }: Sighting,
  { orientation }: ShiftResult,
  robotMounted: boolean,
): Unknowns {
  if (robotMounted) {
    const camera = {
      position: { x: 0, y: 0, z: 0 },
      orientation: product(conjugated(robot.orientation), orientation),
    }
    return { camera, grid: composed(composed(robot, camera), grid) }
  }
  const toGrid = rotated(grid.position, orientation)
  const camera = { position: minus(robot.position, toGrid), orientation }
  return { camera, grid: composed(inverted(robot), composed(camera, grid)) }
}

const minus = (one: Vector, other: Vector): Vector => ({
  x: one.x - other.x,
  y: one.y - other.y,
  z: one.z - other.z,
})
