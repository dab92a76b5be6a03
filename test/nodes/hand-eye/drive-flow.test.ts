import should from 'should'
import { useDriving } from './use-driving'

/** Where the robot of the flow starts: the flange over the cell, pointing down; KUKA, mm and degrees. */
const start = { X: 500, Y: 100, Z: 700, A: 0, B: 0, C: 180 }

describe('hand-eye-calibration with a robot that the flow moves', function () {
  this.timeout(240_000)
  const drive = useDriving({ drive: 'flow', confirm: 'first', format: 'kuka', arriveWithin: 1 })
  const { bench, reports, targets, say, event } = drive
  /** The robot goes where it is sent, and says so. */
  const obedient = () => drive.moves((target) => say('arrived', target))

  it('needs to know where the robot is', async () => {
    say('start')
    should(await drive.error()).containEql({ code: 'INVALID_INPUT' })
  })

  for (const [what, pose] of [
    ['metres for millimetres', { X: 0.5, Y: 0.1, Z: 0.7, A: 0, B: 0, C: 180 }],
    ['radians for degrees', { X: 500, Y: 100, Z: 700, A: 0, B: 0, C: 3.14159 }],
    ['a quaternion for angles', [500, 100, 700, 0, 1, 0, 0]],
    ['a comma with two meanings', 'X 1,500 Y 100 Z 700 A 0 B 0 C 180'],
  ] as const)
    it(`sends nothing where the robot stands in ${what}`, async () => {
      const from = drive.errors.length
      say('start', pose)
      should(await drive.error(from)).containEql({ code: 'INVALID_INPUT' })
      targets.length.should.equal(0)
    })

  it('ends when the robot does not arrive, and continues when it does', async () => {
    drive.confirms()
    const from = drive.errors.length
    say('start', start)
    should(await drive.error(from)).containEql({ code: 'TIMEOUT' })
    drive.errors.at(-1)?.message.should.match(/did not answer arrived within 1 s/)
    targets.length.should.equal(1)
    should(targets[0]?.move).containEql({ number: 2 })
    obedient()
    // The robot was moved meanwhile: it goes back, but its first target is near.
    say('continue', { ...start, X: 740 })
    await event('calibrated')
    const [first, second] = targets.slice(1).map(({ payload }) => (payload as typeof start).X)
    should(first).be.approximately(660, 1e-6)
    should(second).be.approximately(580, 1e-6)
    should(reports.at(-1)).containEql({ ok: true, saved: true })
  })

  it('asks for the first movements one by one, and for the plan once', () => {
    const asked = reports.filter((report) => report.event === 'confirm-motion')
    const purposes = asked.map((report) => (report['going'] as { purpose: string }).purpose)
    purposes.filter((purpose) => purpose === 'view').length.should.equal(1)
    purposes.filter((purpose) => purpose === 'shift').length.should.be.aboveOrEqual(3)
    const plan = asked.find((report) => (report['going'] as { purpose: string }).purpose === 'view')
    plan?.details.should.match(/moves to all poses of the plan without asking again/)
    should(plan?.['planned']).be.Array()
    should(plan?.['left']).equal((plan?.['planned'] as unknown[]).length)
    const views = reports.filter((report) => report.event === 'planned')
    views.length.should.be.aboveOrEqual(2)
    should(views.at(-1)?.['bound']).have.properties({ wantedMillimetres: 1, wantedDegrees: 0.1 })
  })

  it('compares the result with the calibration saved before', async () => {
    should(reports.at(-1)).not.have.property('comparison')
    bench.device.setScenario({
      scene: {
        hand_eye: { camera_on_hand: { position: { x: 0.085, y: -0.03, z: 0.06 }, orientation: mounted } },
      },
    })
    const from = reports.length
    say('start', start)
    const { comparison, details } = await event('calibrated', from)
    should((comparison as { millimetres: number }).millimetres).be.approximately(5, 1)
    details.should.match(/Difference to the previously saved calibration: [45](\.\d+)? mm/)
  })

  it('names the command that begins a declined check again: there is nothing to continue', async () => {
    const [from, failed] = [reports.length, drive.errors.length]
    drive.answers(({ request }) => {
      if (request !== undefined) say('decline', '', { request })
    })
    say('check-camera', start)
    const { details, text } = await event('driving-ended', from)
    details.should.match(/Send check-camera to start again/).and.not.match(/continue/)
    text.should.match(/check-camera/)
    say('continue', start)
    should(await drive.error(failed)).containEql({ code: 'INVALID_INPUT' })
    drive.confirms()
  })

  it('tells a mounting that is set wrong', async () => {
    await bench.deploy({ mounting: 'fixed' })
    drive.listen()
    say('start', start)
    const { reason, details } = await event('driving-ended')
    should(reason).equal('mounting')
    details.should.match(/The camera is on the robot, but it is set as fixed/)
  })
})

const mounted = {
  w: 0.7067567898672557,
  x: 0.03084826315182417,
  y: -0.006169652630364834,
  z: 0.7067567898672555,
}
