import type { Pose } from '../../../lib/robotics/pose'
import { matrixOf } from '../../../lib/robotics/rotation'
import { jointLimit, type ArmModel } from './models'
import { at, six, type Six } from './six'

/** |sin| of the fifth joint below which the axes of joints 4 and 6 count as parallel. */
const parallel = 1e-9
/** Rounding at the edge of the reach. */
const rounding = 1e-12

/**
 * The joints that bring the flange to a pose of the base: up to eight solutions, each the turn nearest to `near`,
 * within the limits of the joints. Closed form for arms whose joints 2 to 4 are parallel.
 */
export function allJoints(model: ArmModel, flange: Pose, near: Readonly<Six>): Six[] {
  const { d4, d6 } = model
  const [r00, r01, r02, r10, r11, r12, r20, r21, r22] = matrixOf(flange.orientation)
  const { x, y, z } = flange.position
  const wrist = { x: x - d6 * r02, y: y - d6 * r12 }
  const shoulder = arc(Math.acos, d4 / Math.hypot(wrist.x, wrist.y))
  if (shoulder === undefined) return []
  const found: Six[] = []
  for (const first of [shoulder, -shoulder]) {
    const q1 = Math.atan2(wrist.y, wrist.x) + first + Math.PI / 2
    const [c1, s1] = [Math.cos(q1), Math.sin(q1)]
    const bent = arc(Math.acos, (x * s1 - y * c1 - d4) / d6)
    if (bent === undefined) continue
    for (const q5 of bent === 0 ? [0] : [bent, -bent]) {
      const s5 = Math.sin(q5)
      const q6 =
        Math.abs(s5) < parallel
          ? at(near, 5)
          : Math.atan2((-r01 * s1 + r11 * c1) / s5, (r00 * s1 - r10 * c1) / s5)
      const plane = { c1, s1, q5, q6 }
      const rows = [r00, r01, r02, r10, r11, r12, r20, r21, r22] as const
      for (const [q2, q3, q4] of elbows(model, rows, { x, y, z }, plane)) found.push([q1, q2, q3, q4, q5, q6])
    }
  }
  return found
    .map((joints) => six((index) => nearestTurn(at(joints, index), at(near, index))))
    .filter((joints) => joints.every((joint) => Math.abs(joint) <= jointLimit))
}

/** Of all solutions the one whose largest joint movement from `near` is least; undefined if out of reach. */
export function jointsAt(model: ArmModel, flange: Pose, near: Readonly<Six>): Six | undefined {
  const away = (joints: Six) => joints.reduce((sum, joint, index) => sum + (joint - at(near, index)) ** 2, 0)
  let best: Six | undefined
  for (const joints of allJoints(model, flange, near)) if (!best || away(joints) < away(best)) best = joints
  return best
}

interface Plane {
  c1: number
  s1: number
  q5: number
  q6: number
}

/** Joints 2 to 4 move in a plane that turns with joint 1: the two triangles of upper arm and forearm. */
function elbows(
  { d1, a2, a3, d5, d6 }: ArmModel,
  [r00, r01, r02, r10, r11, r12, r20, r21, r22]: ReturnType<typeof matrixOf>,
  { x, y, z }: Pose['position'],
  { c1, s1, q5, q6 }: Plane,
): [number, number, number][] {
  const [c5, s5, c6, s6] = [Math.cos(q5), Math.sin(q5), Math.cos(q6), Math.sin(q6)]
  // Axis of joint 5's frame y and the direction of joint 4's x, in the base.
  const along = (n: number, o: number, a: number) => ({
    x4: c5 * (n * c6 - o * s6) - s5 * a,
    y4: n * s6 + o * c6,
  })
  const [ex, ey, ez] = [along(r00, r01, r02), along(r10, r11, r12), along(r20, r21, r22)]
  // Origin of frame 4, and its x, in the plane of joint 1.
  const p = {
    x: x - d6 * r02 + d5 * ex.y4,
    y: y - d6 * r12 + d5 * ey.y4,
    z: z - d6 * r22 + d5 * ez.y4,
  }
  const [u, w] = [p.x * c1 + p.y * s1, p.z - d1]
  const total = Math.atan2(ez.x4, ex.x4 * c1 + ey.x4 * s1)
  const distance = Math.hypot(u, w)
  const elbow = arc(Math.acos, (distance ** 2 - a2 ** 2 - a3 ** 2) / (2 * a2 * a3))
  if (elbow === undefined) return []
  return (elbow === 0 ? [0] : [elbow, -elbow]).map((q3) => {
    const q2 = Math.atan2(-w, -u) - Math.atan2(-a3 * Math.sin(q3), -(a2 + a3 * Math.cos(q3)))
    return [q2, q3, total - q2 - q3]
  })
}

/** Undefined where there is no such angle. */
function arc(of: (value: number) => number, value: number): number | undefined {
  return Math.abs(value) <= 1 + rounding ? of(Math.max(-1, Math.min(1, value))) : undefined
}

const nearestTurn = (angle: number, near: number) =>
  angle + 2 * Math.PI * Math.round((near - angle) / (2 * Math.PI))
