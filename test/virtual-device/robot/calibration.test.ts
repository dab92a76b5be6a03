import should from 'should'
import { interfaceCodes, type ReceivedAnswer } from '../../../lib/robot-interface'
import { identity, type Pose } from '../../../lib/robotics'
import { between, cellAt, fourAxisPoses, twelvePoses } from '../hand-eye/use-cell'
import { useRobots, type Robot } from './robot'

const {
  HEC_CONFIG_ERROR,
  HEC_INIT_ERROR,
  HEC_SET_POSE_ERROR,
  HEC_CALIBRATE_ERROR,
  HEC_INSUFFICIENT_DETECTION,
  PIPELINE_NOT_AVAILABLE,
} = interfaceCodes

describe('a calibration over the robot interface', () => {
  const cell = useRobots()
  const at = (pipeline: string) => cellAt(() => cell.api.device.url, pipeline)

  /** As robot programs do it: eight poses, slots from 1, each step checked. */
  const calibrated = async (
    robot: Robot,
    pipeline: number,
    poses: readonly Pose[],
    { format = 2, first = 1 } = {},
  ): Promise<ReceivedAnswer> => {
    const steps = [await robot.ask('HEC_INIT', { data: [pipeline], format })]
    for (const [index, pose] of poses.slice(0, 8).entries())
      steps.push(await robot.ask('HEC_SET_POSE', { pose, data: [pipeline, first + index], format }))
    for (const step of steps) should(step).have.properties({ code: 0, pose: undefined })
    return robot.ask('HEC_CALIBRATE', { data: [pipeline], format })
  }

  for (const [name, options] of Object.entries({
    'quaternions and slots 1 to 8': { format: 2, first: 1 },
    'angles and slots 0 to 7': { format: 24, first: 0 },
  }))
    it(`finds and saves the camera, with ${name}`, async () => {
      await cell.calibration(1)
      const robot = await cell.robot()
      const answer = await calibrated(robot, 1, twelvePoses, options)
      should(answer).have.properties({ code: 0, moduleCode: 0 })
      const { camera } = await at('1').truth()
      const saved = await at('1').saved()
      saved.success.should.equal(true)
      for (const pose of [answer.pose as Pose, saved.pose]) {
        const { metres, degrees } = between(pose, camera)
        metres.should.be.below(0.002)
        degrees.should.be.below(0.3)
      }
      should((await at('0').saved()).success).equal(false)
    })

  it('takes grid, mounting and axis from the configuration', async () => {
    await cell.calibration(0, { robot_mounted: false, tcp_offset: 0.2, tcp_rotation_axis: 2 })
    const robot = await cell.robot()
    should(await robot.ask('HEC_INIT', { data: [0] })).have.property('code', 0)
    const { device } = cell.api
    for (const [name, value] of Object.entries({
      grid_width: 0.26,
      grid_height: 0.18,
      robot_mounted: false,
      tcp_offset: 0.2,
      tcp_rotation_axis: 2,
    }))
      should(device.parameter('dev_hand_eye_calibration', name)).equal(value)
  })

  it('works for a robot of four axes', async () => {
    await cell.calibration(0, { tcp_offset: 0, tcp_rotation_axis: 2 })
    should(await calibrated(await cell.robot(), 0, fourAxisPoses)).have.property('code', 0)
  })

  it('continues on another connection after a robot has disconnected, and a slot can be used again', async () => {
    await cell.calibration(0)
    const one = await cell.robot()
    await one.ask('HEC_INIT', { data: [0] })
    for (const [index, pose] of twelvePoses.slice(0, 4).entries())
      await one.ask('HEC_SET_POSE', { pose, data: [0, index + 1] })
    one.socket.resetAndDestroy()
    const other = await cell.robot()
    for (const [index, pose] of twelvePoses.slice(3, 8).entries())
      should(await other.ask('HEC_SET_POSE', { pose, data: [0, index + 4] })).have.property('code', 0)
    const { poses } = (await at('0').call('get_poses')) as unknown as { poses: { slot: number }[] }
    poses.map(({ slot }) => slot).should.eql([1, 2, 3, 4, 5, 6, 7, 8])
    should(await other.ask('HEC_CALIBRATE', { data: [0] })).have.property('code', 0)
  })

  it('begins again with HEC_INIT', async () => {
    await cell.calibration(0)
    const robot = await cell.robot()
    const [pose] = twelvePoses
    await robot.ask('HEC_SET_POSE', { data: [0, 1], ...(pose && { pose }) })
    should(await robot.ask('HEC_INIT', { data: [0] })).have.property('code', 0)
    const { poses } = (await at('0').call('get_poses')) as unknown as { poses: unknown[] }
    poses.should.eql([])
  })

  it('says what it cannot work with', async () => {
    const robot = await cell.robot()
    const [pose] = twelvePoses as readonly [Pose]
    const code = async (
      action: 'HEC_INIT' | 'HEC_SET_POSE' | 'HEC_CALIBRATE',
      data: number[],
      given?: Pose,
    ) => {
      const { code, moduleCode } = await robot.ask(action, { data, ...(given && { pose: given }) })
      return [code, moduleCode]
    }
    for (const action of ['HEC_INIT', 'HEC_SET_POSE', 'HEC_CALIBRATE'] as const) {
      for (const pipeline of [-1, 3, 4, 2147483647])
        should(await code(action, [pipeline, 1], pose)).eql([PIPELINE_NOT_AVAILABLE, 0])
      should(await code(action, [0, 1], pose)).eql([HEC_CONFIG_ERROR, 0])
    }
    await cell.calibration(0, { grid_width: 0 })
    should(await code('HEC_INIT', [0])).eql([HEC_CONFIG_ERROR, 0])
    await cell.calibration(0, { grid_width: 11 })
    should(await code('HEC_INIT', [0])).eql([HEC_INIT_ERROR, -1])

    await cell.calibration(0)
    for (const slot of [-1, 16, 2147483647])
      should(await code('HEC_SET_POSE', [0, slot], pose)).eql([HEC_SET_POSE_ERROR, 0])
    // A quaternion of zeros is no pose.
    should(await code('HEC_SET_POSE', [0, 1])).eql([HEC_SET_POSE_ERROR, 0])
    const { device } = cell.api
    device.setScenario({ scene: { hand_eye: { locked: true } } })
    should(await code('HEC_SET_POSE', [0, 1], pose)).eql([HEC_SET_POSE_ERROR, 9])
    device.setScenario({ scene: { hand_eye: {} }, grid_visible: false })
    should(await code('HEC_SET_POSE', [0, 1], pose)).eql([HEC_INSUFFICIENT_DETECTION, 4])
    device.setScenario({ grid_visible: true })
    const [failed] = await code('HEC_CALIBRATE', [0])
    should(failed).equal(HEC_CALIBRATE_ERROR)
  })

  it('is no success if the result cannot be saved', async () => {
    await cell.calibration(0)
    cell.api.device.setScenario({ scene: { hand_eye: { storage_fails: true } } })
    const answer = await calibrated(await cell.robot(), 0, twelvePoses)
    should(answer).have.properties({ code: HEC_CALIBRATE_ERROR, moduleCode: 1, pose: undefined })
    should((await at('0').saved()).success).equal(false)
  })

  it('is a success without a pose if the camera is farther away than a message can say', async () => {
    const grid = { grid_width: 1, grid_height: 0.7 }
    await cell.calibration(0, grid)
    // Behind the hand, and the grid where the hand is: the camera sees it in the middle from each pose.
    cell.api.device.setScenario({
      scene: {
        hand_eye: {
          ...grid,
          farthest: 3,
          camera_on_hand: { ...identity(), position: { x: 0, y: 0, z: -2.5 } },
          grid_in_cell: { position: { x: 0.6, y: 0, z: 0.5 }, orientation: { w: 0, x: 1, y: 0, z: 0 } },
        },
      },
    })
    const answer = await calibrated(await cell.robot(), 0, twelvePoses)
    should(answer).have.properties({ code: 0, moduleCode: 0, pose: undefined })
    const saved = await at('0').saved()
    saved.pose.position.z.should.be.approximately(-2.5, 0.05)
  })
})
