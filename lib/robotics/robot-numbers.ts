import { eulerOf, ofEuler, type EulerAngles, type EulerAxes } from './euler'
import type { Pose, Quaternion } from './pose'
import {
  poseFormat,
  type LengthUnit,
  type PoseFormat,
  type PoseFormatId,
  type Rotation,
} from './pose-formats'
import { canonical, degrees, normalized, ofRotationVector, radians, rotationVectorOf } from './quaternion'
import { homogeneousOf, poseOfHomogeneous } from './rotation-matrix'

/** Options of a conversion besides the format. */
export interface ConversionOptions {
  /** Unit of the robot's positions. @default the format's own */
  length?: LengthUnit
}

type Values = Readonly<Record<string, number>>
/** Converts the numbers of a rotation into a unit quaternion and back. */
interface RotationCodec {
  read: (values: Values) => Quaternion
  write: (orientation: Quaternion) => readonly number[]
}

/**
 * Converts a robot's numbers into a pose.
 *
 * @param numbers in the order of the format; any non-zero quaternion is accepted as a rotation
 * @returns metres and a unit quaternion with w ≥ 0; NaN if a number is missing
 */
export function poseOfNumbers(
  format: PoseFormatId | PoseFormat,
  numbers: readonly number[],
  options?: ConversionOptions,
): Pose {
  const known = resolved(format)
  const scale = metresPerUnit(known, options)
  const values = Object.fromEntries(known.numbers.map(({ name }, index) => [name, numbers[index] ?? NaN]))
  const [x = NaN, y = NaN, z = NaN] = known.numbers.flatMap(({ name, unit }) =>
    unit === 'length' ? [(values[name] ?? NaN) * scale] : [],
  )
  return { position: { x, y, z }, orientation: canonical(codecOf(known).read(values)) }
}

/**
 * Converts a pose into a robot's numbers, within the ranges that the maker uses; in gimbal lock the first angle is 0.
 *
 * @param pose metres; its quaternion need not have exactly length one
 */
export function numbersOfPose(
  format: PoseFormatId | PoseFormat,
  { position, orientation }: Pose,
  options?: ConversionOptions,
): number[] {
  const known = resolved(format)
  const scale = 1 / metresPerUnit(known, options)
  const lengths = [position.x, position.y, position.z].map((length) => length * scale)
  const rotation = [...codecOf(known).write(canonical(normalized(orientation)))]
  // Adding 0 turns -0 into 0.
  return known.numbers.map(({ unit }) => ((unit === 'length' ? lengths : rotation).shift() ?? NaN) + 0)
}

const resolved = (format: PoseFormatId | PoseFormat) =>
  typeof format === 'string' ? poseFormat(format) : format

const metresPerUnit = (format: PoseFormat, { length = format.length }: ConversionOptions = {}): number =>
  length === 'mm' ? 0.001 : 1

function codecOf({ numbers, rotation }: PoseFormat): RotationCodec {
  const names = numbers.flatMap(({ name, unit }) => (unit === 'length' ? [] : [name]))
  const read = (values: Values) => names.map((name) => values[name] ?? NaN)
  const angle = angleCodecs[numbers.some(({ unit }) => unit === 'rad') ? 'rad' : 'deg']
  switch (rotation.kind) {
    case 'quaternion':
      return {
        read: (values) => {
          const parts = read(values)
          const part = (which: keyof Quaternion) => parts[rotation.order.indexOf(which)] ?? NaN
          return normalized({ w: part('w'), x: part('x'), y: part('y'), z: part('z') })
        },
        write: (orientation) => rotation.order.map((part) => orientation[part]),
      }
    case 'rotation-vector':
      return {
        read: (values) => {
          const [x = NaN, y = NaN, z = NaN] = read(values).map(angle.read)
          return ofRotationVector({ x, y, z })
        },
        write: (orientation) => Object.values(rotationVectorOf(orientation)).map(angle.write),
      }
    case 'matrix':
      return matrixCodec(read)
    case 'euler':
      return eulerCodec(rotation, names, angle)
  }
}

const matrixCodec = (read: (values: Values) => number[]): RotationCodec => ({
  read: (values) => {
    const parts = read(values)
    // Three columns of four and the lower right 1; the position is read separately.
    const row = (index: number) => [...[0, 4, 8].map((column) => parts[column + index] ?? NaN), 0]
    return poseOfHomogeneous([...row(0), ...row(1), ...row(2)]).orientation
  },
  write: (orientation) => {
    const rows = homogeneousOf({ position: { x: 0, y: 0, z: 0 }, orientation })
    const column = (index: number) => [0, 4, 8, 12].map((row) => rows[row + index] ?? NaN)
    return [...column(0), ...column(1), ...column(2), 1]
  },
})

/** Between the unit of a format and radians. */
const angleCodecs = {
  deg: { read: radians, write: degrees },
  rad: { read: (value: number) => value, write: (value: number) => value },
} as const
type AngleCodec = (typeof angleCodecs)['deg' | 'rad']

function eulerCodec(
  { turns }: Rotation & { kind: 'euler' },
  names: readonly string[],
  angle: AngleCodec,
): RotationCodec {
  const axes = turns.map(([axis]) => axis) as unknown as EulerAxes
  return {
    read: (values) =>
      ofEuler(axes, turns.map(([, name]) => angle.read(values[name] ?? NaN)) as unknown as EulerAngles),
    write: (orientation) => {
      const angles = eulerOf(axes, orientation)
      return names.map((name) => angle.write(angles[turns.findIndex(([, each]) => each === name)] ?? NaN))
    },
  }
}
