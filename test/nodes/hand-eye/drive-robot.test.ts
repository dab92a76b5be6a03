import should from 'should'
import { cellAt } from '../../virtual-device/hand-eye/use-cell'
import { differenceOf } from '../../../lib/calibration'
import { numbersIn, poseOfNumbers } from '../../../lib/robotics'
import { eventually } from '../../support/eventually'
import { useArm } from './use-arm'

// One calibration, interrupted by everything that may happen to it: each test goes on where the one before has left it.
describe('hand-eye-calibration with a robot that drives itself', function () {
  this.timeout(300_000)
  const drive = useArm({ confirm: 'each', tilt: 20, limitCheck: 1 })
  const { bench, reports, errors, say, event, error, truth } = drive

  /** Sends a command, and resolves with what it leads to. */
  const after = (topic: string, expected: string, more: object = {}) => {
    const from = reports.length
    say(topic, '', more)
    return event(expected, from)
  }
  const failure = (topic: string) => {
    const from = errors.length
    say(topic)
    return error(from)
  }
  /** A person resets it, as soon as the connection stands again. */
  const reset = () =>
    eventually(async () => {
      const [told, failed] = [reports.length, errors.length]
      say('reset')
      await eventually(() => (reports.length + errors.length).should.be.above(told + failed))
      errors.length.should.equal(failed)
    })
  /** Continues up to the first question about a movement: the pose is to be confirmed again. */
  const continued = async (question = 'confirm-motion') => {
    const { request } = await after('continue', 'confirm-pose')
    return after('confirm', question, { request })
  }

  it('moves nothing before its pose and the movement are confirmed', async () => {
    const asked = await after('start', 'confirm-pose')
    asked.details.should.match(/pendant of Robot 1: flange x .*; payload/)
    const { request, details, picture, going, seen } = await after('confirm', 'confirm-motion', {
      request: asked['request'],
    })
    should(request).be.a.String()
    details.should.match(
      /Pose 2 \(first movement.*\): \d+ mm and 0° from here, to x .*Confirm when the path is clear/,
    )
    should(picture).match(/^<svg/)
    should(going).containEql({ number: 2, purpose: 'shift', steps: 1 })
    should(seen).equal(1)
    should(await truth()).have.properties({ motions: 0, moves: false })
  })

  it('leaves out what is skipped or declined', async () => {
    should((await after('skip', 'confirm-motion'))['going']).containEql({ number: 3 })
    should((await after('decline', 'confirm-motion'))['going']).containEql({ number: 4 })
    should((await truth()).motions).equal(0)
  })

  it('is started once only', async () => {
    should(await failure('start')).containEql({ code: 'INVALID_INPUT' })
    errors.at(-1)?.message.should.match(/already moving/)
  })

  it('closes its question in a pause, and asks it again after it', async () => {
    await after('pause', 'paused')
    const from = errors.length
    say('confirm')
    should(await error(from)).match({ code: 'INVALID_INPUT', message: /no longer open/ })
    should(await after('status', 'status')).containEql({ paused: true, underWay: true })
    should((await truth()).motions).equal(0)
    const { request, going } = await after('resume', 'confirm-motion')
    should(going).containEql({ number: 4 })
    await after('confirm', 'looked', { request })
    should((await truth()).motions).equal(1)
    await event(
      'confirm-motion',
      reports.findLastIndex((each) => each.event === 'looked'),
    )
  })

  it('asks once after a pause in which the pose was skipped', async () => {
    const asked = reports.findLast((each) => each.event === 'confirm-motion')
    await after('pause', 'paused')
    await after('skip', 'skipped')
    const from = reports.length
    const next = await after('resume', 'confirm-motion')
    should(next['going']).containEql({ number: (asked?.['going'] as { number: number }).number + 1 })
    const failed = errors.length
    say('confirm', '', { request: asked?.['request'] })
    should(await error(failed)).match({ code: 'INVALID_INPUT', message: /no longer open/ })
    reports
      .slice(from)
      .filter(({ event }) => event === 'confirm-motion')
      .should.have.length(1)
    should((await truth()).motions).equal(1)
  })

  it('is interrupted by a deploy, and moves nothing until a person continues', async () => {
    const { motions } = await truth()
    await bench.deploy()
    drive.listen()
    await bench.status('interrupted')
    should(await truth()).have.properties({ motions, moves: false })
    // What was confirmed before does not count any more.
    should(await failure('confirm')).containEql({ code: 'INVALID_INPUT' })
    const { going } = await continued()
    should(going).containEql({ purpose: 'shift' })
    reports.find((report) => report.event === 'continued')?.details.should.match(/continues with 5 poses/)
  })

  it('stops on a lost connection, and continues when a person has reset it', async () => {
    const from = errors.length
    say('confirm')
    await eventually(async () => (await truth()).moves.should.be.true())
    drive.device().setScenario({ arm: { link: 'cut' } })
    should(await error(from)).containEql({ code: 'CONNECTION_LOST' })
    reports.at(-1)?.details.should.match(/connection.*The poses so far are kept: send continue/)
    drive.device().setScenario({ arm: { link: 'ok' } })
    should(await failure('continue')).containEql({ code: 'RESET_NEEDED' })
    await reset()
    // It was braked on its way, and goes back first.
    const { details } = await continued('confirm-way-back')
    details.should.match(/away from its last measuring pose, and moves back there first/)
    await after('confirm', 'confirm-motion')
  })

  it('says that the grid is hidden, and looks again when it is uncovered', async () => {
    drive.device().setScenario({ grid_visible: false })
    drive.confirms()
    const from = reports.length
    say('confirm')
    const ended = await event('driving-ended', from)
    drive.answers(() => undefined)
    ended['reason']?.should.equal('grid-lost')
    ended.details.should.match(/no longer visible at its previous position\. Uncover it/)
    reports
      .slice(from)
      .filter((report) => report['seenHere'] === false)
      .length.should.be.aboveOrEqual(3)
    drive.device().setScenario({ grid_visible: true })
    await after('continue', 'confirm-motion')
  })

  it('ends with a protective stop, and leaves out the pose that led to it', async () => {
    drive.device().setScenario({ arm: { protective_stop: 'next_motion' } })
    const going = reports.findLast((report) => report.event === 'confirm-motion')?.['going']
    should(await failure('confirm')).containEql({ code: 'PROTECTIVE_STOP' })
    should(await failure('continue')).containEql({ code: 'RESET_NEEDED' })
    // The cause is still there.
    should(await failure('reset')).containEql({ code: 'PROTECTIVE_STOP' })
    await drive.unlock()
    await reset()
    // The arm may have been stopped before it had gone a millimetre.
    const { request } = await after('continue', 'confirm-pose')
    const from = reports.length
    drive.answers((report) => {
      if (report.event === 'confirm-way-back') say('confirm')
    })
    say('confirm', '', { request })
    const next = await event('confirm-motion', from)
    drive.answers(() => undefined)
    should((next['going'] as { pose: unknown }).pose).not.deepEqual((going as { pose: unknown }).pose)
  })

  it('records again what the device has lost, calibrates and saves', async () => {
    const from = reports.length
    drive.answers(({ request, left }) => {
      if (request === undefined) return
      // Before the last look of the plan.
      const ready = left === 1 ? drive.losePoses() : Promise.resolve()
      void ready.then(() => say('confirm', '', { request }))
    })
    say('confirm')
    const saved = await event('calibrated', from)
    should(saved).containEql({ ok: true, good: true, saved: true })
    saved.details.should.match(/plan is complete after \d+ poses\. Accuracy \(95 %\).*calibration is saved/)
    reports.some((report) => report.event === 'recording-again').should.be.true()
    const bound = saved['bound'] as { millimetres: number; degrees: number }
    bound.millimetres.should.be.belowOrEqual(1)
    bound.degrees.should.be.belowOrEqual(0.1)
    const residuals = saved['residuals'] as { number: number; millimetres: number; isBad: boolean }[]
    residuals.length.should.be.aboveOrEqual(saved['seen'] as number)
    residuals.every(({ millimetres, isBad }) => millimetres < 1 && !isBad).should.be.true()
    const own = (saved['own'] as { cameraText: string }).cameraText
    const format = 'universal-robots-pendant'
    const camera = poseOfNumbers(format, numbersIn(format, own), { length: 'mm' })
    const off = differenceOf(camera, (await cellAt(() => drive.device().url).truth()).camera)
    ;(1000 * off.metres).should.be.below(2 * bound.millimetres)
    off.degrees.should.be.below(2 * bound.degrees)
    should(await failure('continue')).containEql({ code: 'INVALID_INPUT' })
  })

  it('checks months later whether the camera was knocked, without calibrating', async () => {
    const unmoved = await after('check-camera', 'camera-checked')
    should(unmoved).containEql({ ok: true })
    unmoved.details.should.match(/within 1 mm and 0\.2°\. The calibration is still good/)
    // The grid stays where it is.
    const { grid } = await cellAt(() => drive.device().url).truth()
    drive.device().setScenario({
      scene: {
        hand_eye: {
          grid_in_cell: grid,
          camera_on_hand: { position: { x: 0.0818, y: -0.03, z: 0.06 }, orientation: mounted },
        },
      },
    })
    const { ok, millimetres, details } = await after('check-camera', 'camera-checked')
    ok.should.be.false()
    should(millimetres).be.approximately(1.8, 0.4)
    details.should.match(/has moved by 1\.\d+ mm and .*calibrate again/)
  })
})

/** How the camera is mounted in the virtual cell, unless a scenario says otherwise. */
const mounted = {
  w: 0.7067567898672557,
  x: 0.03084826315182417,
  y: -0.006169652630364834,
  z: 0.7067567898672555,
}
