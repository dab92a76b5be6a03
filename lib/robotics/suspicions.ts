import type { Pose } from './pose'
import { poseFormat, type PoseFormat, type PoseFormatId } from './pose-formats'
import { poseOfNumbers, type ConversionOptions } from './robot-numbers'
import { suspicionsOfRotation } from './suspicions-of-rotation'
import type { Suspicion } from './suspicion'

/** No robot reaches farther, even on a track: the number must be in millimetres. */
export const farthestMetres = 20
/** A flange closer than this to the robot's origin would be inside its base. */
const nearestMetres = 0.01
/** Finds what is wrong with a pose that was read as metres and a quaternion. */
export function suspicionsOfPose({ position, orientation }: Pose): Suspicion[] {
  const { x, y, z } = position
  return suspicionsOf('device', [x, y, z, orientation.x, orientation.y, orientation.z, orientation.w])
}

/** Finds what is wrong with a robot's numbers, the most certain first; empty if they are plausible. */
export function suspicionsOf(
  id: PoseFormatId | PoseFormat,
  numbers: readonly number[],
  options: ConversionOptions = {},
): Suspicion[] {
  const format = typeof id === 'string' ? poseFormat(id) : id
  const expected = format.numbers.length
  if (numbers.length !== expected)
    return [{ severity: 'impossible', kind: 'wrong-count', expected, got: numbers.length }]
  const notNumbers = format.numbers.filter((_, index) => !Number.isFinite(numbers[index]))
  if (notNumbers.length)
    return notNumbers.map(({ name }) => ({ severity: 'impossible', kind: 'not-a-number', name }))
  const found = [...suspicionsOfRotation(format, numbers), ...ofPosition(format, numbers, options)]
  return found.sort((one, other) => rank(one) - rank(other))
}

const rank = ({ severity }: Suspicion) => (severity === 'impossible' ? 0 : 1)

function ofPosition(
  format: PoseFormat,
  numbers: readonly number[],
  { length = format.length }: ConversionOptions,
): Suspicion[] {
  const { x, y, z } = poseOfNumbers(format, numbers, { length }).position
  const metres = Math.hypot(x, y, z)
  if (metres > farthestMetres)
    return [
      {
        severity: 'impossible',
        kind: 'too-far',
        metres,
        limit: farthestMetres,
        ...(length === 'm' && { suspected: 'millimetres-as-metres' }),
      },
    ]
  if (length === 'mm' && metres > 0 && metres < nearestMetres)
    return [
      {
        severity: 'suspicious',
        kind: 'too-near',
        metres,
        limit: nearestMetres,
        suspected: 'metres-as-millimetres',
      },
    ]
  return []
}
