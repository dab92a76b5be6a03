import type { Axis } from './euler'
import type { LengthUnit, PoseFormat, PoseNumber, Rotation } from './pose-format'

/** A format that is not in the list, described by words: `custom:zyz moving deg mm`. */
export type CustomFormatId = `custom:${string}`

/** What begins the id of a format described by words. */
export const customPrefix = 'custom:'

const ranges = { deg: [-180, 180], rad: [-Math.PI, Math.PI] } as const

const words =
  /^(?:(?:(?:xyz|xzy|yxz|yzx|zxy|zyx|xyx|xzx|yxy|yzy|zxz|zyz)(?: +(?:moving|fixed))?(?: +(?:deg|rad))?|wxyz|xyzw|vector(?: +(?:deg|rad))?)(?: +(?:mm|m))?)?$/

/**
 * What a description may consist of, as a regular expression for a whole text: first the rotation, then, in this order
 * and each optional, `moving` (default) or `fixed` axes, `deg` (default) or `rad`, `mm` (default) or `m`. The rotation is
 * - three of x y z, no two neighbours equal: the axes in the order in which the robot turns, and writes the angles;
 * - `wxyz` or `xyzw`: a quaternion in that order;
 * - `vector`: axis times angle, in radians unless `deg` follows.
 * A text that is empty matches too: a dialog asks for it only where it applies.
 */
export const customPattern = words.source

/**
 * The format that a description means; its numbers are x y z and a b c, a quaternion's qw qx qy qz, a vector's rx ry rz.
 *
 * @param description as `customPattern` says, in any case
 * @returns undefined if the words describe no format
 */
export function customFormat(description: string): PoseFormat | undefined {
  const text = description.trim().toLowerCase()
  if (!text || !words.test(text)) return undefined
  const [rotation = '', ...others] = text.split(/ +/)
  const length: LengthUnit = others.includes('m') ? 'm' : 'mm'
  const positions = ['x', 'y', 'z'].map((name): PoseNumber => ({ name, unit: 'length' }))
  const unit = others.includes('rad') || (rotation === 'vector' && !others.includes('deg')) ? 'rad' : 'deg'
  return {
    id: `${customPrefix}${[rotation, ...others].join(' ')}`,
    maker: [rotation, ...others].join(' '),
    length,
    ...rotated(positions, rotation, unit, others.includes('fixed')),
  }
}

function rotated(
  positions: readonly PoseNumber[],
  rotation: string,
  unit: 'deg' | 'rad',
  isFixed: boolean,
): Pick<PoseFormat, 'numbers' | 'rotation'> {
  const range = ranges[unit]
  const angles = (names: string): PoseNumber[] => Array.from(names, (name) => ({ name, unit, range }))
  if (rotation === 'vector')
    return {
      numbers: [...positions, ...angles('xyz').map((angle) => ({ ...angle, name: `r${angle.name}` }))],
      rotation: { kind: 'rotation-vector' },
    }
  if (rotation === 'wxyz' || rotation === 'xyzw') {
    const order = Array.from(rotation) as unknown as (Rotation & { kind: 'quaternion' })['order']
    const parts = order.map((part): PoseNumber => ({ name: `q${part}`, unit: '1', range: [-1, 1] }))
    return { numbers: [...positions, ...parts], rotation: { kind: 'quaternion', order } }
  }
  const [first, second, third] = Array.from(rotation).map(
    (axis, index) => [axis as Axis, 'abc'[index] ?? ''] as const,
  )
  if (!first || !second || !third) throw new RangeError(`${rotation}: not three axes`)
  // Turns about fixed axes are the same as turns about moving axes in the opposite order.
  const turns = isFixed ? ([third, second, first] as const) : ([first, second, third] as const)
  return { numbers: [...positions, ...angles('abc')], rotation: { kind: 'euler', turns } }
}
