/** Kinematics of the arms by the maker's published dimensions: flange pose from six joints, and joints from a pose. */
import { composed, identity, type Pose, matrixOf } from '../../lib/robotics/pose'

/** One number per joint, or position and rotation vector of a pose. */
export type Six = [number, number, number, number, number, number]

export const six = (of: (index: number) => number): Six => [of(0), of(1), of(2), of(3), of(4), of(5)]

export const zeros = (): Six => [0, 0, 0, 0, 0, 0]

/** By an index that is known to be valid. */
export const at = (numbers: Readonly<Six>, index: number): number => numbers[index] as number

/** `e` is the newer generation with remote control and 500 Hz, `cb3` the older with 125 Hz. */
type Generation = 'e' | 'cb3'

/** The maker's nominal dimensions. Metres, radians, seconds. */
export interface ArmModel {
  /** In the dashboard server. */
  name: string
  generation: Generation
  /** Denavit-Hartenberg parameters that differ from zero. */
  d1: number
  a2: number
  a3: number
  d4: number
  d5: number
  d6: number
  /** Joint speed limits, rad/s. */
  fastest: Six
}

const degree = Math.PI / 180

const evenly = (degrees: number): Six => six(() => degrees * degree)

const wristsFaster = (base: number, wrist: number): Six => six((joint) => (joint < 3 ? base : wrist) * degree)

const big: Six = six((joint) => (joint < 2 ? 120 : 180) * degree)

/** A full turn to either side. */
export const jointLimit = 2 * Math.PI

export const armModels = {
  ur3e: {
    ...{ name: 'UR3', generation: 'e', d1: 0.15185, a2: -0.24355, a3: -0.2132, d4: 0.13105, d5: 0.08535 },
    ...{ d6: 0.0921, fastest: wristsFaster(180, 360) },
  },
  ur5e: {
    ...{ name: 'UR5', generation: 'e', d1: 0.1625, a2: -0.425, a3: -0.3922, d4: 0.1333, d5: 0.0997 },
    ...{ d6: 0.0996, fastest: evenly(180) },
  },
  ur10e: {
    ...{ name: 'UR10', generation: 'e', d1: 0.1807, a2: -0.6127, a3: -0.57155, d4: 0.17415, d5: 0.11985 },
    ...{ d6: 0.11655, fastest: big },
  },
  ur16e: {
    ...{ name: 'UR16', generation: 'e', d1: 0.1807, a2: -0.4784, a3: -0.36, d4: 0.17415, d5: 0.11985 },
    ...{ d6: 0.11655, fastest: big },
  },
  ur3: {
    ...{ name: 'UR3', generation: 'cb3', d1: 0.1519, a2: -0.24365, a3: -0.21325, d4: 0.11235, d5: 0.08535 },
    ...{ d6: 0.0819, fastest: wristsFaster(180, 360) },
  },
  ur5: {
    ...{ name: 'UR5', generation: 'cb3', d1: 0.089159, a2: -0.425, a3: -0.39225, d4: 0.10915, d5: 0.09465 },
    ...{ d6: 0.0823, fastest: evenly(180) },
  },
  ur10: {
    ...{ name: 'UR10', generation: 'cb3', d1: 0.1273, a2: -0.612, a3: -0.5723, d4: 0.163941, d5: 0.1157 },
    ...{ d6: 0.0922, fastest: big },
  },
} as const satisfies Readonly<Record<string, ArmModel>>

export type ArmName = keyof typeof armModels

export const armNames = Object.keys(armModels) as ArmName[]

/** A row of the Denavit-Hartenberg table: turn about z and shift along it, then shift along x and turn about it. */
const link = (turn: number, d: number, a: number, quarter: -1 | 0 | 1): Pose => {
  const [c, s] = [Math.cos(turn / 2), Math.sin(turn / 2)]
  const [u, v] = quarter === 0 ? [1, 0] : [Math.SQRT1_2, quarter * Math.SQRT1_2]
  return {
    position: { x: a * Math.cos(turn), y: a * Math.sin(turn), z: d },
    orientation: { w: c * u, x: c * v, y: s * v, z: s * u },
  }
}

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

/** In the base. @param joints radians */
export const flangeAt = (model: ArmModel, joints: Readonly<Six>): Pose =>
  linkPoses(model, joints).at(-1) ?? identity()

/** |sin| of the fifth joint below which the axes of joints 4 and 6 count as parallel. */
const parallel = 1e-9

const rounding = 1e-12 // rounding at the edge of the reach

/**
 * Up to eight solutions for a flange pose in the base, each with the turns nearest to `near`, within the joint limits.
 * Closed form for arms whose joints 2 to 4 are parallel.
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

/** The solution with the least largest joint movement from `near`; undefined if out of reach. */
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

function arc(of: (value: number) => number, value: number): number | undefined {
  return Math.abs(value) <= 1 + rounding ? of(Math.max(-1, Math.min(1, value))) : undefined
}

const nearestTurn = (angle: number, near: number) =>
  angle + 2 * Math.PI * Math.round((near - angle) / (2 * Math.PI))
