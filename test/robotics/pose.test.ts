import fc from 'fast-check'
import 'should'
import {
  angleOf,
  composed,
  eulerOf,
  homogeneousOf,
  identity,
  inverted,
  matrixOf,
  normalized,
  ofEuler,
  ofRotationVector,
  poseOfHomogeneous,
  product,
  quaternionOf,
  rotated,
  rotationVectorOf,
  type Axis,
  type EulerAxes,
} from '../../lib/robotics'
import { difference, nearGimbalLock, poseWith, position, rotation, holds } from './seeded-poses'

const pose = poseWith(rotation)
const tolerance = 1e-9
const origin = { x: 0, y: 0, z: 0 }
const axes: Axis[] = ['x', 'y', 'z']
const allEulerAxes = axes.flatMap((first) =>
  axes.flatMap((second) => axes.map((third): EulerAxes => [first, second, third])),
)

describe('poses', () => {
  it('give the identity when composed with their inverse, from either side', () =>
    holds(
      fc.property(pose, (given) => {
        difference(composed(given, inverted(given)), identity()).should.be.below(tolerance)
        difference(composed(inverted(given), given), identity()).should.be.below(tolerance)
      }),
    ))

  it('compose associatively', () =>
    holds(
      fc.property(pose, pose, pose, (a, b, c) => {
        difference(composed(composed(a, b), c), composed(a, composed(b, c))).should.be.below(tolerance)
      }),
    ))

  it('survive a conversion to a four by four matrix', () =>
    holds(
      fc.property(pose, (given) => {
        difference(poseOfHomogeneous(homogeneousOf(given)), given).should.be.below(tolerance)
      }),
    ))
})

describe('quaternions', () => {
  it('rotate a vector as their matrix does', () =>
    holds(
      fc.property(rotation, position, (quaternion, { x, y, z }) => {
        const [a, b, c, d, e, f, g, h, i] = matrixOf(quaternion)
        const turned = rotated({ x, y, z }, quaternion)
        turned.x.should.be.approximately(a * x + b * y + c * z, tolerance)
        turned.y.should.be.approximately(d * x + e * y + f * z, tolerance)
        turned.z.should.be.approximately(g * x + h * y + i * z, tolerance)
      }),
    ))

  it('survive a conversion to a rotation vector, which is never longer than half a turn', () =>
    holds(
      fc.property(rotation, (orientation) => {
        const vector = rotationVectorOf(orientation)
        Math.hypot(vector.x, vector.y, vector.z).should.be.belowOrEqual(Math.PI + tolerance)
        const back = ofRotationVector(vector)
        difference(
          { position: origin, orientation: back },
          { position: origin, orientation },
        ).should.be.below(tolerance)
      }),
    ))

  it('keep tiny rotations', () => {
    const vector = { x: 1e-12, y: -3e-14, z: 0 }
    rotationVectorOf(ofRotationVector(vector)).should.deepEqual(vector)
    angleOf(ofRotationVector(vector)).should.be.approximately(1e-12, 1e-15)
  })

  it('of any length are normalised; of length zero, become the identity', () => {
    normalized({ w: 0, x: 0, y: 3, z: 4 }).should.deepEqual({ w: 0, x: 0, y: 0.6, z: 0.8 })
    normalized({ w: 0, x: 0, y: 0, z: 0 }).should.deepEqual(identity().orientation)
  })

  it('can be read from a matrix whose numbers were rounded to three digits', () =>
    holds(
      fc.property(rotation, (orientation) => {
        const rounded = matrixOf(orientation).map((each) => Number(each.toFixed(3)))
        const { w, x, y, z } = orientation
        const back = quaternionOf(rounded as unknown as ReturnType<typeof matrixOf>)
        angleOf(product(back, { w, x: -x, y: -y, z: -z })).should.be.below(0.003)
      }),
    ))
})

for (const each of allEulerAxes.filter(([first, second, third]) => first !== second && second !== third))
  describe(`angles about ${each.join(', ')}`, () => {
    for (const [where, rotations] of [
      ['anywhere', rotation],
      ['in gimbal lock', nearGimbalLock(each)],
    ] as const)
      it(`reproduce the rotation, ${where}`, () =>
        holds(
          fc.property(rotations, (orientation) => {
            const angles = eulerOf(each, orientation)
            const [low, high] = each[0] === each[2] ? [0, Math.PI] : [-Math.PI / 2, Math.PI / 2]
            angles[1].should.be.within(low - 1e-15, high + 1e-15)
            for (const outer of [angles[0], angles[2]]) outer.should.be.within(-Math.PI, Math.PI)
            const back = { position: origin, orientation: ofEuler(each, angles) }
            difference(back, { position: origin, orientation }).should.be.below(tolerance)
          }),
          300,
        ))

    it('have 0 for the last axis in gimbal lock', () => {
      const lock = each[0] === each[2] ? 0 : Math.PI / 2
      const [first, middle, last] = eulerOf(each, ofEuler(each, [0.3, lock, 0.4]))
      middle.should.be.approximately(lock, tolerance)
      last.should.equal(0)
      Math.abs(first).should.be.approximately(each[0] === each[2] || first > 0.5 ? 0.7 : 0.1, tolerance)
    })
  })
