import { composed, inverted, type Pose, type Vector } from '../../lib/robotics/pose'
import type { ParameterValue } from '../module'
import { type Gripper, poseInFlange } from '../records/gripper'
import { axisOf, dot, lengthOf, pointIn, scaled, seenFrom, sum } from './geometry'
import { type Bin, type Solid, wallsOf } from './scene'

type Body = Pick<Solid, 'half' | 'pose'>

/** What a gripper must not touch, in the frame of the grasps. */
export interface Obstacle {
  bin: Bin
  /** Height of the wall at negative y, metres, if the load carrier is open there. */
  open?: number
}

/** Number of positions that are checked on the path to the grasp. */
const places = 4

/**
 * The elements of a gripper as bounding boxes in the frame of its TCP. Our choice: the geometry of CAD elements is
 * ignored.
 */
function gripperBodies(gripper: Gripper): Body[] {
  const flange = inverted(gripper.tcp_pose_flange)
  return gripper.elements.flatMap(({ id, type, box, cylinder }) => {
    const pose = composed(flange, poseInFlange(id, gripper.elements))
    if (type === 'BOX') return [{ half: scaled(box, 0.5), pose }]
    const { radius, height } = cylinder
    return type === 'CYLINDER' ? [{ half: { x: radius, y: radius, z: height / 2 }, pose }] : []
  })
}

/** @param parameters of the collision_check module */
export function collisionCheck(
  gripper: Gripper,
  obstacles: readonly Obstacle[],
  {
    parameters: { collision_dist, check_bottom, check_flange },
    preGraspOffset,
  }: { parameters: Readonly<Record<string, ParameterValue>>; preGraspOffset: Vector },
): (grasp: Pose) => boolean {
  const bodies = gripperBodies(gripper)
  const flange = inverted(gripper.tcp_pose_flange).position
  const margin = Number(collision_dist)
  const solids = obstacles.flatMap(({ bin, open }) => {
    const walls = wallsOf(bin, open)
    return check_bottom === true ? walls : walls.slice(0, -1)
  })
  const kept = solids.map(({ half, pose }) =>
    turnedBox({ pose, half: { x: half.x + margin, y: half.y + margin, z: half.z + margin } }),
  )
  const steps = Array.from({ length: places }, (_, index) => scaled(preGraspOffset, 1 - index / (places - 1)))

  /** Whether the gripper collides on its path to this pose of its TCP. */
  return (grasp) =>
    steps.some((offset) => {
      const tcp = { position: pointIn(grasp, offset), orientation: grasp.orientation }
      if (check_flange === true && obstacles.some(({ bin }) => isInside(bin, pointIn(tcp, flange))))
        return true
      return bodies.some(({ half, pose }) => {
        const body = turnedBox({ half, pose: composed(tcp, pose) })
        return kept.some((solid) => boxesTouch(body, solid))
      })
    })
}

function isInside({ inner, outer, pose }: Bin, point: Vector): boolean {
  const { x, y, z } = seenFrom(pose, point)
  return Math.abs(x) < inner.x / 2 && Math.abs(y) < inner.y / 2 && z > -outer.z / 2 && z < outer.z / 2
}

/** A box in any orientation. */
interface TurnedBox {
  middle: Vector
  /** Directions of its edges, each half an edge long. */
  arms: readonly Vector[]
  /** From the centre to a corner. */
  radius: number
}

/** @param half of the edge lengths */
export const turnedBox = ({ half, pose }: { half: Vector; pose: Pose }): TurnedBox => ({
  middle: pose.position,
  arms: (['x', 'y', 'z'] as const).map((axis) => scaled(axisOf(pose, axis), half[axis])),
  radius: lengthOf(half),
})

const cross = (one: Vector, other: Vector): Vector => ({
  x: one.y * other.z - one.z * other.y,
  y: one.z * other.x - one.x * other.z,
  z: one.x * other.y - one.y * other.x,
})
/** Nearly parallel edges define no plane. */
const parallel = 1e-12

/** Whether two boxes have a point in common: no plane along their faces or edges separates them. */
export function boxesTouch(one: TurnedBox, other: TurnedBox): boolean {
  const apart = sum(other.middle, scaled(one.middle, -1))
  if (lengthOf(apart) > one.radius + other.radius) return false
  const arms = [...one.arms, ...other.arms]
  const separates = (normal: Vector) =>
    lengthOf(normal) > parallel &&
    Math.abs(dot(apart, normal)) > arms.reduce((reach, arm) => reach + Math.abs(dot(arm, normal)), 0)
  return (
    !arms.some(separates) && !one.arms.some((arm) => other.arms.some((edge) => separates(cross(arm, edge))))
  )
}
