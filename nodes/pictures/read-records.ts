import type { Box } from '../../lib/images/cloud/box'
import { devicePoseIn, deviceVectorIn } from '../../lib/robotics/pose-numbers'
import { identity, type Pose, type Vector } from '../../lib/robotics/pose'
import { isObject } from '../shared/is-object'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('pictures')

/** Lengths above zero, metres. */
function sizeIn(value: unknown): Vector | undefined {
  const size = deviceVectorIn(value)
  return size && size.x > 0 && size.y > 0 && size.z > 0 ? size : undefined
}

/** @throws INVALID_INPUT if it is no pose in the device's form */
export function readDevicePose(field: string, value: unknown): Pose {
  const pose = devicePoseIn(value)
  if (!pose) throw invalidInput('not-a-pose', { field })
  return pose
}

/**
 * A box as the device stores its regions: `box` with its size and `pose`, which may be missing at the origin.
 * @param frame in which the points are, as the device names frames; undefined if it has no name for it
 * @throws INVALID_INPUT if it is no box, or names another frame
 */
export function readRegion(field: string, value: unknown, frame: 'camera' | 'external' | undefined): Box {
  const record = isObject(value) ? value : {}
  const size = sizeIn(record['box'])
  const pose = record['pose'] === undefined ? identity() : devicePoseIn(record['pose'])
  if (!size || !pose) throw invalidInput('not-a-region', { field })
  const named = record['pose_frame']
  if (typeof named === 'string' && named !== '' && named !== frame)
    throw invalidInput('region-frame', { frame: named })
  return { pose, size }
}

/** A load carrier that the device has detected. Metres. */
export interface FoundLoadCarrier {
  pose: Pose
  /** Whether the pose is in the robot's frame rather than in the camera's. */
  isExternal: boolean
  /** The space in it, in its own frame. */
  inside: Box
}

/** @throws INVALID_INPUT if it is no detected load carrier */
export function readLoadCarrier(field: string, value: unknown): FoundLoadCarrier {
  const record = isObject(value) ? value : {}
  const pose = devicePoseIn(record['pose'])
  const inner = sizeIn(record['inner_dimensions'])
  const outer = sizeIn(record['outer_dimensions']) ?? inner
  const frame = record['pose_frame']
  if (!pose || !inner || !outer || (frame !== 'camera' && frame !== 'external'))
    throw invalidInput('not-a-load-carrier', { field })
  // The pose is that of the outer box; the inside is open at the top, so the floor makes the difference in height.
  const centre = { x: 0, y: 0, z: (outer.z - inner.z) / 2 }
  return {
    pose,
    isExternal: frame === 'external',
    inside: { pose: { ...identity(), position: centre }, size: inner },
  }
}
