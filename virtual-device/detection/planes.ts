import { rotated, type Pose, type Vector } from '../../lib/robotics/pose'
import { vectorShape } from '../services/pose-shape'
import { axisOf, dot, scaled } from './vectors'

/**
 * All points whose product with the normal is the distance. Our choice: a plane that is found has its normal away from
 * the camera, so that in the camera's frame its distance is positive.
 */
export type Plane = { normal: Vector; distance: number }

export const planeShape = { normal: vectorShape, distance: 'float64', pose_frame: 'string' } as const

/** The plane of x and y of a frame. */
export function planeOf(pose: Pose): Plane {
  const normal = axisOf(pose, 'z')
  const distance = dot(normal, pose.position)
  return distance < 0 ? { normal: scaled(normal, -1), distance: -distance } : { normal, distance }
}

/** A plane of a frame, in the frame in which that one has the pose. */
export function planeFrom(pose: Pose, { normal, distance }: Plane): Plane {
  const turned = rotated(normal, pose.orientation)
  return { normal: turned, distance: distance + dot(turned, pose.position) }
}

/** The plane, moved against its normal: towards the camera. @param by metres */
export const nearer = ({ normal, distance }: Plane, by: number): Plane => ({
  normal,
  distance: distance - by,
})
