import { distance, identity, rotated, type Pose } from '../../lib/robotics/pose'
import type { Frames } from './frames'
import type { PreferredOrientation, SortedBy, SortingStrategies } from './preferences'
import type { Scene } from './scene'
import { angleBetween, axisOf, dot } from './vectors'

/** Something that can be sorted. Poses in the camera's frame. */
export interface Sortable {
  pose: Pose
  /** Square metres. */
  area?: number
  /** 0 to 1. */
  score?: number
}

/** A preferred orientation in the camera's frame. */
export const preferredFromCamera = (
  { orientation, pose_frame }: PreferredOrientation,
  frames: Frames,
): Pose => frames.inCamera({ ...identity(), orientation }, pose_frame)

/** The angle between the orientation of a tool at that pose and the preferred one, radians. */
export const offPreferred = (pose: Pose, preferred: Pose): number =>
  angleBetween(axisOf(pose, 'z'), axisOf(preferred, 'z'))

/** Sorts results by the strategies, the best first. Our choice without strategies: by the first of `byDefault`. */
export function sorted<Thing extends Sortable>(
  things: readonly Thing[],
  {
    strategies,
    byDefault,
    preferred,
    frames,
    scene,
  }: { strategies: SortingStrategies; byDefault: SortedBy; preferred: Pose; frames: Frames; scene: Scene },
): Thing[] {
  const up = axisOf(scene.floor, 'z')
  const { direction, distance_to_point: point } = strategies
  const rank: Record<SortedBy, (thing: Thing) => number> = {
    gravity: ({ pose }) => -dot(up, pose.position),
    surface_area: ({ area = 0 }) => -area,
    match_score: ({ score = 0 }) => -score,
    preferred_orientation: ({ pose }) => offPreferred(pose, preferred),
  }
  const byDirection = () => {
    const frame = frames.inCamera(identity(), direction.pose_frame || 'camera')
    const there = rotated(direction.vector, frame.orientation)
    return ({ pose }: Thing) => -dot(there, pose.position)
  }
  const byDistance = () => {
    const frame = { ...identity(), position: point.point }
    const { position } = frames.inCamera(frame, point.pose_frame || 'camera')
    return ({ pose }: Thing) => distance(pose.position, position) * (point.farthest_first ? -1 : 1)
  }
  const [by = byDefault] = Object.entries(strategies).flatMap(([name, { weight }]) =>
    weight > 0 ? [name] : [],
  )
  const ranked =
    by === 'direction' ? byDirection() : by === 'distance_to_point' ? byDistance() : rank[by as SortedBy]
  return [...things].sort((one, other) => ranked(one) - ranked(other))
}
