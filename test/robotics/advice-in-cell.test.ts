import should from 'should'
import {
  assess,
  composed,
  inverted,
  ofRotationVector,
  product,
  radians,
  type Pose,
  type Vector,
} from '../../lib/robotics'
import { seededRandom } from '../../virtual-device/values'
import { moduleBench } from '../support/module-bench'
import { between } from '../virtual-device/hand-eye/use-cell'

/** Slots of a device. */
const most = 16

/** The cell of a seed: a camera on a bracket of its own, and a first pose from which the grid is visible. */
function randomCell(seed: number, mounting: 'robot' | 'fixed') {
  const random = seededRandom(seed)
  const upTo = (limit: number) => limit * (2 * random() - 1)
  const turn = (tilt: number, roll: number) =>
    product(
      ofRotationVector({ x: radians(upTo(tilt)), y: radians(upTo(tilt)), z: 0 }),
      ofRotationVector({ x: 0, y: 0, z: radians(upTo(roll)) }),
    )
  const camera: Pose = {
    position: { x: upTo(0.1), y: upTo(0.1), z: 0.05 + upTo(0.05) },
    orientation: turn(8, 180),
  }
  const grid: Pose = {
    position: { x: upTo(0.03), y: upTo(0.03), z: 0.1 + upTo(0.05) },
    orientation: product(turn(5, 180), ofRotationVector({ x: Math.PI, y: 0, z: 0 })),
  }
  const place: Pose = { position: { x: 0.6, y: upTo(0.2), z: 0.1 }, orientation: turn(180, 180) }
  const seen: Pose = {
    position: { x: upTo(0.08), y: upTo(0.06), z: 0.85 + upTo(0.2) },
    orientation: turn(10, 180),
  }
  const onRobot = mounting === 'robot'
  return {
    settings: onRobot
      ? { camera_on_hand: camera, grid_in_cell: place }
      : { grid_on_hand: grid, camera_in_cell: place },
    first: onRobot
      ? composed(place, inverted(composed(camera, seen)))
      : composed(composed(place, seen), inverted(grid)),
    camera: onRobot ? camera : place,
  }
}

/** Records the advised poses exactly, until none is advised. */
function followed(seed: number, mounting: 'robot' | 'fixed', grid: Vector) {
  const { settings, first, camera } = randomCell(seed, mounting)
  const bench = moduleBench('single', undefined, { seed })
  bench.scenario.scene = { hand_eye: { mounting, ...settings } }
  bench.set('hand_eye_calibration', {
    grid_width: 0.26,
    grid_height: 0.18,
    robot_mounted: mounting === 'robot',
  })
  const poses: Pose[] = []
  const rejected: Pose[] = []
  let failures = 0
  let pose: Pose | undefined = first
  while (pose && poses.length < most && poses.length + rejected.length < 40) {
    const { success } = bench.call('hand_eye_calibration', 'set_pose', { pose, slot: poses.length })
    failures = success ? 0 : failures + 1
    if (success) poses.push(pose)
    else rejected.push(pose)
    pose = assess(poses, { grid, rejected, failures }).next?.pose
  }
  const answer = bench.call('hand_eye_calibration', 'calibrate') as unknown as {
    success: boolean
    pose: Pose
  }
  return { ...between(camera, answer.pose), answer, poses, rejected, done: pose === undefined }
}

for (const [mounting, grid] of [
  ['robot', { x: 0, y: 0, z: 0.91 }],
  ['fixed', { x: 0, y: 0, z: 0.1 }],
] as const)
  describe(`the advice, followed literally with the camera ${mounting === 'robot' ? 'on the robot' : 'fixed'}`, () => {
    for (let seed = 1; seed <= 20; seed += 1)
      it(`reaches a result within 1 mm and 0.2° from first pose ${seed}`, () => {
        const { rejected, done, metres, degrees } = followed(seed, mounting, grid)
        done.should.be.true()
        should(1000 * metres).be.below(1)
        degrees.should.be.below(0.2)
        rejected.length.should.be.belowOrEqual(2)
      })
  })
