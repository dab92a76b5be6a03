import fc from 'fast-check'
import 'should'
import {
  numbersOfPose,
  poseFormats,
  suspicionsOf,
  suspicionsOfPose,
  type Suspicion,
} from '../../lib/robotics'
import { poseWith, rotation, holds } from './seeded-poses'

const kinds = (found: readonly Suspicion[]) => found.map(({ kind }) => kind)

describe('suspicions about robot poses', () => {
  for (const format of poseFormats)
    it(`find nothing impossible in any pose that ${format.id} can write`, () =>
      holds(
        fc.property(poseWith(rotation), (pose) => {
          suspicionsOf(format, numbersOfPose(format, pose))
            .filter(({ severity }) => severity === 'impossible')
            .should.deepEqual([])
        }),
        200,
      ))

  it('include a wrong number of numbers', () =>
    suspicionsOf('kuka', [1, 2, 3]).should.deepEqual([
      { severity: 'impossible', kind: 'wrong-count', expected: 6, got: 3 },
    ]))

  it('name what is not a number', () =>
    suspicionsOf('kuka', [500, 0, NaN, 0, Infinity, 0]).should.deepEqual([
      { severity: 'impossible', kind: 'not-a-number', name: 'Z' },
      { severity: 'impossible', kind: 'not-a-number', name: 'B' },
    ]))

  it('suspect millimetres beyond 20 m', () => {
    const [found] = suspicionsOf('universal-robots', [400, -200, 300, 0, 0, 0])
    found?.should.containEql({
      severity: 'impossible',
      kind: 'too-far',
      limit: 20,
      suspected: 'millimetres-as-metres',
    })
    const pose = { position: { x: 0, y: 20.1, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
    kinds(suspicionsOfPose(pose)).should.deepEqual(['too-far'])
  })

  it("suspect metres a few millimetres from the robot's base origin", () => {
    const [found] = suspicionsOf('kuka', [0.4, -0.2, 0.3, 0, 0, 0])
    found?.should.containEql({ severity: 'suspicious', kind: 'too-near', suspected: 'metres-as-millimetres' })
    suspicionsOf('kuka', [0.4, -0.2, 0.3, 0, 0, 0], { length: 'm' }).should.deepEqual([])
  })

  it('report the length of a quaternion that is not a rotation, and accept rounded ones', () => {
    suspicionsOf('abb', [600, 0, 500, 1, 1, 0, 0]).should.deepEqual([
      { severity: 'impossible', kind: 'quaternion-not-unit', length: Math.SQRT2 },
    ])
    suspicionsOf('abb', [600, 0, 500, 0.707, 0.707, 0, 0]).should.deepEqual([])
  })

  it('name the angle that is out of range', () => {
    suspicionsOf('kuka', [600, 0, 500, 0, 95, 0]).should.deepEqual([
      { severity: 'suspicious', kind: 'angle-out-of-range', name: 'B', value: 95, min: -90, max: 90 },
    ])
    suspicionsOf('fanuc', [600, 0, 500, 0, 0, 3600])[0]?.severity.should.equal('impossible')
  })

  it('suspect degrees in a rotation vector longer than a turn', () => {
    const [found] = suspicionsOf('universal-robots', [0.6, 0, 0.5, 180, 0, 0])
    found?.should.containEql({ kind: 'rotation-vector-too-long', suspected: 'degrees-as-radians' })
    suspicionsOf('universal-robots', [0.6, 0, 0.5, 3.3, 0.2, 0]).should.deepEqual([])
  })

  it('suspect radians if an angle is π or half of it', () => {
    kinds(suspicionsOf('fanuc', [600, 0, 500, 3.1416, 0, 0.2])).should.deepEqual(['angles-look-like-radians'])
    suspicionsOf('fanuc', [600, 0, 500, 3.1416, 0, 30]).should.deepEqual([])
  })

  it('suspect a matrix that was read row by row', () => {
    const rows = [1, 0, 0, 0.4, 0, 1, 0, 0.2, 0, 0, 1, 0.3, 0, 0, 0, 1]
    const [found] = suspicionsOf('franka-matrix', rows)
    found?.should.containEql({ kind: 'not-a-rotation-matrix', suspected: 'row-by-row' })
  })

  it('refuse a mirror image', () => {
    const mirror = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0.4, 0.2, 0.3, 1]
    kinds(suspicionsOf('franka-matrix', mirror)).should.deepEqual(['not-a-rotation-matrix'])
  })

  it('start with the most certain', () => {
    const found = suspicionsOf('kuka', [30_000, 0, 0, 0, 95, 0])
    found.map(({ severity }) => severity).should.deepEqual(['impossible', 'suspicious'])
  })
})
