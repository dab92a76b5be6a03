import { type Pose, ofRotationVector, rotationVectorOf } from '../../../lib/robotics/pose'
import { six, type Six } from '../kinematics'

/** `p[x, y, z, rx, ry, rz]`: metres and a rotation vector. */
export class ScriptPose {
  constructor(readonly numbers: Six) {}
}

export class ThreadHandle {
  constructor(readonly id: number) {}
}

export type Value = number | boolean | string | ScriptPose | ThreadHandle | Value[] | undefined

export class ValueError extends Error {}

export function numberIn(value: Value): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new ValueError(`number expected, got ${shown(value)}`)
  return value
}

export function truthIn(value: Value): boolean {
  if (typeof value !== 'boolean') throw new ValueError(`boolean expected, got ${shown(value)}`)
  return value
}

export function textIn(value: Value): string {
  if (typeof value !== 'string') throw new ValueError(`string expected, got ${shown(value)}`)
  return value
}

export function sixIn(value: Value): Six {
  if (value instanceof ScriptPose) return value.numbers
  if (!Array.isArray(value) || value.length !== 6)
    throw new ValueError(`six numbers expected, got ${shown(value)}`)
  return six((index) => numberIn(value[index]))
}

export const poseIn = (value: Value): Pose => poseOfSix(sixIn(value))

export const poseOfSix = ([x, y, z, rx, ry, rz]: Readonly<Six>): Pose => ({
  position: { x, y, z },
  orientation: ofRotationVector({ x: rx, y: ry, z: rz }),
})

export function sixOfPose({ position, orientation }: Pose): Six {
  const turn = rotationVectorOf(orientation)
  return [position.x, position.y, position.z, turn.x, turn.y, turn.z]
}

export const asPose = (pose: Pose): ScriptPose => new ScriptPose(sixOfPose(pose))

/** Characters of a text, and numbers in a list including nested ones. */
const [longestText, longestList] = [4096, 1000]
const deepestList = 10 // nesting of lists

/** Size of a value in numbers. @throws ValueError if it exceeds the controller's memory */
export function sizeOf(value: Value, depth = 0): number {
  if (typeof value === 'string') {
    if (value.length > longestText) throw new ValueError('string too long')
    return 1 + value.length / 8
  }
  if (value instanceof ScriptPose) return 6
  if (!Array.isArray(value)) return 1
  if (value.length > longestList || depth >= deepestList) throw new ValueError('list too large')
  let size = 1
  for (const item of value) {
    size += sizeOf(item, depth + 1)
    if (size > longestList) throw new ValueError('list too large')
  }
  return size
}

/** Lists and poses are copied on assignment. */
export function copied(value: Value): Value {
  if (Array.isArray(value)) return value.map(copied)
  return value instanceof ScriptPose ? new ScriptPose([...value.numbers]) : value
}

export function shown(value: Value): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value instanceof ScriptPose) return `p[${value.numbers.map(shown).join(', ')}]`
  if (value instanceof ThreadHandle) return `thread ${value.id}`
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`
  if (typeof value === 'number') return String(Math.round(value * 1e6) / 1e6)
  return value ?? ''
}
