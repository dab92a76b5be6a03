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
  flagsIn,
  numbersIn,
  poseText,
} from '../../lib/robotics'
import { difference, nearGimbalLock, poseWith, rotation, holds } from './seeded-poses'

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

/** A taught pose as each controller writes it, and how the flags stand behind another pose. */
const taught: Record<string, { text: string; object: object; written: string }> = {
  kuka: {
    text: '{E6POS: X 445.0, Y 0.0, Z 500.0, A 0.0, B 90.0, C 0.0, S 2, T 35, E1 0.0, E2 0.0}',
    object: { X: 445, Y: 0, Z: 500, A: 0, B: 90, C: 0, S: 2, T: 35 },
    written: '{X 100, Y 200, Z 300, A 0, B 0, C 0, S 2, T 35}',
  },
  fanuc: {
    text: "UF : 0, UT : 1, CONFIG : 'N U T, 0, 0, -1', X = 445.000 mm, Y = 0 mm, Z = 500 mm, W = 0 deg, P = 90 deg, R = 0 deg",
    object: { X: 445, Y: 0, Z: 500, W: 0, P: 90, R: 0, CONFIG: 'NUT, 0,0,-1' },
    written: "X 100, Y 200, Z 300, W 0, P 0, R 0, CONFIG 'N U T, 0, 0, -1'",
  },
  abb: {
    text: '[[445,0,500],[0.7071,0,0.7071,0],[-1,0,-2,1],[9E9,9E9,9E9,9E9,9E9,9E9]]',
    object: { robconf: [-1, 0, -2, 1] },
    written: '[[100,200,300],[1,0,0,0],[-1,0,-2,1],[9E9,9E9,9E9,9E9,9E9,9E9]]',
  },
  mitsubishi: {
    text: '(445.000,0.000,500.000,180.000,0.000,180.000)(7,0)',
    object: { FL1: 7, FL2: 0 },
    written: '(100,200,300,0,0,0)(7,0)',
  },
}

describe('flags of the arm', () => {
  for (const [id, { text, object, written }] of Object.entries(taught))
    it(`of ${id} pass from the taught pose to another, from text and from an object`, () => {
      const format = poseFormats.find((each) => each.id === id) ?? poseFormats[0]
      const plain = poseText(format, numbersOfPose(format, poseOfNumbers('kuka', [100, 200, 300, 0, 0, 0])))
      for (const given of [text, object]) {
        const passed = flagsIn(format, given)?.into(plain) ?? ''
        passed.replace(/N ?U ?T/, 'N U T').should.equal(written)
        // The flags disturb nobody who reads the pose.
        numbersIn(format, passed).should.deepEqual(numbersIn(format, plain))
      }
    })

  it('of ABB pass with external axes, and from nested arrays', () => {
    const robtarget = [
      [445, 0, 500],
      [1, 0, 0, 0],
      [0, 0, 0, 0],
      [100.5, 9e9, 9e9, 9e9, 9e9, 9e9],
    ]
    should(flagsIn({ id: 'abb' }, robtarget)?.into('[[1,2,3],[1,0,0,0]]')).equal(
      '[[1,2,3],[1,0,0,0],[0,0,0,0],[100.5,9E9,9E9,9E9,9E9,9E9]]',
    )
  })

  it('are none where the pose has none, is odd, or its format knows none', () => {
    for (const { id } of poseFormats) {
      for (const given of [undefined, null, '', 'none', 5, [], {}, [1, 2, 3, 4, 5, 6], { S: 'x', T: {} }])
        should(flagsIn({ id }, given)).be.undefined()
    }
    should(flagsIn({ id: 'kuka' }, '{X 1, Y 2, Z 3, A 0, B 0, C 0}')).be.undefined()
    should(flagsIn({ id: 'universal-robots' }, 'p[0,0,0,0,0,0], S 2, T 35')).be.undefined()
  })
})
