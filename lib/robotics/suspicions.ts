import { type Pose, radians, unitTolerance } from './pose'
import { poseFormat, type PoseFormat, type PoseFormatId } from './pose-formats'
import { type ConversionOptions, poseOfNumbers } from './pose-numbers'

/** Metres. No robot reaches farther, even on a track: the number must be in millimetres. */
export const farthestMetres = 20
/** Metres. A flange closer to the robot's origin would be inside its base. */
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

const rotationVectorLimit = 2 * Math.PI
/** Tolerated deviation of a rotation matrix times its transpose from the identity. */
const matrixTolerance = 0.01

function suspicionsOfRotation(format: PoseFormat, numbers: readonly number[]): Suspicion[] {
  const rotation = numbers.filter((_, index) => format.numbers[index]?.unit !== 'length')
  switch (format.rotation.kind) {
    case 'quaternion':
      return ofQuaternion(rotation)
    case 'rotation-vector':
      return ofRotationVectorLength(Math.hypot(...inRadians(format, rotation)))
    case 'matrix':
      return ofMatrix(numbers)
    case 'euler':
      return ofAngles(format, numbers)
  }
}

function ofQuaternion(parts: readonly number[]): Suspicion[] {
  const length = Math.hypot(...parts)
  if (Math.abs(length - 1) <= unitTolerance) return []
  return [{ severity: 'impossible', kind: 'quaternion-not-unit', length }]
}

function ofRotationVectorLength(length: number): Suspicion[] {
  if (length <= rotationVectorLimit + 1e-6) return []
  const limit = rotationVectorLimit
  return [
    {
      severity: 'impossible',
      kind: 'rotation-vector-too-long',
      length,
      limit,
      suspected: 'degrees-as-radians',
    },
  ]
}

function ofAngles(format: PoseFormat, numbers: readonly number[]): Suspicion[] {
  const scale = isInRadians(format) ? 180 / Math.PI : 1
  const angles = format.numbers.flatMap(({ name, range }, index) =>
    range
      ? [
          {
            name,
            value: (numbers[index] ?? NaN) * scale,
            range: [range[0] * scale, range[1] * scale] as const,
          },
        ]
      : [],
  )
  const outside = angles.flatMap(({ name, value, range: [min, max] }): Suspicion[] => {
    if (value >= min && value <= max) return []
    // Some controllers display 0 to 360.
    const severity = Math.abs(value) > 360 ? 'impossible' : 'suspicious'
    return [{ severity, kind: 'angle-out-of-range', name, value, min, max }]
  })
  return [...outside, ...(isInRadians(format) ? [] : radiansAmong(angles))]
}

const isInRadians = ({ numbers }: PoseFormat) => numbers.some(({ unit }) => unit === 'rad')
const inRadians = (format: PoseFormat, angles: readonly number[]) =>
  isInRadians(format) ? angles : angles.map(radians)

/** Tools usually point along an axis: π and π/2 to three digits, with no larger angle, are not a coincidence. */
function radiansAmong(angles: readonly { name: string; value: number }[]): Suspicion[] {
  if (angles.some(({ value }) => Math.abs(value) > 2 * Math.PI + 1e-3)) return []
  const telling = angles.find(({ value }) =>
    [Math.PI / 2, Math.PI].some((turn) => Math.abs(Math.abs(value) - turn) < 2e-3),
  )
  if (!telling) return []
  const { name, value } = telling
  return [{ severity: 'suspicious', kind: 'angles-look-like-radians', name, value }]
}

function ofMatrix(columns: readonly number[]): Suspicion[] {
  const element = (row: number, column: number) => columns[4 * column + row] ?? NaN
  const axes = [0, 1, 2]
  const products = axes.flatMap((one) =>
    axes.map((other) => {
      const product = axes.reduce((sum, row) => sum + element(row, one) * element(row, other), 0)
      return Math.abs(product - (one === other ? 1 : 0))
    }),
  )
  const lowest = axes.map((column) => Math.abs(element(3, column)))
  const deviation = Math.max(
    ...products,
    ...lowest,
    Math.abs(element(3, 3) - 1),
    // A mirror image also has orthonormal columns.
    Math.abs(determinant(element) - 1),
  )
  if (deviation <= matrixTolerance) return []
  // If the matrix was read by rows, the position is where the zeros should be.
  const byRows = lowest.some((value) => value > 0) && axes.every((row) => element(row, 3) === 0)
  return [
    {
      severity: 'impossible',
      kind: 'not-a-rotation-matrix',
      deviation,
      ...(byRows && { suspected: 'row-by-row' }),
    },
  ]
}

const determinant = (of: (row: number, column: number) => number) =>
  of(0, 0) * (of(1, 1) * of(2, 2) - of(1, 2) * of(2, 1)) -
  of(0, 1) * (of(1, 0) * of(2, 2) - of(1, 2) * of(2, 0)) +
  of(0, 2) * (of(1, 0) * of(2, 1) - of(1, 1) * of(2, 0))

/** Something impossible or unlikely in a robot's numbers. Angles are in degrees, those of a rotation vector in radians. */
export type Suspicion = { severity: 'impossible' | 'suspicious' } & (
  | { kind: 'wrong-count'; expected: number; got: number }
  | { kind: 'not-a-number'; name: string }
  /** Beyond the reach of any robot; metres. */
  | { kind: 'too-far'; metres: number; limit: number; suspected?: 'millimetres-as-metres' }
  /** Within a few millimetres of the robot's base origin; metres as read. */
  | { kind: 'too-near'; metres: number; limit: number; suspected: 'metres-as-millimetres' }
  | { kind: 'quaternion-not-unit'; length: number }
  | { kind: 'angle-out-of-range'; name: string; value: number; min: number; max: number }
  /** More than a full turn; radians. */
  | { kind: 'rotation-vector-too-long'; length: number; limit: number; suspected: 'degrees-as-radians' }
  | { kind: 'angles-look-like-radians'; name: string; value: number }
  | { kind: 'not-a-rotation-matrix'; deviation: number; suspected?: 'row-by-row' }
)
