import 'should'
import { identity, rotationVectorOf, degrees, type Pose } from '../../../lib/robotics'
import { disturbed, Cell } from '../../../virtual-device/cell/cell'
import { seenIn } from '../../../virtual-device/cell/sight'
import { seededRandom } from '../../../virtual-device/values'
import { moduleBench } from '../../support/module-bench'
import { between, grid, twelvePoses, type CalibrationAnswer } from './use-cell'

const rootMeanSquare = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, each) => sum + each * each, 0) / values.length)

describe('the noise of the simulated cell', () => {
  it('has the requested deviations', () => {
    const random = seededRandom(1)
    const poses = Array.from({ length: 4000 }, () =>
      disturbed(identity(), random, { across: 0.001, along: 0.002 }, 0.5),
    )
    const spread = (part: (pose: Pose) => number) => rootMeanSquare(poses.map(part))
    spread(({ position }) => position.x).should.be.approximately(0.001, 0.00005)
    spread(({ position }) => position.y).should.be.approximately(0.001, 0.00005)
    spread(({ position }) => position.z).should.be.approximately(0.002, 0.0001)
    for (const axis of ['x', 'y', 'z'] as const)
      spread(({ orientation }) => degrees(rotationVectorOf(orientation)[axis])).should.be.approximately(
        0.5,
        0.025,
      )
  })

  it('grows with the distance from the camera', () => {
    const { scenario, module } = moduleBench()
    scenario.scene = { hand_eye: { farthest: 10, robot_noise: 0, robot_noise_degrees: 0 } }
    const random = seededRandom(1)
    const cell = new Cell({ scenario: () => scenario, module, random })
    const look = cell.snapshot(undefined, true)
    const deviationAt = (z: number) => {
      const at: Pose = { position: { x: 0, y: 0, z }, orientation: identity().orientation }
      return rootMeanSquare(
        Array.from({ length: 2000 }, () => {
          const seen = seenIn({ ...look, grid: at, tags: [] }, [], random)
          return typeof seen === 'string' ? NaN : seen.grid.position.z - z
        }),
      )
    }
    deviationAt(0.6).should.be.approximately(0.00008, 0.000008)
    deviationAt(1.2).should.be.approximately(0.00016, 0.000016)
  })

  it('makes results as uncertain as they report', () => {
    const results = Array.from({ length: 60 }, (_, seed) => {
      const bench = moduleBench('single', undefined, { seed })
      const call = (service: string, args?: object) =>
        bench.call('hand_eye_calibration', service, { ...args }) as unknown as CalibrationAnswer
      bench.set('hand_eye_calibration', grid)
      for (const [slot, pose] of twelvePoses.entries()) call('set_pose', { slot, pose })
      const { camera } = bench.module('hand_eye_calibration').truth?.() as { camera: Pose }
      const found = call('calibrate')
      return { ...between(camera, found.pose), said: found }
    })
    for (const [actual, said] of [
      [results.map(({ metres }) => metres), results.map(({ said }) => said.translation_error_meter)],
      [results.map(({ degrees }) => degrees), results.map(({ said }) => said.rotation_error_degree)],
    ] as const)
      (rootMeanSquare(actual) / rootMeanSquare(said)).should.be.within(0.8, 1.25)
    Math.max(...results.map(({ metres }) => metres)).should.be.below(0.001)
    Math.max(...results.map(({ degrees }) => degrees)).should.be.below(0.1)
  })
})
