import should from 'should'
import { sheetCell, sheetSet } from '../../bench/support/sheet-sets'
import { mistakeInPoses } from '../../lib/calibration'
import {
  distance,
  eulerOf,
  ofEuler,
  product,
  type EulerAngles,
  type HandEyeObservation,
  type Pose,
} from '../../lib/robotics'

const seeds = process.env.CELLSIGHT_LONG ? 60 : 3

const scaled = ({ position: { x, y, z }, orientation }: Pose, by: number): Pose => ({
  position: { x: by * x, y: by * y, z: by * z },
  orientation,
})

describe('the mistake in recorded poses', () => {
  for (const robotMounted of [true, false])
    describe(`with the camera ${robotMounted ? 'on the robot' : 'fixed'}`, () => {
      const setsOf = (poses = 8) =>
        Array.from({ length: seeds }, (_, seed) => sheetSet(sheetCell(robotMounted, 700 + seed), poses))
      const found = (
        change: (observation: HandEyeObservation, index: number) => HandEyeObservation,
        poses?: number,
      ) => setsOf(poses).map((set) => mistakeInPoses(set.map(change), { robotMounted }))

      it('is none in good poses', () => {
        for (const each of found((good) => good)) should(each).be.undefined()
      })

      it('is a wrong digit in one of them, with the pose that it must have been', () => {
        const typed = found(({ robot, grid }, index) => ({
          robot:
            index === 4 ? { ...robot, position: { ...robot.position, y: robot.position.y + 0.05 } } : robot,
          grid,
        }))
        for (const [number, each] of typed.entries()) {
          if (each?.kind !== 'pose') throw new Error(JSON.stringify(each))
          each.index.should.equal(4)
          each.off.metres.should.be.within(0.045, 0.055)
          const truth = setsOf()[number]?.[4]?.robot as Pose
          distance(each.expected.position, truth.position).should.be.below(0.005)
        }
      })

      it('is a unit, radians or the size of the grid, with the figures that it explains', () => {
        const radians = ({ position, orientation }: Pose): Pose => {
          const axes = ['z', 'y', 'x'] as const
          const angles = eulerOf(axes, orientation).map((angle) => (angle * Math.PI) / 180)
          return { position, orientation: ofEuler(axes, angles as unknown as EulerAngles) }
        }
        for (const [kind, change] of [
          ['metres-for-millimetres', ({ robot, grid }) => ({ robot: scaled(robot, 0.001), grid })],
          ['radians-for-degrees', ({ robot, grid }) => ({ robot: radians(robot), grid })],
          ['grid-size', ({ robot, grid }) => ({ robot, grid: scaled(grid, 1.1) })],
        ] as [string, (observation: HandEyeObservation) => HandEyeObservation][])
          for (const each of found(change, 10)) {
            if (each?.kind !== 'set') throw new Error(`${kind}: ${JSON.stringify(each)}`)
            each.mistake.kind.should.equal(kind)
            each.mistake.misfitWithout.should.be.below(each.mistake.misfit)
            if (each.mistake.kind === 'grid-size') each.mistake.factor.should.be.within(1.08, 1.12)
          }
      })

      it('is none where a grid without a marked corner is seen turned by half a turn', () => {
        const turned = found(({ robot, grid }, index) => ({
          robot,
          grid:
            index % 3 === 1
              ? { ...grid, orientation: product(grid.orientation, { w: 0, x: 0, y: 0, z: 1 }) }
              : grid,
        }))
        for (const each of turned) should(each).be.undefined()
      })
    })
})
