import { rotated, type Pose, type Vector } from '../robotics/pose'
import { farthestMetres } from '../robotics/suspicions'

/** From and to along an axis of the robot's base, metres. */
export type Range = readonly [from: number, to: number]

/** What a pose must be before a robot gets it; metres. */
export interface Workspace {
  /** Along x, y and z of the robot's base; undefined: anywhere. */
  box?: readonly [Range, Range, Range] | undefined
  /** The robot comes from so far behind the pose, against its z axis. @default 0 */
  approach?: number
  /** The robot leaves so far upwards, along z of its base. @default 0 */
  retreat?: number
}

/** Why a pose is not handed over. */
export type Implausibility = 'pose' | 'approach' | 'retreat'

/** What is implausible about a pose; undefined if nothing is: pose, approach and retreat are within the workspace. */
export function implausibility(
  { position, orientation }: Pose,
  { box, approach = 0, retreat = 0 }: Workspace,
): Implausibility | undefined {
  if (!isWithin(position, box)) return 'pose'
  const back = rotated({ x: 0, y: 0, z: -approach }, orientation)
  if (!isWithin(plus(position, back), box)) return 'approach'
  return isWithin(plus(position, { x: 0, y: 0, z: retreat }), box) ? undefined : 'retreat'
}

const plus = (one: Vector, other: Vector): Vector => ({
  x: one.x + other.x,
  y: one.y + other.y,
  z: one.z + other.z,
})

const isWithin = ({ x, y, z }: Vector, box: Workspace['box']): boolean =>
  box
    ? [x, y, z].every((value, axis) => {
        const [from, to] = box[axis] ?? [Number.NaN, Number.NaN]
        return value >= from && value <= to
      })
    : Math.hypot(x, y, z) <= farthestMetres
