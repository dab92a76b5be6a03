import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import type { DriveSnapshot } from '../../../nodes/hand-eye-calibration/drive/panel'
import { useAdmin } from '../../support/admin'
import { eventually } from '../../support/eventually'
import { useArm } from './use-arm'
import { useDriving } from './use-driving'

// Each test goes on where the one before has left the calibration.
describe('hand-eye-calibration with a robot that drives itself, and a device that restarts in the middle', function () {
  this.timeout(300_000)
  const drive = useArm({ confirm: 'each', tilt: 20 })
  const { reports, errors, say, event, error, truth } = drive

  /** Sends a command, and resolves with what it leads to. */
  const follows = (topic: string, expected: string, more: object = {}) => {
    const from = reports.length
    say(topic, '', more)
    return event(expected, from)
  }
  /** Resolves as soon as the robot can be reset: its connection stands again. */
  const reset = () =>
    eventually(async () => {
      const [told, failed] = [reports.length, errors.length]
      say('reset')
      await eventually(() => (reports.length + errors.length).should.be.above(told + failed))
      errors.length.should.equal(failed)
    })

  it('says that the connection was lost, and that the poses are kept', async () => {
    const { request } = await follows('start', 'confirm-pose')
    await follows('confirm', 'confirm-motion', { request })
    await follows('confirm', 'confirm-motion')
    say('confirm')
    await eventually(async () => (await truth()).moves.should.be.true())
    await drive.restart()
    should(await error()).containEql({ code: 'CONNECTION_LOST' })
    const interrupted = await event('interrupted')
    interrupted.details.should.match(/connection was lost.*The poses so far are kept: send continue/)
  })

  it('moves nothing until a person has reset and confirmed it, and then goes back first', async () => {
    await reset()
    const { request } = await follows('continue', 'confirm-pose')
    should(await truth()).have.properties({ motions: 0, moves: false })
    // An arm that was switched off stands elsewhere.
    const { details } = await follows('confirm', 'confirm-way-back', { request })
    details.should.match(
      /^The robot is \d+ mm and 0° away from its last measuring pose, and moves back there first/,
    )
    should(await truth()).have.properties({ motions: 0, moves: false })
  })

  it('says what the device has lost, calibrates and saves', async () => {
    const continued = await event('continued')
    continued.details.should.match(/continues with 2 poses/)
    continued.details.should.match(
      /no longer has these poses.*: 1, 2\. At the end the robot moves there again/,
    )
    const from = reports.length
    drive.confirms()
    say('confirm')
    const saved = await event('calibrated', from)
    should(saved).containEql({ ok: true, good: true, saved: true })
  })
})

describe('hand-eye-calibration with a robot that drives itself, whose file cannot be read after a restart', () => {
  const { bench, userDir, errors, listen } = useDriving({
    ...{ drive: 'flow', confirm: 'first', format: 'kuka' },
  })
  const admin = useAdmin()

  it('reports it at the start, in the status and in the dialog, instead of showing that nothing was interrupted', async () => {
    mkdirSync(join(userDir, 'vision-hand-eye'), { recursive: true })
    writeFileSync(join(userDir, 'vision-hand-eye', 'test.json'), '{"version":1,"att')
    await bench.deploy()
    listen()
    await eventually(() => errors.should.match([{ message: /test\.json.*is damaged\. Send start/ }]))
    await bench.status('failed')
    const { body } = await admin.get('vision-devices/hand-eye/test', { 'accept-language': 'de' })
    should((body as { drive: DriveSnapshot }).drive).match({
      doing: { word: 'failed' },
      said: /test\.json.*ist beschädigt\. Senden Sie start/,
    })
  })
})
