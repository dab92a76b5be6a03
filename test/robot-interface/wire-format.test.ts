import fc from 'fast-check'
import should from 'should'
import { matrixOf, type EulerAxes, type Quaternion } from '../../lib/robotics'
import {
  confirmedFormats,
  rotationNumbers,
  rotationOf,
  wireFormat,
  type RotationNumbers,
  type WireFormat,
} from '../../lib/robot-interface'
import { holds, nearGimbalLock, rotation } from '../robotics/seeded-poses'

const numbers = Array.from({ length: 51 }, (_, index) => index + 1)
const format = (number: number): WireFormat => {
  const found = wireFormat(number)
  if (!found) throw new Error(`There is no format ${number}.`)
  return found
}

/** One rotation in several formats. */
const shown: Quaternion = { x: 0.038135, y: 0.189308, z: 0.239298, w: 0.951549 }
const values: Record<number, RotationNumbers> = {
  1: [0.951549, 0.038135, 0.189308, 0.239298],
  2: [0.038135, 0.189308, 0.239298, 0.951549],
  3: [0.077525, 0.384852, 0.486479, 0],
  4: [-1.116055, 22.242181, 28.451775, 0],
  24: [30, 20, 10, 0],
  25: [0.523599, 0.349066, 0.174533, 0],
  26: [10, 20, 30, 0],
  48: [2.72683, 22.268744, 25.50555, 0],
}

type Matrix = number[][]
/** Written out, without the code under test. */
const about: Record<string, (angle: number) => Matrix> = {
  x: (a) => [
    [1, 0, 0],
    [0, Math.cos(a), -Math.sin(a)],
    [0, Math.sin(a), Math.cos(a)],
  ],
  y: (a) => [
    [Math.cos(a), 0, Math.sin(a)],
    [0, 1, 0],
    [-Math.sin(a), 0, Math.cos(a)],
  ],
  z: (a) => [
    [Math.cos(a), -Math.sin(a), 0],
    [Math.sin(a), Math.cos(a), 0],
    [0, 0, 1],
  ],
}
const times = (one: Matrix, other: Matrix): Matrix =>
  one.map((row) =>
    [0, 1, 2].map((column) => row.reduce((sum, each, k) => sum + each * (other[k]?.[column] ?? 0), 0)),
  )

/** The matrix of the numbers of an Euler format, by its definition in the facts. */
function matrixBy(
  { axes, backward, unit }: Extract<WireFormat, { kind: 'euler' }>,
  given: RotationNumbers,
): Matrix {
  const angles = given.slice(0, 3).map((angle) => (unit === 'deg' ? (angle / 180) * Math.PI : angle))
  const [a = 0, b = 0, c = 0] = backward ? angles.reverse() : angles
  const [first, second, third] = axes.map((axis) => about[axis] as (angle: number) => Matrix)
  if (!first || !second || !third) throw new Error('three axes')
  return times(times(first(a), second(b)), third(c))
}

const apart = (one: readonly number[], other: readonly number[]) =>
  Math.max(...one.map((each, index) => Math.abs(each - (other[index] ?? NaN))))

describe('the pose formats of the robot interface', () => {
  it('are 1 to 51, and no others', () => {
    for (const number of numbers) should(wireFormat(number)).be.ok()
    for (const number of [0, 52, 255, -1, 1.5]) should(wireFormat(number)).equal(undefined)
  })

  for (const [number, expected] of Object.entries(values))
    it(`write and read the check value of format ${number}`, () => {
      const given = rotationNumbers(format(Number(number)), shown)
      apart(given, expected).should.be.below(2e-4)
      const read = rotationOf(format(Number(number)), expected) as Quaternion
      apart(matrixOf(read), matrixOf(shown)).should.be.below(1e-5)
    })

  it('have the axis orders and kinds that the known ones imply', () => {
    const named = (number: number) => {
      const { axes, backward, unit } = format(number) as { axes: EulerAxes; backward: boolean; unit: string }
      return `${axes.join('')} ${backward ? 'backward' : 'forward'} ${unit}`
    }
    named(24).should.equal('zyx forward deg')
    named(26).should.equal('zyx backward deg')
    named(4).should.equal('xyz forward deg')
    named(51).should.equal('zyz backward rad')
    new Set(numbers.slice(3).map(named)).size.should.equal(48)
    for (const number of confirmedFormats) should(wireFormat(number)).be.ok()
  })

  for (const number of numbers)
    it(`return a rotation as it was in format ${number}, in gimbal lock and after half a turn too`, () => {
      const each = format(number)
      const some = each.kind === 'euler' ? fc.oneof(rotation, nearGimbalLock(each.axes)) : rotation
      holds(
        fc.property(some, (orientation) => {
          const given = rotationNumbers(each, orientation)
          const read = rotationOf(each, given) as Quaternion
          apart(matrixOf(read), matrixOf(orientation)).should.be.below(1e-9)
          if (each.kind === 'euler')
            apart(matrixBy(each, given).flat(), matrixOf(orientation)).should.be.below(1e-9)
        }),
      )
    })

  it('know no rotation in a zero quaternion, and the identity in three zero angles', () => {
    should(rotationOf(format(1), [0, 0, 0, 0])).equal(undefined)
    should(rotationOf(format(2), [0, 0, 0, 0])).equal(undefined)
    for (const number of numbers.slice(2))
      apart(
        matrixOf(rotationOf(format(number), [0, 0, 0, 0]) as Quaternion),
        [1, 0, 0, 0, 1, 0, 0, 0, 1],
      ).should.equal(0)
  })

  it('bring a quaternion to length one', () => {
    should(rotationOf(format(2), [0, 0, 0.1, 0.9949])).have.properties({
      z: 0.1 / Math.hypot(0.1, 0.9949),
      w: 0.9949 / Math.hypot(0.1, 0.9949),
    })
  })
})
