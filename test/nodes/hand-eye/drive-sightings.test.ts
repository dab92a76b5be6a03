import should from 'should'
import { cellAt, between } from '../../virtual-device/hand-eye/use-cell'
import { numbersIn, poseOfNumbers } from '../../../lib/robotics'
import { useArm } from './use-arm'
import type { Told } from './use-driving'

/** How far a calibration is from the truth. */
async function offTruth({ cameraText }: Told, url: () => string) {
  const format = 'universal-robots-pendant'
  const camera = poseOfNumbers(format, numbersIn(format, cameraText), { length: 'mm' })
  return between(camera, (await cellAt(url).truth()).camera)
}

describe('hand-eye-calibration by sightings of a tag, without an image stream', function () {
  this.timeout(240_000)
  const drive = useArm(
    { confirm: 'none', sightings: 'april', tag: '36h11_1', wantedMillimetres: 2, wantedDegrees: 0.3 },
    { device: { imagePort: 'off', scenario: { image_view: 'grid' } } },
  )
  const { bench, reports, say, event } = drive

  it('plans from the tag, and gives the device the result', async () => {
    drive.confirms()
    say('start')
    const saved = await event('calibrated')
    should(saved).containEql({ ok: true, saved: true })
    saved.details.should.match(/plan is complete after \d+ poses\. Accuracy \(95 %\)/)
    reports
      .find((each) => each.event === 'looked')
      ?.details.should.equal('Pose 1: the tag 36h11_1 is visible.')
    const off = await offTruth(saved, () => drive.device().url)
    off.metres.should.be.below(0.002)
    off.degrees.should.be.below(0.3)
  })

  it('checks the camera by the same tag, and by no other', async () => {
    const from = reports.length
    say('check-camera')
    should(await event('camera-checked', from)).containEql({ ok: true })
    await bench.deploy({ tag: '36h11_2' })
    drive.listen()
    say('check-camera')
    should(await drive.error()).containEql({ code: 'INVALID_INPUT' })
  })

  it('says which tag is not there', async () => {
    await bench.deploy({ tag: '36h11_7' })
    drive.listen()
    say('start')
    const { reason, details } = await event('driving-ended')
    should(reason).equal('grid-not-seen-at-start')
    details.should.match(/^The tag 36h11_7 is not visible from the start pose\./)
  })

  it('needs the id of a tag', async () => {
    await bench.deploy({ tag: '' })
    drive.listen()
    say('start')
    const { code, message } = await drive.error()
    should(code).equal('INVALID_INPUT')
    message.should.match(/No tag is set/)
  })
})

describe('hand-eye-calibration by sightings of a QR code, without an image stream', function () {
  this.timeout(240_000)
  const code = 'https://example.com/grid?id=17'
  const scenario = {
    image_view: 'grid' as const,
    scene: {
      hand_eye: {
        tags: [
          { id: '36h11_0', size: 0.04 },
          { id: code, size: 0.08, kind: 'qr' as const },
        ],
      },
    },
  }
  const drive = useArm(
    { confirm: 'none', sightings: 'qr', tag: code, wantedMillimetres: 2, wantedDegrees: 0.3 },
    { device: { imagePort: 'off', scenario } },
  )
  const { bench, reports, say, event } = drive

  it('plans from the code, and gives the device the result', async () => {
    drive.confirms()
    say('start')
    const saved = await event('calibrated')
    should(saved).containEql({ ok: true, saved: true })
    saved.details.should.match(/plan is complete after \d+ poses\. Accuracy \(95 %\)/)
    reports
      .find((each) => each.event === 'looked')
      ?.details.should.equal(`Pose 1: the tag ${code} is visible.`)
    const off = await offTruth(saved, () => drive.device().url)
    off.metres.should.be.below(0.002)
    off.degrees.should.be.below(0.3)
  })

  it('checks the camera by the same code', async () => {
    const from = reports.length
    say('check-camera')
    should(await event('camera-checked', from)).containEql({ ok: true })
  })

  it('reads no AprilTag', async () => {
    await bench.deploy({ tag: '36h11_0' })
    drive.listen()
    say('start')
    const { reason, details } = await event('driving-ended')
    should(reason).equal('grid-not-seen-at-start')
    details.should.match(/^The tag 36h11_0 is not visible from the start pose\./)
  })

  it('needs the licence of its module', async () => {
    drive.device().setScenario({ license: { qr_code_detect: false } })
    await bench.deploy({ tag: code })
    drive.listen()
    say('start')
    const { code: told, message } = await drive.error()
    should(told).equal('FORBIDDEN')
    message.should.match(/licen[cs]e/i)
  })
})

describe('hand-eye-calibration by a device that says yes or no', function () {
  this.timeout(240_000)
  const drive = useArm(
    { confirm: 'each', sightings: 'answers', gridDistance: 450 },
    { device: { imagePort: 'off' } },
  )
  const { reports, errors, say, event, error, truth } = drive

  it('asks before each turn, and says what the device states so far', async () => {
    say('start')
    const { request } = await event('confirm-pose')
    say('confirm', '', { request })
    const asked = await event('confirm-motion')
    asked.details.should.match(/^Pose 2 \(a turn about the grid\): .*Confirm when the path is clear/)
    should((await truth()).motions).equal(0)
  })

  it('is interrupted by a deploy, and goes on with the poses on the device', async () => {
    drive.confirms()
    say('confirm')
    await event('looked', reports.length)
    await drive.bench.deploy()
    drive.listen()
    say('continue')
    await event('continued')
    const saved = await event('calibrated')
    should(saved).containEql({ ok: true, good: true, saved: true })
    saved.details.should.match(/^The device detected the grid from \d+ poses, and its result has/)
    reports.some(({ details }) => /Accuracy reported by the device so far/.test(details)).should.be.true()
    const off = await offTruth(saved, () => drive.device().url)
    off.metres.should.be.below(0.003)
    off.degrees.should.be.below(0.3)
  })

  it('cannot check the camera', async () => {
    const from = errors.length
    say('check-camera')
    should((await error(from)).message).match(/the position of the grid is unknown/)
  })

  it('says that the grid is gone, and continues when it is uncovered', async () => {
    const from = reports.length
    drive.answers(({ request, event: told, number }) => {
      if (told === 'looked' && number === 3) drive.device().setScenario({ grid_visible: false })
      if (request !== undefined) say('confirm', '', { request })
    })
    say('start')
    const { reason, details } = await event('driving-ended', from)
    should(reason).equal('grid-lost')
    details.should.match(/no longer visible at its previous position\. Uncover it/)
    drive.device().setScenario({ grid_visible: true })
    const then = reports.length
    say('continue')
    should(await event('calibrated', then)).containEql({ saved: true })
  })

  it('begins again where the device has lost its poses', async () => {
    drive.answers(({ request, event: told, number }) => {
      if (told === 'looked' && number === 3) say('stop')
      else if (request !== undefined) say('confirm', '', { request })
    })
    const from = reports.length
    say('start')
    await event('driving-ended', from)
    await drive.losePoses()
    const failed = errors.length
    drive.confirms()
    say('continue')
    const { code, message } = await error(failed)
    should(code).equal('INVALID_INPUT')
    message.should.match(/no longer has the poses for its calibration.*Send start/)
  })
})
