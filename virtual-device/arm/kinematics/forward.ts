import { composed, identity, type Pose } from '../../../lib/robotics/pose'
import type { ArmModel } from './models'
import { at, type Six } from './six'

/** One row of the Denavit-Hartenberg table: turn about z and shift along it, then shift along x and turn about it. */
const link = (turn: number, d: number, a: number, quarter: -1 | 0 | 1): Pose => {
  const [c, s] = [Math.cos(turn / 2), Math.sin(turn / 2)]
  const [u, v] = quarter === 0 ? [1, 0] : [Math.SQRT1_2, quarter * Math.SQRT1_2]
  return {
    position: { x: a * Math.cos(turn), y: a * Math.sin(turn), z: d },
    orientation: { w: c * u, x: c * v, y: s * v, z: s * u },
  }
}

/** The frames of the links in the base, from the first joint to the flange. @param joints radians */
export function linkPoses(model: ArmModel, joints: Readonly<Six>): Pose[] {
  const { d1, a2, a3, d4, d5, d6 } = model
  const rows = [
    [d1, 0, 1],
    [0, a2, 0],
    [0, a3, 0],
    [d4, 0, 1],
    [d5, 0, -1],
    [d6, 0, 0],
  ] as const
  let frame = identity()
  return rows.map(
    ([d, a, quarter], index) => (frame = composed(frame, link(at(joints, index), d, a, quarter))),
  )
}

/** The flange in the base. @param joints radians */
export const flangeAt = (model: ArmModel, joints: Readonly<Six>): Pose =>
  linkPoses(model, joints).at(-1) ?? identity()
