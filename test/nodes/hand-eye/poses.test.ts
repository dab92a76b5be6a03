import should from 'should'
import { overBin, twelvePoses } from '../../virtual-device/hand-eye/use-cell'
import { kuka, useCalibration } from './use-calibration'

describe('a pose that the device rejects', () => {
  const { say, bench, setCell, cell } = useCalibration()

  it('is reported with the reason and repeated under the same number', async () => {
    await say('start')
    await say('pose', kuka(overBin()))
    bench.device.setScenario({ grid_visible: false })
    const rejected = await say('pose', kuka(overBin([15, 0, 0])))
    rejected.output.should.equal(0)
    rejected.payload.should.containEql({ event: 'pose-rejected', ok: false, number: 2 })
    rejected.payload.details.should.match(/^Pose 2 is not stored: the device does not detect the grid/)
    should(rejected.payload['poses']).deepEqual([1])
    bench.device.setScenario({ grid_visible: true })
    ;(await say('pose', kuka(overBin([12, 0, 0])))).payload.should.containEql({
      event: 'pose-stored',
      number: 2,
    })
  })

  it('reports that another program uses the calibration', async () => {
    setCell({ locked: true })
    const { payload } = await say('pose', kuka(overBin([0, 15, 0])))
    payload.details.should.match(/^Pose 3 is not stored: another program is using/)
    setCell({})
  })

  it('can replace another by its number', async () => {
    const { payload } = await say('pose', kuka(overBin([-12, 0, 0])), { poseNumber: 1 })
    payload.should.containEql({ event: 'pose-stored', number: 1 })
    const { poses } = await cell.call<Awaited<ReturnType<typeof cell.call>> & { poses: object[] }>(
      'get_poses',
    )
    poses.length.should.equal(2)
  })
})

describe('an impossible pose', () => {
  const { say, called } = useCalibration({ format: 'universal-robots' })
  const refused = (payload: unknown, message: RegExp) =>
    say('pose', payload).should.be.rejectedWith({ code: 'INVALID_INPUT', message })

  it('ends with an error that names the suspicion, and nothing is sent', async () => {
    await refused(
      [600, 0, 500, 0, 3.1, 0],
      /600.* m from the origin|781.* m from the origin.*probably millimetres/,
    )
    await refused('p[0.6, 0, 0.5, 0, 180, 0]', /180 rad long.*probably degrees/)
    await refused('p[0.6, 0, 0.5]', /6 numbers are needed .x y z rx ry rz., but 3 were found/)
    await say('pose', 'p[0.6,0,0.5,0,3.1,0]', { poseNumber: 17 }).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /^17 is not a pose number.*1 to 16/,
    })
    await say('measure', '').should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /no command "measure"/,
    })
    called().should.be.empty()
  })
})

describe('poses and disturbances', () => {
  const { say, bench, called, restart, cell, listen, between } = useCalibration()

  it('are not sent twice if the answer is lost, and the same pose gets the same slot', async () => {
    await say('start')
    await say('pose', kuka(overBin()))
    between((service) => (service === 'set_pose' ? 'lose answer' : 'pass'))
    await say('pose', kuka(overBin([15, 0, 0]))).should.be.rejectedWith({ code: 'OUTCOME_UNKNOWN' })
    between(() => 'pass')
    called()
      .filter((service) => service === 'set_pose')
      .length.should.equal(2)
    const { payload } = await say('pose', kuka(overBin([15, 0, 0])))
    payload.should.containEql({ event: 'pose-stored', number: 2 })
    should(payload['poses']).deepEqual([1, 2])
  })

  it('survive a deploy: the node continues with what the device has, and says so', async () => {
    await bench.deploy({ name: 'changed' })
    listen()
    const { payload } = await say('pose', kuka(overBin([0, 15, 0])))
    payload.should.containEql({ event: 'pose-stored', number: 3 })
    payload.details.should.containEql('These poses are already on the device and are used: 1, 2.')
  })

  it('that the device has lost are named, and its settings are set again', async () => {
    await restart()
    const { payload } = await say('pose', kuka(overBin([0, -15, 0])))
    payload.details.should.containEql(
      'no longer has these poses, perhaps after a restart: 1, 2, 3. Record them again.',
    )
    payload.details.should.containEql('these were restored: grid_width, grid_height')
    should(payload['poses']).deepEqual([1])
    should(bench.device.parameter('dev_hand_eye_calibration', 'grid_width')).equal(0.26)
  })

  it('end with an error while the device is away, and continue when it is back', async () => {
    bench.device.setScenario({ offline: true })
    await say('pose', kuka(overBin([0, 15, 0]))).should.be.rejectedWith({
      code: /UNREACHABLE|OUTCOME_UNKNOWN/,
    })
    bench.device.setScenario({ offline: false })
    ;(await say('pose', kuka(overBin([0, 15, 0])))).payload.should.containEql({ number: 2 })
  })

  it('are dropped by cancel', async () => {
    const { payload } = await say('cancel')
    payload.should.containEql({ event: 'cancelled', ok: true })
    should(payload['poses']).deepEqual([])
    const { poses } = await cell.call<Awaited<ReturnType<typeof cell.call>> & { poses: object[] }>(
      'get_poses',
    )
    poses.should.be.empty()
  })
})

describe('sixteen poses', () => {
  const { say } = useCalibration()

  it('fill all slots', async () => {
    await say('start')
    const more = [10, -10, 20, -20].map((angle) => overBin([0, 0, angle]))
    for (const pose of [...twelvePoses, ...more]) await say('pose', kuka(pose))
    const { payload } = await say('pose', kuka(overBin([4, -10, 80])))
    payload.should.containEql({ event: 'refused', ok: false })
    payload.details.should.match(/all 16 slots are in use/)
  })
})

describe('a device with only the services of the specification', () => {
  const { say, between } = useCalibration()
  const unknown = ['get_poses', 'reset_calibration', 'save_calibration', 'delete_poses']

  it('can be calibrated as well', async () => {
    between((service) => (unknown.includes(service) ? 'absent' : 'pass'))
    await say('start')
    for (const pose of twelvePoses) await say('pose', kuka(pose))
    const { payload } = await say('calibrate')
    payload.should.containEql({ event: 'calibrated', good: true, saved: true })
    should(payload['poses']).have.length(12)
    await say('undo').should.be.fulfilled()
  })
})
