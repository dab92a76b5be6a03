import 'should'
import { startCalibration } from '../../lib/calibration'
import { createPlanner, product, type Pose } from '../../lib/robotics'
import { seededRandom } from '../../virtual-device/random'
import { errorOf, taughtSeen } from '../../bench/support/planned-runs'
import type { SheetCell } from '../../bench/support/sheet-sets'
import { armCell, gridSize, watchedMover, type ArmCell } from './arm-cell'
import { journalInMemory } from './simulated-cell'

/**
 * Start poses of each mounting; of fifty, one may need a person. Without it, one of a fixed camera: each takes a quarter of a
 * minute.
 */
const asked = process.env.CELLSIGHT_STARTS
const starts = Number(asked ?? 1)
const mountings = asked === undefined ? (['fixed'] as const) : (['robot', 'fixed'] as const)
const wanted = { metres: 0.001, degrees: 0.1 }
/** Room around where the arm starts, in the base. */
const room = 0.45

/** Faster than a person would allow, slow enough for the joints of the wrist: a turn of 1 rad counts as 0.25 m. */
const pace = { speed: 0.3, acceleration: 2 }

for (const mounting of mountings)
  describe(`calibrations from any pose by a simulated robot, with the camera ${mounting === 'robot' ? 'on it' : 'fixed'}`, function () {
    this.timeout(120_000 * starts + 60_000)
    let arm: ArmCell
    let box: { least: Pose['position']; most: Pose['position'] }

    const open = async () => {
      arm = await armCell(mounting, { ...pace, step: 0.31, turn: 41 })
      const { x, y, z } = (await arm.truth()).flange.position
      box = {
        least: { x: x - room, y: y - room, z: z - room },
        most: { x: x + room, y: y + room, z: z + room },
      }
    }
    before(open)
    after(() => arm.close())

    it(`end within the limits without a person, in the box, and move nothing that was not allowed: ${starts}`, async () => {
      const failed: string[] = []
      for (let seed = 1; seed <= starts; seed++) {
        const outcome = await calibrated(seed)
        if (!outcome) continue
        failed.push(`${seed}: ${outcome}`)
        // It may stand in a protective stop, which only a person unlocks.
        await arm.close()
        await open()
      }
      failed.length.should.be.belowOrEqual(Math.floor(starts / 50), failed.join('\n'))
    })

    /** @returns why a calibration did not end well */
    async function calibrated(seed: number): Promise<string | undefined> {
      const random = seededRandom(7000 + seed)
      await startPose(random)
      // Nobody has allowed what brought it there.
      if (arm.robot.permit.is !== 'unconfirmed') await arm.robot.reset()
      await arm.robot.confirmPose(await arm.robot.read())
      const watch = watchedMover(arm)
      await watch.begin()
      arm.excursion()
      const { next } = createPlanner({
        robotMounted: mounting === 'robot',
        grid: gridSize,
        camera: arm.camera,
        wanted,
        limits: { box },
      })
      let end
      try {
        end = await startCalibration({
          next,
          mover: watch.mover,
          source: arm.source,
          journal: journalInMemory(),
          confirm: async ({ via }) => {
            await watch.check('before it was allowed')
            return watch.allow(via.length + 1)
          },
        }).end
      } catch (error) {
        return String(error)
      }
      await watch.check('after the end')
      const { least, most } = arm.excursion()
      for (const axis of ['x', 'y', 'z'] as const) {
        least[axis].should.be.aboveOrEqual(box.least[axis] - 1e-4)
        most[axis].should.be.belowOrEqual(box.most[axis] + 1e-4)
      }
      watch.problems.should.be.empty()
      if (end.kind !== 'done') return JSON.stringify(end)
      const truth = await arm.cell()
      const { millimetres, degrees } = errorOf({ camera: truth.camera } as SheetCell, end.result)
      if (millimetres > 1000 * wanted.metres || degrees > wanted.degrees)
        return `${millimetres} mm and ${degrees}° from the truth`
      return undefined
    }

    /** Somewhere in the picture, tilted up to 25°, where the arm can be within its box. */
    async function startPose(random: () => number): Promise<void> {
      for (let count = 0; count < 50; count++) {
        const { position: at, orientation } = taughtSeen({ random } as SheetCell, 0.6 + 0.15 * random())
        // The frame of the device's grid looks into it.
        const seen = { position: at, orientation: product(orientation, { w: 0, x: 1, y: 0, z: 0 }) }
        if (!(await arm.putWhere(seen))) continue
        const { position } = (await arm.truth()).flange
        const isInside = (['x', 'y', 'z'] as const).every(
          (axis) => position[axis] > box.least[axis] && position[axis] < box.most[axis],
        )
        if (isInside && (await arm.source.look(new AbortController().signal))) return
      }
      throw new Error('No start pose was found.')
    }
  })
