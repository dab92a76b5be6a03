import should from 'should'
import {
  eulerOf,
  ofEuler,
  ofRotationVector,
  rotationVectorOf,
  setMistake,
  type EulerAxes,
  type HandEyeObservation,
  type Pose,
} from '../../lib/robotics'
import { sheetCell, sheetSet } from '../../bench/support/sheet-sets'

const zyx: EulerAxes = ['z', 'y', 'x']
const sets = process.env.CELLSIGHT_LONG ? 100 : 2

/** What `setMistake` says of each set after the poses, or the grid, were changed. */
const said = (
  change: (observation: HandEyeObservation) => HandEyeObservation,
  {
    robotMounted,
    setAs = robotMounted,
    poses = 8,
  }: { robotMounted: boolean; setAs?: boolean; poses?: number },
) =>
  Array.from({ length: sets }, (_, seed) =>
    setMistake(sheetSet(sheetCell(robotMounted, 300 + seed), poses).map(change), { robotMounted: setAs }),
  )

const ofRobot =
  (change: (robot: Pose) => Pose) =>
  ({ robot, grid }: HandEyeObservation): HandEyeObservation => ({ robot: change(robot), grid })
const scaled = ({ position: { x, y, z }, orientation }: Pose, by: number): Pose => ({
  position: { x: by * x, y: by * y, z: by * z },
  orientation,
})

describe('a mistake in all poses of a set', () => {
  for (const robotMounted of [true, false])
    describe(`with the camera ${robotMounted ? 'on the robot' : 'fixed'}`, () => {
      it('is not seen in a good set', () =>
        said((good) => good, { robotMounted }).should.deepEqual(Array(sets).fill(undefined)))

      it('is the mounting', () => {
        for (const mistake of said((good) => good, { robotMounted, setAs: !robotMounted })) {
          should(mistake?.kind).equal('mounting')
          mistake?.misfit.should.be.above(10 * mistake.misfitWithout)
        }
      })

      it('is millimetres for metres, or the reverse', () => {
        for (const mistake of said(
          ofRobot((robot) => scaled(robot, 1000)),
          { robotMounted },
        ))
          should(mistake?.kind).equal('millimetres-for-metres')
        for (const mistake of said(
          ofRobot((robot) => scaled(robot, 0.001)),
          { robotMounted },
        ))
          should(mistake?.kind).equal('metres-for-millimetres')
      })

      it('is radians read as degrees, in angles of any order or as a rotation vector', () => {
        const turn = Math.PI / 180
        const asEuler = (axes: EulerAxes) =>
          ofRobot(({ position, orientation }) => {
            const [a, b, c] = eulerOf(axes, orientation)
            return { position, orientation: ofEuler(axes, [turn * a, turn * b, turn * c]) }
          })
        const asVector = ofRobot(({ position, orientation }) => {
          const { x, y, z } = rotationVectorOf(orientation)
          return { position, orientation: ofRotationVector({ x: turn * x, y: turn * y, z: turn * z }) }
        })
        for (const change of [asEuler(['z', 'y', 'x']), asEuler(['x', 'y', 'z']), asVector])
          for (const mistake of said(change, { robotMounted })) {
            should(mistake?.kind).equal('radians-for-degrees')
            mistake?.misfit.should.be.above(10 * mistake.misfitWithout)
          }
      })

      it('is the first angle read as the last', () => {
        const swap = ofRobot(({ position, orientation }) => {
          const [a, b, c] = eulerOf(zyx, orientation)
          return { position, orientation: ofEuler(zyx, [c, b, a]) }
        })
        for (const mistake of said(swap, { robotMounted })) should(mistake?.kind).equal('angles-swapped')
      })

      it('is the order of axes of another maker', () => {
        const misread = ofRobot(({ position, orientation }) => ({
          position,
          orientation: ofEuler(zyx, eulerOf(['x', 'y', 'z'], orientation)),
        }))
        for (const mistake of said(misread, { robotMounted }))
          should(mistake).match({ kind: 'angle-order', read: zyx, meant: ['x', 'y', 'z'] })
      })

      it('is the size of the grid, by the factor of the distances', () => {
        const larger = ({ robot, grid }: HandEyeObservation) => ({ robot, grid: scaled(grid, 1.1) })
        for (const mistake of said(larger, { robotMounted })) {
          should(mistake?.kind).equal('grid-size')
          if (mistake?.kind === 'grid-size') mistake.factor.should.be.approximately(1.1, 0.01)
        }
      })

      it('is not guessed from four poses', () =>
        said((good) => good, { robotMounted, setAs: !robotMounted, poses: 4 }).should.deepEqual(
          Array(sets).fill(undefined),
        ))
    })
})
