import { composed, distance, inverted, product } from '../../../lib/robotics/pose'
import { conjugated, ofRotationVector, rotationVectorOf } from '../../../lib/robotics/rotation'
import type { Builtin } from './machine'
import { asPose, numberIn, poseIn, ScriptPose, shown, sixIn, ValueError, type Value } from './values'

const ofNumbers = (takes: readonly string[], compute: (...numbers: number[]) => number): Builtin => ({
  takes,
  least: takes.length,
  call: (_, values) => compute(...takes.map((_name, index) => numberIn(values[index]))),
})
const ofOne = (compute: (number: number) => number) => ofNumbers(['f'], compute)
const ofPoses = (takes: readonly string[], call: (...values: Value[]) => Value): Builtin => ({
  takes,
  least: takes.length,
  call: (_, values) => call(...values),
})
const listLength: Builtin = {
  takes: ['v'],
  least: 1,
  call: (_, [value]) => {
    if (Array.isArray(value) || typeof value === 'string') return value.length
    if (value instanceof ScriptPose) return 6
    throw new ValueError(`list expected, got ${shown(value)}`)
  },
}

/** Functions that only compute. */
export const computations = {
  sin: ofOne(Math.sin),
  cos: ofOne(Math.cos),
  tan: ofOne(Math.tan),
  asin: ofOne(Math.asin),
  acos: ofOne(Math.acos),
  atan: ofOne(Math.atan),
  sqrt: ofOne(Math.sqrt),
  floor: ofOne(Math.floor),
  ceil: ofOne(Math.ceil),
  d2r: ofOne((angle) => (angle * Math.PI) / 180),
  r2d: ofOne((angle) => (angle * 180) / Math.PI),
  atan2: ofNumbers(['x', 'y'], Math.atan2),
  pow: ofNumbers(['base', 'exponent'], Math.pow),
  norm: {
    takes: ['a'],
    least: 1,
    call: (_, [value]) =>
      Array.isArray(value) ? Math.hypot(...value.map(numberIn)) : Math.abs(numberIn(value)),
  },
  get_list_length: listLength,
  length: listLength,
  to_str: { takes: ['val'], least: 1, call: (_, [value]) => shown(value) },
  str_cat: { takes: ['op1', 'op2'], least: 2, call: (_, [one, other]) => `${shown(one)}${shown(other)}` },
  pose_trans: ofPoses(['p_from', 'p_from_to'], (from, to) => asPose(composed(poseIn(from), poseIn(to)))),
  pose_inv: ofPoses(['p_from'], (from) => asPose(inverted(poseIn(from)))),
  /** Positions are added, turns are done one after the other. */
  pose_add: ofPoses(['p_1', 'p_2'], (one, other) => {
    const [a, b] = [poseIn(one), poseIn(other)]
    return asPose({
      position: {
        x: a.position.x + b.position.x,
        y: a.position.y + b.position.y,
        z: a.position.z + b.position.z,
      },
      orientation: product(a.orientation, b.orientation),
    })
  }),
  pose_sub: ofPoses(['p_to', 'p_from'], (to, from) => {
    const [a, b] = [poseIn(to), poseIn(from)]
    return asPose({
      position: {
        x: a.position.x - b.position.x,
        y: a.position.y - b.position.y,
        z: a.position.z - b.position.z,
      },
      orientation: product(a.orientation, conjugated(b.orientation)),
    })
  }),
  pose_dist: ofPoses(['p_from', 'p_to'], (from, to) => {
    const [a, b] = [poseIn(from), poseIn(to)]
    const turn = rotationVectorOf(product(b.orientation, conjugated(a.orientation)))
    return Math.hypot(distance(a.position, b.position), turn.x, turn.y, turn.z)
  }),
  point_dist: ofPoses(['p_from', 'p_to'], (from, to) => distance(poseIn(from).position, poseIn(to).position)),
  interpolate_pose: ofPoses(['p_from', 'p_to', 'alpha'], (from, to, alpha) => {
    const [a, b, share] = [poseIn(from), poseIn(to), numberIn(alpha)]
    const turn = rotationVectorOf(product(b.orientation, conjugated(a.orientation)))
    const part = { x: share * turn.x, y: share * turn.y, z: share * turn.z }
    const [p, q] = [sixIn(from), sixIn(to)]
    return asPose({
      position: {
        x: p[0] + share * (q[0] - p[0]),
        y: p[1] + share * (q[1] - p[1]),
        z: p[2] + share * (q[2] - p[2]),
      },
      orientation: product(ofRotationVector(part), a.orientation),
    })
  }),
} as const satisfies Readonly<Record<string, Builtin>>
