import { composed, inverted, type Pose, type Quaternion, type Vector } from '../../lib/robotics/pose'
import { normalized } from '../../lib/robotics/quaternion'
import type { Sighting } from '../cell/sighting'
import type { HandEyeTag } from './hand-eye-shapes'

/**
 * Tags detected beside the grid, in its frame of reference: the external frame, or the hand's if the camera is fixed.
 */
export function tagsLocated(
  sightings: readonly { robot: Pose; seen: Sighting }[],
  camera: Pose,
  robotMounted: boolean,
): HandEyeTag[] {
  const found = sightings.flatMap(({ robot, seen }) => {
    const view = robotMounted ? composed(robot, camera) : composed(inverted(robot), camera)
    return seen.tags.map(({ id, size, pose }) => ({ id, size, pose: composed(view, pose) }))
  })
  const ids = [...new Set(found.map(({ id }) => id))].sort()
  return ids.map((id) => {
    const same = found.filter((each) => each.id === id)
    return { id, size: mean(same.map(({ size }) => size)), pose: meanPose(same.map(({ pose }) => pose)) }
  })
}

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length

/** The mean of poses that differ only by noise. */
function meanPose(poses: readonly Pose[]): Pose {
  const [first] = poses
  const part = (name: keyof Vector) => mean(poses.map(({ position }) => position[name]))
  // Both signs of a quaternion are the same rotation.
  const alike = poses.map(({ orientation: each }) => {
    const { w, x, y, z } = first?.orientation ?? each
    const sign = w * each.w + x * each.x + y * each.y + z * each.z < 0 ? -1 : 1
    return { w: sign * each.w, x: sign * each.x, y: sign * each.y, z: sign * each.z }
  })
  const turn = (name: keyof Quaternion) => mean(alike.map((each) => each[name]))
  return {
    position: { x: part('x'), y: part('y'), z: part('z') },
    orientation: normalized({ w: turn('w'), x: turn('x'), y: turn('y'), z: turn('z') }),
  }
}
