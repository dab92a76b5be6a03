import { differenceOf } from '../calibration'
import {
  composed,
  conjugated,
  inverted,
  ofRotationVector,
  product,
  rotationVectorOf,
  type Pose,
  type Vector,
} from '../robotics'
import type { Pace } from './state'
import { robotError } from './robot-error'

/** From and to along an axis of the robot's base, metres. */
export type Range = readonly [from: number, to: number]

/** What no motion exceeds. Metres. */
export interface MotionLimits {
  /** Metres per second. */
  speed: number
  /** Metres per second squared. */
  acceleration: number
  /** Farthest distance of one motion. */
  step: number
  /** Largest turn of one motion, degrees. */
  turn: number
  /** The flange and the TCP stay in it; undefined: anywhere. */
  box?: readonly [Range, Range, Range] | undefined
}

/**
 * Checks motions through all poses, with their pace.
 * @param from where the flange is
 * @throws RobotError LIMIT, INVALID_INPUT
 */
export function checkMotions(
  from: Pose,
  poses: readonly Pose[],
  { tcpOffset, limits, pace }: { tcpOffset: Pose; limits: MotionLimits; pace: Partial<Pace> },
): void {
  if (poses.length === 0) throw robotError({ code: 'INVALID_INPUT', key: 'robot-no-pose' })
  for (const name of ['speed', 'acceleration'] as const) {
    const value = pace[name]
    const limit = limits[name]
    if (value !== undefined && !(value > 0 && value <= limit))
      throw robotError({
        code: 'LIMIT',
        key: `robot-${name}`,
        values: { is: inMillimetres(value), limit: inMillimetres(limit) },
      })
  }
  let last = from
  for (const [index, pose] of poses.entries()) {
    checkMotion(last, pose, { tcpOffset, limits, number: index + 1 })
    last = pose
  }
}

/** Parts into which the way is cut: between two of them flange and TCP leave a box by less than a millimetre. */
const parts = 32

/**
 * Checks a motion in which the TCP follows a straight line while the hand turns at an even rate.
 * @param from where the flange is @param to where it is sent
 * @param number of the motion, from 1, for the error
 * @throws RobotError LIMIT
 */
export function checkMotion(
  from: Pose,
  to: Pose,
  { tcpOffset, limits, number = 1 }: { tcpOffset: Pose; limits: MotionLimits; number?: number },
): void {
  const off = differenceOf(from, to)
  if (off.metres > limits.step)
    throw beyond('robot-step', { number, is: inMillimetres(off.metres), limit: inMillimetres(limits.step) })
  if (off.degrees > limits.turn)
    throw beyond('robot-turn', { number, is: Math.ceil(off.degrees), limit: limits.turn })
  const { box } = limits
  if (!box) return
  const tool = inverted(tcpOffset)
  const way = between(composed(from, tcpOffset), composed(to, tcpOffset))
  for (let part = 0; part <= parts; part++) {
    const tcp = way(part / parts)
    const flange = composed(tcp, tool)
    const outside = [flange, tcp].find(({ position }) => !isWithin(position, box))
    if (!outside) continue
    const key = part === 0 ? 'robot-box-now' : 'robot-box'
    throw beyond(key, { number, ...millimetres(outside.position) })
  }
}

/** The pose at each share of the way from one to another. */
function between(from: Pose, to: Pose): (share: number) => Pose {
  const turn = rotationVectorOf(product(conjugated(from.orientation), to.orientation))
  const mixed = (axis: keyof Vector, share: number) =>
    from.position[axis] + share * (to.position[axis] - from.position[axis])
  return (share) => ({
    position: { x: mixed('x', share), y: mixed('y', share), z: mixed('z', share) },
    orientation: product(
      from.orientation,
      ofRotationVector({ x: share * turn.x, y: share * turn.y, z: share * turn.z }),
    ),
  })
}

/** Whether a position is inside. */
export const isWithin = ({ x, y, z }: Vector, box: NonNullable<MotionLimits['box']>): boolean =>
  [x, y, z].every((value, axis) => {
    const [from, to] = box[axis] ?? [Number.NaN, Number.NaN]
    return value >= from && value <= to
  })

const beyond = (
  key: 'robot-step' | 'robot-turn' | 'robot-box' | 'robot-box-now',
  values: Record<string, unknown>,
) => robotError({ code: 'LIMIT', key, values })

const inMillimetres = (metres: number) => Math.round(metres * 1000)

const millimetres = ({ x, y, z }: Vector) => ({
  x: inMillimetres(x),
  y: inMillimetres(y),
  z: inMillimetres(z),
})
