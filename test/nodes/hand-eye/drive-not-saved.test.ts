import should from 'should'
import { useDriving } from './use-driving'

/** Where the robot of the flow starts: the flange over the cell, pointing down; KUKA, mm and degrees. */
const start = { X: 500, Y: 100, Z: 700, A: 0, B: 0, C: 180 }

/** What the device itself sees of the grid, metres and degrees; its pictures are as sharp as ever. */
const blurred = { grid_noise: 0.004, grid_noise_degrees: 0.6 }

describe('a driven calibration whose result is not saved', function () {
  this.timeout(300_000)
  const drive = useDriving(
    { drive: 'flow', confirm: 'none', format: 'kuka' },
    { device: { scenario: { scene: { hand_eye: blurred } } } },
  )
  const { bench, reports, say, event } = drive
  before(() => drive.moves((target) => say('arrived', target)))

  it('names the device as the cause, although the plan was accurate enough', async () => {
    say('start', start)
    const result = await event('calibrated')
    should(result).containEql({ ok: false, good: false, saved: false })
    const { bound } = reports.findLast((report) => report.event === 'planned') as unknown as {
      bound: { millimetres: number; wantedMillimetres: number }
    }
    bound.millimetres.should.be.below(bound.wantedMillimetres)
    result.details.should.match(/(outside|beyond) the limits/)
    result.details.should.match(
      /The result is not saved: [^.]*\bdevice\b[^.]* less accurate than the limits [^;]*; then send start\. Or raise the limits, deploy, and send calibrate\./,
    )
    const failed = drive.errors.length
    say('save')
    should(await drive.error(failed)).containEql({ code: 'INVALID_INPUT' })
    drive.errors.at(-1)?.message.should.match(/Send start to calibrate again, or raise the limits/)
  })

  it('is saved when the limits are raised, and calibrate is sent after a deploy: the poses are still there', async () => {
    await bench.deploy({ limitMillimetres: 100, limitDegrees: 10 })
    await bench.state('ready')
    drive.listen()
    say('calibrate')
    should(await event('calibrated')).containEql({ ok: true, good: true, saved: true })
  })

  it('is saved when the device sees better, and start is sent', async () => {
    await bench.deploy({ limitMillimetres: 1, limitDegrees: 0.2 })
    await bench.state('ready')
    drive.listen()
    drive.moves((target) => say('arrived', target))
    bench.device.setScenario({ scene: { hand_eye: { grid_noise: 0.00004, grid_noise_degrees: 0.01 } } })
    say('start', start)
    should(await event('calibrated')).containEql({ ok: true, good: true, saved: true })
  })
})
