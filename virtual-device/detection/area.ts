import type { Pose, Vector } from '../../lib/robotics/pose'
import type { Environment } from '../module'
import { InvalidArgument } from '../services/invalid-argument'
import type { Region, Region2d } from '../records/roi-db'
import type { Frames } from './frames'
import { storedRegion, storedRegion2d } from './records'
import { lengthOf, seenFrom } from './vectors'
import type { Pixel, View } from './view'

/** Whether a point in the camera's frame is inside. */
export type Area = (point: Vector) => boolean

/**
 * The area of the regions named in the arguments: at most one, in space or in the image.
 * @throws InvalidArgument for two regions, or one that is not stored
 */
export function areaOf(
  args: { region_of_interest_id?: string; region_of_interest_2d_id?: string },
  environment: Environment,
  frames: Frames,
  view: View,
): Area {
  const { region_of_interest_id: id, region_of_interest_2d_id: id2d } = args
  if (id && id2d)
    throw new InvalidArgument('region_of_interest_id and region_of_interest_2d_id exclude each other')
  if (id) {
    const region = storedRegion(environment, id, 'region_of_interest_id')
    const pose = frames.inCamera(region.pose, region.pose_frame)
    return (point) => view.inImage(point) && isInRegion(region, pose, point)
  }
  if (!id2d) return view.inImage
  const region = storedRegion2d(environment, id2d, 'region_of_interest_2d_id')
  return (point) => view.inImage(point) && isInRegion2d(region, view.pixel(point))
}

function isInRegion({ type, box, sphere }: Region, pose: Pose, point: Vector): boolean {
  const inner = seenFrom(pose, point)
  return type === 'SPHERE' ? lengthOf(inner) <= sphere.radius : isInBox(box, inner)
}

/** @param size edge lengths of a box around the origin */
export const isInBox = (size: Vector, point: Vector): boolean =>
  Math.abs(point.x) <= size.x / 2 && Math.abs(point.y) <= size.y / 2 && Math.abs(point.z) <= size.z / 2

const isInRegion2d = ({ offset_x, offset_y, width, height }: Region2d, { x, y }: Pixel): boolean =>
  x >= offset_x && x < offset_x + width && y >= offset_y && y < offset_y + height
