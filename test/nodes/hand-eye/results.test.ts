import should from 'should'
import { composed, inverted, type Pose, type Vector } from '../../../lib/robotics'
import { overBin, twelvePoses } from '../../virtual-device/hand-eye/use-cell'
import { kuka, useCalibration } from './use-calibration'

const four = twelvePoses.slice(0, 5)

describe('a result beyond the limits', () => {
  const { say, cell, bench } = useCalibration({ limitMillimetres: 0.001 })

  it('is not saved, and cannot be', async () => {
    await say('start')
    for (const pose of four) await say('pose', kuka(pose))
    const { output, payload } = await say('calibrate')
    output.should.equal(1)
    payload.should.containEql({ event: 'calibrated', ok: false, good: false, saved: false })
    payload.details.should.match(
      /outside the limits of 0\.001 mm and 0\.2°\. The calibration is not saved\. Add poses/,
    )
    ;(await cell.saved()).success.should.be.false()
    await say('save').should.be.rejectedWith({ code: 'INVALID_INPUT', message: /beyond the limits/ })
  })

  it('is saved if the node asks first and a message confirms', async () => {
    await bench.deploy({ save: 'ask' })
    await say('save').should.be.rejectedWith({ code: 'INVALID_INPUT', message: /no result/ })
    const asked = await say('calibrate')
    asked.payload.should.containEql({ good: false, saved: false })
    asked.payload.details.should.match(/Save it, or cancel\./)
    ;(await cell.saved()).success.should.be.false()
    const saved = await say('save')
    saved.output.should.equal(1)
    saved.payload.should.containEql({ event: 'saved', ok: true, saved: true, good: false })
    should(saved.payload['camera']).have.keys('X', 'Y', 'Z', 'A', 'B', 'C')
    ;(await cell.saved()).success.should.be.true()
  })
})

describe('a calibration whose answers are lost', () => {
  const { say, between, called } = useCalibration()
  const count = (service: string) => called().filter((each) => each === service).length

  it('is not computed or saved twice by itself, and its result is not lost', async () => {
    await say('start')
    for (const pose of twelvePoses) await say('pose', kuka(pose))
    between((service) => (service === 'calibrate' ? 'lose answer' : 'pass'))
    await say('calibrate').should.be.rejectedWith({ code: 'OUTCOME_UNKNOWN' })
    count('calibrate').should.equal(1)
    between((service) => (service === 'save_calibration' ? 'lose answer' : 'pass'))
    await say('calibrate').should.be.rejectedWith({ code: 'OUTCOME_UNKNOWN' })
    count('save_calibration').should.equal(1)
    between(() => 'pass')
    const { payload } = await say('save')
    payload.should.containEql({ event: 'saved', saved: true, good: true })
    should(payload['camera']).have.keys('X', 'Y', 'Z', 'A', 'B', 'C')
  })
})

describe('a device that refuses', () => {
  const { say, setCell, restart } = useCalibration({ save: 'ask' })
  const fill = async () => {
    await say('start')
    for (const pose of four) await say('pose', kuka(pose))
  }

  it('is reported with the reason why it does not calibrate', async () => {
    setCell({ mounting: 'fixed' })
    await fill()
    const { output, payload } = await say('calibrate')
    // The node assumes that the camera is on the robot: nothing fits.
    if (payload.event === 'refused')
      payload.details.should.match(/^Not calibrated: poses and images do not match/)
    else payload.should.containEql({ good: false, ok: false })
    should(output).equal(payload.event === 'refused' ? 0 : 1)
    setCell({})
  })

  it('is reported with the reason why it does not save, and the result can be saved later', async () => {
    await fill()
    await say('calibrate')
    setCell({ storage_fails: true })
    const failed = await say('save')
    failed.payload.should.containEql({ event: 'refused', ok: false, saved: false })
    failed.payload.details.should.match(/^The calibration is not saved\. Send save again\./)
    setCell({})
    ;(await say('save')).payload.should.containEql({ saved: true })
  })

  it('is reported to have lost the result in a restart', async () => {
    await fill()
    await say('calibrate')
    await restart()
    const { payload } = await say('save')
    payload.details.should.match(/no longer has it, perhaps after a restart\. Send calibrate again/)
  })
})

for (const mounting of ['robot', 'fixed'])
  describe(`a check with the camera ${mounting === 'robot' ? 'on the robot' : 'fixed'}`, () => {
    const { say, cell, bench } = useCalibration({ mounting, limitCheck: 1 })
    const isMounted = mounting === 'robot'
    /** The position of the grid's centre as seen from a pose of the robot, and in the base. */
    const mark = async (hand: Pose) => {
      const { camera, grid } = await cell.truth()
      const seen = isMounted
        ? composed(inverted(composed(hand, camera)), grid)
        : composed(inverted(camera), composed(hand, grid))
      const place = isMounted ? grid : composed(hand, grid)
      return { robot: kuka(hand), seen: seen.position, touched: millimetres(place.position) }
    }

    it('requires a calibration', () =>
      say('check', { seen: [0, 0, 1], touched: [0, 0, 0], robot: kuka(overBin()) }).should.be.rejectedWith({
        code: 'INVALID_INPUT',
        message: /no saved calibration/,
      }))

    it('reports the remaining error at a touch-up point', async () => {
      await say('start')
      for (const pose of twelvePoses) await say('pose', kuka(pose))
      await say('calibrate')
      // The node has lost the procedure: the device is asked.
      await bench.deploy({ name: 'later' })
      const { robot, seen, touched } = await mark(overBin([10, -5, 20]))
      const { output, payload } = await say('check', { seen, touched, ...(isMounted && { robot }) })
      output.should.equal(1)
      payload.should.containEql({ event: 'checked', ok: true, good: true, limit: 1 })
      should(payload['camera']).have.keys('X', 'Y', 'Z', 'A', 'B', 'C')
      Number(payload['millimetres']).should.be.below(1).and.above(0)

      const [x = 0, y = 0, z = 0] = touched
      const off = await say('check', { seen, touched: `{X ${x + 3}, Y ${y}, Z ${z}}`, robot })
      off.payload.should.containEql({ ok: false, good: false })
      Number(off.payload['millimetres']).should.be.approximately(3, 1)
      off.payload.details.should.match(/off by [\d.]+ mm, more than 1 mm/)
    })

    it('reports it from two measurements of the same grid', async () => {
      const [one, other] = await Promise.all([overBin([10, 0, 0]), overBin([0, -10, 30])].map(mark))
      const waits = await say('check', { robot: one?.robot, seen: one?.seen })
      waits.payload.should.containEql({ event: 'check-waits' })
      const { payload } = await say('check', { robot: other?.robot, seen: other?.seen })
      payload.should.containEql({ event: 'checked', good: true })
      Number(payload['millimetres']).should.be.below(1)
    })

    it('reports what is missing', async () => {
      const { robot, seen } = await mark(overBin())
      const refused = (payload: unknown, message: RegExp) =>
        say('check', payload).should.be.rejectedWith({ code: 'INVALID_INPUT', message })
      await refused('here', /nothing to check/)
      await refused({ robot }, /point measured by the camera is missing/)
      await refused({ seen }, /robot pose.*is missing/)
      await refused({ seen, robot, touched: 'there' }, /not a valid position/)
    })
  })

const millimetres = ({ x, y, z }: Vector) => [x, y, z].map((metres) => 1000 * metres)
