import { distance, type Pose, type Vector } from '../pose'
import { isSighting, type Attempt, type Sighting } from './attempt'
import { slackOf } from './picture'
import type { PlanSettings } from './settings'

/** Longest first shift, and the shortest that stands out from the noise of any camera, metres. */
const longest = 0.05
const shortest = 0.01
/** Of the room that the grid has in the picture. */
const share = 0.7
/** Two shifts closer than this are the same one, metres. */
const same = 0.002

/**
 * The shifts to try, along the axes of the robot's base from the taught pose, the best first. However the camera is
 * mounted, the grid moves in the picture by no more than the shift.
 *
 * @returns empty if three directions have been seen, or if all have been tried
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
