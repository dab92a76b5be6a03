import { rotated, type Pose, type Vector } from '../../lib/robotics/pose'
import { vectorShape } from '../services/pose-shape'
import { axisOf, dot, scaled } from './vectors'

/**
 * All points whose product with the normal is the distance. Our choice: the normal of a detected plane points away from
 * the camera, so that its distance in the camera's frame is positive.
 */
export type Plane = { normal: Vector; distance: number }

export const planeShape = { normal: vectorShape, distance: 'float64', pose_frame: 'string' } as const

/** The xy plane of a frame. */
export function planeOf(pose: Pose): Plane {
  const normal = axisOf(pose, 'z')
  const distance = dot(normal, pose.position)
  return distance < 0 ? { normal: scaled(normal, -1), distance: -distance } : { normal, distance }
}

/** Transforms a plane from the frame with that pose to the frame in which the pose is given. */
export function planeFrom(pose: Pose, { normal, distance }: Plane): Plane {
  const turned = rotated(normal, pose.orientation)
  return { normal: turned, distance: distance + dot(turned, pose.position) }
}

/** The plane moved against its normal, towards the camera. @param by metres */
export const nearer = ({ normal, distance }: Plane, by: number): Plane => ({
  normal,
  distance: distance - by,
})
