import should from 'should'
import { interfaceCodes } from '../../lib/robot-interface'
import type { Pose } from '../../lib/robotics'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'
import { overBin, twelvePoses } from '../virtual-device/hand-eye/use-cell'
import { Robot, type Asked } from '../virtual-device/robot/robot'

describe('the example robot-interface-any-device', () => {
  const example = useExample('robot-interface-any-device', [8169, 7152])
  let robot: Robot | undefined
  afterEach(() => robot?.close())

  it('hands the simulated robot one grasp after the other until none is left', async () => {
    const { answers } = example()
    await answers('any-calibrate', /calibration\][^]*success: true/)
    await answers('any-ready', /robot\][^]*action: 1,\s+code: 0,[^]*left: 1,/)
    await answers('any-pick', /action: 2,\s+code: 0,[^]*action: 5,\s+code: 0,[^]*left: 0,/)
  })

  it('lets a robot program calibrate and pick, as in front of a device that has the interface', async () => {
    const connected = (robot = await eventually(() => Robot.connected(example().port(7152))))
    const ask = (action: Parameters<Robot['ask']>[0], asked: Asked = {}) =>
      connected.ask(action, { ...asked, format: 24 })
    should(await ask('STATUS')).have.properties({ code: 0, data2: 1 })
    should(await ask('HEC_INIT', { data: [0] })).have.property('code', 0)
    for (const [index, pose] of twelvePoses.slice(0, 8).entries())
      should(await ask('HEC_SET_POSE', { pose, data: [0, 1 + index] })).have.property('code', 0)
    should(await ask('HEC_CALIBRATE', { data: [0] })).have.property('code', 0)

    const pose = overBin([5, -5, 30])
    const first = await ask('TRIGGER_JOB_SYNC', { job: 7, pose })
    should(first).have.properties({ code: 0, jobId: 7 })
    const picks: Pose[] = [first.pose as Pose]
    for (let left = first.data2; left > 0; left--) {
      const next = await ask('GET_NEXT_POSE', { job: 7, pose })
      should(next).have.properties({ code: 0, data2: left - 1 })
      picks.push(next.pose as Pose)
    }
    picks.length.should.be.above(1)
    should(await ask('GET_NEXT_POSE', { job: 7 })).have.property('code', interfaceCodes.NO_POSES_FOUND)
  })

  it('tells the robot which step of the calibration failed, and why', async () => {
    const connected = (robot = await eventually(() => Robot.connected(example().port(7152))))
    const scenario = (body: string) =>
      fetch(`http://127.0.0.1:${String(example().port(8169))}/virtual/scenario`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body,
      })
    await scenario('{"grid_visible":false}')
    const [pose] = twelvePoses
    should(await connected.ask('HEC_SET_POSE', { data: [0, 1], ...(pose && { pose }) })).have.properties({
      code: interfaceCodes.HEC_INSUFFICIENT_DETECTION,
      moduleCode: 4,
    })
    await scenario('{"offline":true}')
    const { code, moduleCode, pose: none } = await connected.ask('TRIGGER_JOB_SYNC')
    code.should.be.belowOrEqual(-1)
    // Gone, too slow, or gone in the middle.
    moduleCode.should.be.within(201, 204)
    should(none).be.undefined()
    await scenario('{"offline":false}')
  })
})
