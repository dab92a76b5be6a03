import fc from 'fast-check'
import should from 'should'
import {
  numbersOfPose,
  poseFormat,
  poseFormats,
  poseOfNumbers,
  type EulerAxes,
  type PoseFormat,
  type PoseFormatId,
} from '../../lib/robotics'
import { difference, nearGimbalLock, poseWith, rotation, holds } from './arbitrary-pose'

const tolerance = 1e-9

const kuka = [0.038135, 0.189308, 0.239298, 0.951549]
const kawasaki = [0.030154, 0.17101, 0.336824, 0.925417]
/**
 * What the maker's controller shows for a rotation, and the corresponding quaternion x, y, z, w; a missing format does
 * not compile.
 */
const checks: Record<Exclude<PoseFormatId, 'franka-matrix'>, [shown: number[], quaternion: number[]]> = {
  kuka: [[30, 20, 10], kuka],
  fanuc: [[10, 20, 30], kuka],
  yaskawa: [[10, 20, 30], kuka],
  mitsubishi: [[10, 20, 30], kuka],
  'franka-angles': [[10, 20, 30], kuka],
  techman: [[10, 20, 30], kuka],
  doosan: [[10, 20, 30], kawasaki],
  staubli: [
    [10, 20, 30],
    [0.127679, 0.144878, 0.268536, 0.943714],
  ],
  kawasaki: [[10, 20, 30], kawasaki],
  'universal-robots': [
    [0.1, 0.2, 0.3],
    [0.049709, 0.099418, 0.149127, 0.982551],
  ],
  'universal-robots-pendant': [
    [0.1, 0.2, 0.3],
    [0.049709, 0.099418, 0.149127, 0.982551],
  ],
  device: [
    [0.5, -0.5, 0.1, 0.7],
    [0.5, -0.5, 0.1, 0.7],
  ],
  abb: [
    [0.7, 0.5, -0.5, 0.1],
    [0.5, -0.5, 0.1, 0.7],
  ],
  fruitcore: [
    [0.7, 0.5, -0.5, 0.1],
    [0.5, -0.5, 0.1, 0.7],
  ],
}

describe('robot pose formats', () => {
  for (const [id, [rotationNumbers, expected]] of Object.entries(checks))
    it(`reads ${id} ${rotationNumbers.join(', ')} as the maker means it`, () => {
      const format = poseFormat(id)
      const scale = format.length === 'mm' ? 1000 : 1
      const { position, orientation } = poseOfNumbers(format, [scale, -2 * scale, 0, ...rotationNumbers])
      difference(
        { position, orientation },
        { position: { x: 1, y: -2, z: 0 }, orientation: quaternion(expected) },
      ).should.be.below(6e-7)
    })

  it('reads a matrix column by column', () => {
    // A quarter turn about z: x becomes y.
    const columns = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.3, 0.4, 0.5, 1]
    const pose = poseOfNumbers('franka-matrix', columns)
    pose.position.should.deepEqual({ x: 0.3, y: 0.4, z: 0.5 })
    difference(pose, {
      ...pose,
      orientation: { w: Math.SQRT1_2, x: 0, y: 0, z: Math.SQRT1_2 },
    }).should.be.below(tolerance)
    numbersOfPose('franka-matrix', pose).forEach((number, index) =>
      number.should.be.approximately(columns[index] ?? NaN, tolerance),
    )
  })

  for (const format of poseFormats as readonly PoseFormat[]) {
    const rotations = [rotation]
    if (format.rotation.kind === 'euler')
      rotations.push(nearGimbalLock(format.rotation.turns.map(([axis]) => axis) as unknown as EulerAxes))
    const pose = poseWith(fc.oneof(...rotations))

    for (const length of ['mm', 'm'] as const)
      it(`reproduces every pose from ${format.id} in ${length}, within the ranges of the maker`, () =>
        holds(
          fc.property(pose, (given) => {
            const numbers = numbersOfPose(format, given, { length })
            format.numbers.forEach(({ name, range: [min, max] = [-Infinity, Infinity] }, index) =>
              (numbers[index] ?? NaN).should.be.within(min - 1e-12, max + 1e-12, name),
            )
            difference(poseOfNumbers(format, numbers, { length }), given).should.be.below(tolerance)
          }),
          400,
        ))
  }

  it('reads angles beyond the range correctly', () => {
    const one = poseOfNumbers('kuka', [0, 0, 0, 210, 0, -340])
    difference(one, poseOfNumbers('kuka', [0, 0, 0, -150, 0, 20])).should.be.below(tolerance)
  })

  it('writes no -0', () => {
    for (const { id } of poseFormats) {
      const numbers = numbersOfPose(id, {
        position: { x: -0, y: 0, z: -0 },
        orientation: quaternion([0, 0, 0, -1]),
      })
      numbers.some((number) => Object.is(number, -0)).should.be.false(id)
    }
  })

  it('has no other format', () => {
    should.throws(() => poseFormat('other'), /other: there is no such pose format/)
  })

  it('names no number twice', () => {
    for (const { numbers } of poseFormats)
      new Set<string>(numbers.map(({ name }) => name)).size.should.equal(numbers.length)
  })
})

function quaternion([x = 0, y = 0, z = 0, w = 0]: readonly number[]) {
  return { w, x, y, z }
}
