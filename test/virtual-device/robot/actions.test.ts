import should from 'should'
import { interfaceCodes, jobStates, robotActions, type RobotAction } from '../../../lib/robot-interface'
import { identity, type Pose } from '../../../lib/robotics'
import { manualClock, type VirtualDeviceOptions } from '../../../virtual-device'
import { itempick, jobOf, requestOf, useRobots, type Asked } from './robot'

const overBin: Pose = { position: { x: 0.6, y: 0, z: 0.5 }, orientation: { w: 0, x: 1, y: 0, z: 0 } }
const external = { ...jobOf.tags, args: { pose_frame: 'external', tags: [] } }
type Cell = ReturnType<typeof useRobots>

describe('the actions of the robot interface', () => {
  const cell = useRobots()

  it('answer whether the device is ready', async () => {
    const robot = await cell.robot()
    should(await robot.ask('STATUS')).have.properties({ code: 0, data2: 1, action: robotActions.STATUS })
  })

  it('repeat format, action and job in every answer, errors too', async () => {
    const robot = await cell.robot()
    for (const [name, action] of Object.entries(robotActions))
      should(await robot.ask(name as RobotAction, { job: 513, format: 26, data: [2, 3] })).have.properties({
        poseFormat: 26,
        action,
        jobId: 513,
      })
  })

  it('hand out the poses of a detection, the first with the trigger, with what is left', async () => {
    await cell.service(itempick, 'start')
    await cell.job(0, jobOf.grasps)
    const robot = await cell.robot()
    const first = await robot.ask('TRIGGER_JOB_SYNC')
    should(first).have.properties({ code: 0, data3: 1 })
    first.data2.should.be.above(0)
    should(first.pose).be.ok()
    for (let left = first.data2 - 1; left >= 0; left--) {
      const related = await robot.ask('GET_RELATED_POSE')
      should(related).have.properties({ code: 0, data2: left + 1, data3: 0 })
      should(await robot.ask('GET_NEXT_POSE')).have.properties({ code: 0, data2: left, data3: 1 })
    }
    should(await robot.ask('GET_JOB_STATUS')).have.properties({ code: 0, data2: jobStates.DONE })
    should(await robot.ask('GET_NEXT_POSE')).have.properties({ code: interfaceCodes.NO_POSES_FOUND })
    should(await robot.ask('GET_JOB_STATUS')).have.properties({ code: 0, data2: jobStates.INACTIVE })
  })

  it('hand out what the API would answer, in millimetres', async () => {
    await cell.job(0, jobOf.tags)
    const robot = await cell.robot()
    const first = await robot.ask('TRIGGER_JOB_SYNC')
    const poses = [first.pose]
    for (let left = first.data2; left > 0; left--) poses.push((await robot.ask('GET_NEXT_POSE')).pose)
    const { tags } = await cell.service('/pipelines/0/nodes/dev_april_tag_detect', 'detect', jobOf.tags.args)
    const shown = tags as { pose: Pose }[]
    poses.length.should.equal(shown.length)
    // The measurements differ by their noise.
    for (const [index, pose] of poses.entries())
      for (const axis of ['x', 'y', 'z'] as const)
        should(pose?.position[axis]).be.approximately(shown[index]?.pose.position[axis] ?? NaN, 0.01)
  })

  it('return further values with the poses', async () => {
    await cell.service(itempick, 'start')
    await cell.job(4, {
      ...jobOf.grasps,
      additional_return: {
        primary: [
          { json_path: 'quality', target_field: 'data_4', type: 'float' },
          { json_path: 'pose.position.z', target_field: 'data_10', type: 'float' },
          { json_path: '.return_code.value', target_field: 'data_5', type: 'int' },
          { json_path: 'no.such.thing', target_field: 'data_6', type: 'int' },
        ],
        related: [{ json_path: 'bounding_box.x', target_field: 'data_7', type: 'float' }],
      },
    })
    const robot = await cell.robot()
    const { pose, extra, moduleCode } = await robot.ask('TRIGGER_JOB_SYNC', { job: 4 })
    should(extra[0]).be.within(1, 1e6)
    should(extra[6]).be.approximately((pose?.position.z ?? NaN) * 1e6, 1)
    should(extra.slice(1, 6)).eql([moduleCode, 0, 0, 0, 0])
    const related = await robot.ask('GET_RELATED_POSE', { job: 4 })
    should(related.extra[3]).be.within(30_000, 150_000)
    should(related.extra.filter((value) => value !== 0).length).equal(1)
  })

  it('start a job at once and keep all its poses', async () => {
    await cell.job(1, jobOf.tags)
    const robot = await cell.robot()
    should(await robot.ask('TRIGGER_JOB_ASYNC', { job: 1, data: [101, 201, 301, 401] })).have.properties({
      ...{ code: 0, pose: undefined, moduleCode: 0, data2: 0, data3: 0 },
      extra: [0, 0, 0, 0, 0, 0, 0],
    })
    should(await robot.ask('GET_JOB_STATUS', { job: 1 })).have.properties({ code: 0, data2: jobStates.DONE })
    const first = await robot.ask('GET_NEXT_POSE', { job: 1 })
    should(first).have.properties({ code: 0, data3: 0 })
    should(await robot.ask('GET_NEXT_POSE', { job: 1 })).have.properties({ code: 0, data2: first.data2 - 1 })
  })

  it('set parameters and call services without poses', async () => {
    await cell.job(2, jobOf.speed)
    await cell.job(3, jobOf.regions)
    const robot = await cell.robot()
    for (const job of [2, 3]) {
      should(await robot.ask('TRIGGER_JOB_ASYNC', { job })).have.properties({ code: 0 })
      should(await robot.ask('GET_JOB_STATUS', { job })).have.properties({ code: 0, data2: jobStates.DONE })
      should(await robot.ask('TRIGGER_JOB_SYNC', { job })).have.properties({ code: 3, moduleCode: 0 })
      should(await robot.ask('GET_NEXT_POSE', { job })).have.properties({ code: 3 })
      should(await robot.ask('GET_RELATED_POSE', { job })).have.properties({ code: 3 })
    }
    cell.api.device.parameter('dev_camera', 'fps').should.equal(5)
  })

  it('give the pose of the flange to services that know it', async () => {
    await cell.service('/pipelines/0/nodes/dev_hand_eye_calibration', 'set_calibration', {
      pose: identity(),
      robot_mounted: true,
    })
    await cell.job(5, external)
    const robot = await cell.robot()
    const atZero = await robot.ask('TRIGGER_JOB_SYNC', { job: 5, pose: identity() })
    const moved = { ...identity(), position: { x: 0.25, y: 0, z: 0 } }
    const beside = await robot.ask('TRIGGER_JOB_SYNC', { job: 5, pose: moved })
    should((beside.pose?.position.x ?? NaN) - (atZero.pose?.position.x ?? NaN)).be.approximately(0.25, 0.01)
    // Without a rotation there is no pose, which the module says.
    const without = await robot.ask('TRIGGER_JOB_SYNC', { job: 5 })
    should(without).have.properties({ code: interfaceCodes.API_RESPONSE_ERROR, moduleCode: -1 })
  })

  it('ignore fields that they do not use', async () => {
    await cell.job(1, jobOf.tags)
    const robot = await cell.robot()
    const filled: Asked = { job: 1, pose: overBin, data: [-7, 2147483647, 5, 6] }
    should(await robot.ask('STATUS', filled)).have.properties({ code: 0, data2: 1 })
    should(await robot.ask('TRIGGER_JOB_SYNC', filled)).have.properties({ code: 0 })
    for (const action of ['GET_JOB_STATUS', 'GET_NEXT_POSE'] as const)
      should(await robot.ask(action, filled)).have.properties({ code: 0 })
  })
})

/** What leads to each code; a missing one does not compile. */
const provocations: Record<keyof typeof interfaceCodes, (cell: Cell, clock: Clock) => Promise<Provoked>> = {
  NO_ERROR: () => Promise.resolve({ action: 'STATUS' }),
  UNKNOWN_ERROR: (cell) => {
    cell.api.device.setScenario({ license: { generic_robot_interface: false } })
    return Promise.resolve({ action: 'TRIGGER_JOB_SYNC' })
  },
  // A tag at 3 m is beyond 2147.483647 mm.
  INTERNAL_ERROR: async (cell) => {
    cell.api.device.setScenario({
      scene: { detection: { distance: 3, april_tags: [{ id: '36h11_0', size: 0.3 }] } },
    })
    await cell.job(0, jobOf.tags)
    return { action: 'TRIGGER_JOB_SYNC' }
  },
  API_NOT_REACHABLE: async (cell, clock) => {
    cell.api.device.setScenario({ boot_seconds: 30, boot_502_seconds: 20 })
    ;(await cell.api.put('/system/reboot')).status.should.equal(200)
    clock.advance(1)
    return { action: 'TRIGGER_JOB_SYNC' }
  },
  // The module has not been started.
  API_RESPONSE_ERROR: async (cell) => {
    await cell.job(0, jobOf.grasps)
    return { action: 'TRIGGER_JOB_SYNC', moduleCode: -8 }
  },
  PIPELINE_NOT_AVAILABLE: () => Promise.resolve({ action: 'HEC_INIT', asked: { data: [3] } }),
  INVALID_REQUEST_ERROR: () => Promise.resolve({ action: 'STATUS', change: [6, 52] }),
  INVALID_REQUEST_LENGTH: () => Promise.resolve({ action: 'STATUS', change: [5, 53] }),
  INVALID_ACTION: () => Promise.resolve({ action: 'STATUS', change: [7, 10] }),
  PROCESSING_TIMEOUT: async (cell, clock) => {
    cell.api.device.setScenario({ robot_job_seconds: 71 })
    await cell.job(0, jobOf.tags)
    const robot = await cell.robot()
    await robot.ask('TRIGGER_JOB_ASYNC')
    clock.advance(70)
    return { action: 'GET_NEXT_POSE' }
  },
  UNKNOWN_PROTOCOL_VERSION: () => Promise.resolve({ action: 'STATUS', change: [4, 2] }),
  WRONG_PROTOCOL_FOR_JOB: () => Promise.resolve('cannot occur with one version'),
  JOB_DOES_NOT_EXIST: () => Promise.resolve({ action: 'GET_JOB_STATUS', asked: { job: 65535 } }),
  MISCONFIGURED_JOB: async (cell) => {
    await cell.job(0, { ...jobOf.tags, selected_return: 'nothing' })
    return { action: 'TRIGGER_JOB_SYNC' }
  },
  HEC_CONFIG_ERROR: () => Promise.resolve({ action: 'HEC_INIT', asked: { data: [0] } }),
  HEC_INIT_ERROR: async (cell) => {
    await cell.calibration(0)
    cell.api.device.setScenario({ license: { hand_eye_calibration: false } })
    return { action: 'HEC_INIT', asked: { data: [0] }, moduleCode: -9 }
  },
  HEC_SET_POSE_ERROR: async (cell) => {
    await cell.calibration(0)
    return { action: 'HEC_SET_POSE', asked: { data: [0, 16], pose: overBin } }
  },
  HEC_CALIBRATE_ERROR: async (cell) => {
    await cell.calibration(0)
    return { action: 'HEC_CALIBRATE', asked: { data: [0] } }
  },
  HEC_INSUFFICIENT_DETECTION: async (cell) => {
    await cell.calibration(0)
    cell.api.device.setScenario({ grid_visible: false })
    return { action: 'HEC_SET_POSE', asked: { data: [0, 1], pose: overBin }, moduleCode: 4 }
  },
  NO_POSES_FOUND: async (cell) => {
    await cell.job(0, { ...jobOf.tags, args: { pose_frame: 'camera', tags: [{ id: '36h11_500' }] } })
    return { action: 'TRIGGER_JOB_SYNC' }
  },
  NO_RELATED_POSES: async (cell) => {
    await cell.job(0, jobOf.tags)
    return { action: 'GET_RELATED_POSE' }
  },
  NO_RETURN_SPECIFIED: async (cell) => {
    await cell.job(0, jobOf.regions)
    return { action: 'TRIGGER_JOB_SYNC' }
  },
  JOB_STILL_RUNNING: async (cell) => {
    cell.api.device.setScenario({ robot_job_seconds: 5 })
    await cell.job(0, jobOf.tags)
    const robot = await cell.robot()
    await robot.ask('TRIGGER_JOB_ASYNC')
    return { action: 'TRIGGER_JOB_ASYNC' }
  },
}
type Clock = ReturnType<typeof manualClock>
type Provoked =
  | string
  | {
      action: RobotAction
      asked?: Asked
      change?: readonly [offset: number, value: number]
      moduleCode?: number
    }

describe('the codes of the robot interface', () => {
  const options: VirtualDeviceOptions & { clock: Clock } = { clock: manualClock() }
  const cell = useRobots(options)

  for (const [name, provoke] of Object.entries(provocations))
    it(`${name}: ${interfaceCodes[name as keyof typeof interfaceCodes]}`, async () => {
      const provoked = await provoke(cell, options.clock)
      if (typeof provoked === 'string') {
        name.should.equal('WRONG_PROTOCOL_FOR_JOB')
        return
      }
      const { action, asked, change, moduleCode } = provoked
      const robot = await cell.robot()
      const bytes = requestOf(action, asked)
      if (change) bytes[change[0]] = change[1]
      robot.send(bytes)
      const answer = await robot.answer()
      answer.code.should.equal(interfaceCodes[name as keyof typeof interfaceCodes])
      should(answer.pose).equal(undefined)
      if (moduleCode !== undefined) answer.moduleCode.should.equal(moduleCode)
      // The connection stays, and its next request is understood.
      should(await (await cell.robot()).ask('STATUS')).have.property('code', 0)
      if (change?.[0] !== 5) should(await robot.ask('STATUS')).have.property('code', 0)
    })
})
