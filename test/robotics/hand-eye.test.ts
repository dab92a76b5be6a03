import should from 'should'
import {
  angleOf,
  composed,
  conjugated,
  degrees,
  distance,
  inverted,
  ofRotationVector,
  product,
  solveHandEye,
  type HandEyeObservation,
  type HandEyeOptions,
  type HandEyeResult,
  type Pose,
} from '../../lib/robotics'
import { camera, fourAxisPoses, fullPoses, grid, noisy, seenFrom, turned } from './seeded-poses'

const mountings = [
  ['on the robot', true],
  ['fixed', false],
] as const

const turnBetween = (one: Pose, other: Pose) =>
  degrees(angleOf(product(conjugated(one.orientation), other.orientation)))

function solved(observations: readonly HandEyeObservation[], options: HandEyeOptions): HandEyeResult {
  const result = solveHandEye(observations, options)
  if (!result.solved) throw new Error(result.reason)
  return result
}

describe('hand-eye calibration', () => {
  for (const [where, robotMounted] of mountings) {
    describe(`with the camera ${where}`, () => {
      it('finds the camera and the grid of exact poses', () => {
        const result = solved(seenFrom(fullPoses(4, 20), robotMounted), { robotMounted })
        distance(result.camera.position, camera.position).should.be.below(1e-8)
        turnBetween(result.camera, camera).should.be.below(1e-6)
        distance(result.grid.position, grid.position).should.be.below(1e-8)
        turnBetween(result.grid, grid).should.be.below(1e-6)
        result.translationError.should.be.below(2e-5)
      })

      it('is within a millimetre and a tenth of a degree of the true pose from twelve noisy poses', () => {
        for (const seed of [1, 2, 3, 4, 5]) {
          const observations = noisy(seenFrom(fullPoses(12, 25, seed), robotMounted), seed, 0.00015, 0.03)
          const result = solved(observations, { robotMounted })
          distance(result.camera.position, camera.position).should.be.below(0.001)
          turnBetween(result.camera, camera).should.be.below(0.1)
        }
      })

      it('is no more certain because the same poses were recorded again', () => {
        const poses = noisy(seenFrom(fullPoses(5, 20, 3), robotMounted), 3)
        const once = solved(poses, { robotMounted })
        // The same message twice, and another look from the same pose.
        const same = solved([...poses, ...poses], { robotMounted })
        same.translationBound.should.be.approximately(once.translationBound, 1e-9)
        const looks = [4, 5, 6].flatMap((seed) => noisy(seenFrom(fullPoses(5, 20, 3), robotMounted), seed))
        const looked = solved([...poses, ...looks], { robotMounted })
        looked.misfits.length.should.equal(20)
        looked.translationBound.should.be.above(once.translationBound / 4)
      })

      it('has bounds that hold for six poses of which each came four times', () => {
        const runs = process.env.CELLSIGHT_LONG ? 1000 : 40
        let inside = 0
        for (let seed = 0; seed < runs; seed += 1) {
          const poses = noisy(seenFrom(fullPoses(6, 25, seed), robotMounted), 5000 + seed)
          const result = solved([...poses, ...poses, ...poses, ...poses], { robotMounted })
          if (distance(result.camera.position, camera.position) <= result.translationBound) inside += 1
        }
        inside.should.be.above(0.88 * runs)
      })

      it('reports its accuracy, which holds in nineteen of twenty runs', () => {
        const runs = process.env.CELLSIGHT_LONG ? 2000 : 200
        const inside = { rotation: 0, translation: 0 }
        for (let seed = 0; seed < runs; seed += 1) {
          const observations = noisy(seenFrom(fullPoses(8, 20, seed), robotMounted), seed)
          const result = solved(observations, { robotMounted })
          if (distance(result.camera.position, camera.position) <= result.translationBound)
            inside.translation += 1
          if (turnBetween(result.camera, camera) <= result.rotationBoundDegrees) inside.rotation += 1
        }
        ;(inside.rotation / runs).should.be.within(0.92, 0.98)
        ;(inside.translation / runs).should.be.within(0.92, 0.98)
      })

      it('estimates the actual noise', () => {
        const observations = noisy(seenFrom(fullPoses(40, 30), robotMounted), 7, 0.0005, 0.1)
        const { noise } = solved(observations, { robotMounted })
        noise.translation.should.be.approximately(0.0005, 0.0001)
        noise.gridTurnDegrees.should.be.approximately(0.1, 0.02)
        noise.robotTurnDegrees.should.be.below(0.05)
      })

      it('finds a pose that does not fit the others', () => {
        const observations = noisy(seenFrom(fullPoses(12, 30), robotMounted), 3)
        const wrong = observations[4]
        if (!wrong) throw new Error('no pose')
        observations[4] = { ...wrong, robot: composed(wrong.robot, turned('x', 2, 0.02)) }
        const { misfits } = solved(observations, { robotMounted })
        const surprises = misfits.map(({ surprise }) => surprise)
        surprises.indexOf(Math.max(...surprises)).should.equal(4)
        ;(surprises[4] ?? 0).should.be.above(2)
      })

      it('calibrates a robot with four degrees of freedom, given the offset', () => {
        const offset = (robotMounted ? camera : grid).position.z
        const options: HandEyeOptions = { robotMounted, fourAxis: { axis: 'z', offset } }
        const exact = solved(seenFrom(fourAxisPoses(8), robotMounted), options)
        distance(exact.camera.position, camera.position).should.be.below(1e-7)
        turnBetween(exact.camera, camera).should.be.below(1e-5)

        const result = solved(noisy(seenFrom(fourAxisPoses(12), robotMounted), 5), options)
        distance(result.camera.position, camera.position).should.be.below(0.002)
        turnBetween(result.camera, camera).should.be.below(0.2)
        distance(result.camera.position, camera.position).should.be.below(2 * result.translationBound)
      })

      it('shifts the camera of such a robot by the error of the offset', () => {
        const offset = (robotMounted ? camera : grid).position.z
        const at = (given: number) =>
          solved(seenFrom(fourAxisPoses(8), robotMounted), {
            robotMounted,
            fourAxis: { axis: 'z', offset: given },
          }).camera.position
        distance(at(offset), at(offset + 0.05)).should.be.approximately(0.05, 1e-7)
      })

      it('interprets a grid of the wrong size as one at another distance', () => {
        const observations = seenFrom(fullPoses(12, 30), robotMounted).map(({ robot, grid: seen }) => {
          const { x, y, z } = seen.position
          return { robot, grid: { ...seen, position: { x: 1.1 * x, y: 1.1 * y, z: 1.1 * z } } }
        })
        const result = solved(observations, { robotMounted })
        distance(result.camera.position, camera.position).should.be.above(0.01)
        result.translationError.should.be.above(0.001)
      })

      it('does not depend on the order of the poses', () => {
        const observations = noisy(seenFrom(fullPoses(6, 30), robotMounted), 1)
        const one = solved(observations, { robotMounted }).camera
        const other = solved([...observations].reverse(), { robotMounted }).camera
        distance(one.position, other.position).should.be.below(1e-6)
        turnBetween(one, other).should.be.below(1e-4)
      })

      it('requires two axes of rotation', () => {
        const robots = [-40, -20, 0, 20, 40].map((angle) => turned('z', angle, angle / 200, 0.3, 0.5))
        const refused = solveHandEye(seenFrom(robots, robotMounted), { robotMounted })
        refused.should.deepEqual({ solved: false, reason: 'too-little-rotation' })
      })
    })
  }

  it('reports a symmetric covariance with the errors on its diagonal', () => {
    const result = solved(noisy(seenFrom(fullPoses(8, 30), true), 1), { robotMounted: true })
    const { covariance } = result
    covariance.length.should.equal(6)
    covariance.forEach((row, i) => row.forEach((value, j) => value.should.equal(covariance[j]?.[i])))
    const move = [3, 4, 5].reduce((sum, index) => sum + (covariance[index]?.[index] ?? NaN), 0)
    Math.sqrt(move).should.be.approximately(result.translationError, 1e-12)
    result.translationBound.should.be.above(result.translationError)
  })

  it('requires three poses', () => {
    const observations = seenFrom(fullPoses(2, 30), true)
    solveHandEye(observations, { robotMounted: true }).should.deepEqual({
      solved: false,
      reason: 'too-few-poses',
    })
  })

  it('reports that a robot turns about more than the one configured axis', () => {
    const options: HandEyeOptions = { robotMounted: true, fourAxis: { axis: 'z', offset: 0.1 } }
    solveHandEye(seenFrom(fullPoses(8, 20), true), options).should.have.property(
      'reason',
      'more-than-one-axis',
    )
  })

  it('finds nothing if a robot with four degrees of freedom only turns on the spot', () => {
    const options: HandEyeOptions = { robotMounted: true, fourAxis: { axis: 'z', offset: 0.12 } }
    const robots = [-40, -20, 0, 20, 40].map((angle) => turned('z', angle, 0.5, 0.3, 0.5))
    const result = solveHandEye(noisy(seenFrom(robots, true), 1), options)
    if (result.solved) result.rotationErrorDegrees.should.be.above(10)
    else should(result.reason).equal('undetermined')
  })

  it('works with any external frame', () => {
    const observations = noisy(seenFrom(fullPoses(8, 30), true), 1)
    const base: Pose = {
      position: { x: 5, y: -3, z: 1 },
      orientation: ofRotationVector({ x: 1, y: 2, z: 0.5 }),
    }
    const moved = observations.map(({ robot, grid: seen }) => ({ robot: composed(base, robot), grid: seen }))
    const one = solved(observations, { robotMounted: true })
    const other = solved(moved, { robotMounted: true })
    distance(one.camera.position, other.camera.position).should.be.below(1e-6)
    distance(composed(inverted(base), other.grid).position, one.grid.position).should.be.below(1e-6)
  })
})
