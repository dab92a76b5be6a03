import type { Unknowns } from '../hand-eye/station'
import { composed, distance, inverted, product, type Pose, type Vector } from '../pose'
import { angleOf, conjugated, degrees, ofRotationVector, radians } from '../quaternion'
import { isSighting, type Attempt, type Sighting } from './attempt'
import type { PlanSettings } from './settings'
import { turnOf } from './views'

/** Where the camera is on the hand, or the grid, is not known before the first turns: at most this far away, metres. */
const unknownArm = 0.3
/** Tilt and roll of the first turns, degrees, and the share of the picture's room that they may use. */
const turn = { tilt: 10, roll: 15 }
const share = 0.7
/** The other way, then half as far. */
const scales = [1, -1, 0.5, -0.5, 0.25, -0.25] as const

/**
 * The poses to try for the next of two turns, about where the shifts say that the grid is, the best first. The grid comes
 * to the middle of the picture and moves there by no more than the turn times the unknown arm.
 *
 * @param room how far the grid may move in the middle of the picture, metres
 * @returns empty if both turns have been seen or all have been tried
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
    // The second turn is the first one the other way.
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

/** What was reached is where it was sent to, within what any robot keeps. */
const isTurnTo = ({ purpose, robot }: Attempt, pose: Pose) =>
  purpose === 'turn' &&
  degrees(angleOf(product(conjugated(robot.orientation), pose.orientation))) < 1 &&
  distance(robot.position, pose.position) < 0.01
