import should from 'should'
import { useAdmin } from '../support/admin'
import { kuka, useCalibration } from '../nodes/hand-eye/use-calibration'
import { overBin } from '../virtual-device/hand-eye/use-cell'

describe('the route of a hand-eye calibration under way', () => {
  const { say, bench } = useCalibration()
  const admin = useAdmin()
  const look = async (query = '', headers?: Record<string, string>) =>
    (await admin.get(`vision-devices/hand-eye/test${query}`, headers)).body as {
      poses: number
      ready: boolean
      coverage: string
      result?: { good: boolean; errors: { millimetres: number } }
    }

  it('has recorded, rejected and missing poses, and asks the device nothing', async () => {
    should(await look()).match({ poses: 0, ready: false, coverage: /No pose recorded yet/ })
    await say('start')
    await say('pose', kuka(overBin()))
    const before = bench.device.calls().length
    const { coverage, poses } = await look()
    should(poses).equal(1)
    coverage.should.containEql('recorded: 1').and.containEql('missing: 7')
    bench.device.setScenario({ grid_visible: false })
    await say('pose', kuka(overBin([25, 0, 0])))
    bench.device.setScenario({ grid_visible: true })
    ;(await look()).coverage.should.containEql('grid not recognised: 1')
    const german = (await look('', { 'accept-language': 'de' })).coverage
    german.should.containEql('aufgenommen: 1')
    ;(await look('?theme=dark')).coverage.should.not.equal((await look()).coverage)
    const own = bench.device.calls().slice(before)
    own
      .filter(({ operation }) => operation === 'callService')
      .map(({ input }) => (input as { service: string }).service)
      .filter((service) => service !== 'set_pose' && service !== 'get_poses')
      .should.eql([])
  })

  it('has the result beside its limits', async () => {
    await say('start')
    let pose: string | undefined = kuka(overBin([12, -9, 40]))
    while (pose) {
      const { payload } = await say('pose', pose)
      pose = (payload['next'] as { poseText: string } | undefined)?.poseText
    }
    const done = await look()
    should(done).match({ poses: 8, ready: true, coverage: /missing: 0/ })
    await say('calibrate')
    const after = await look()
    // Good results are saved, and then nothing is under way any more.
    if (after.result) should(after.result.good).be.true()
    else after.poses.should.equal(0)
  })

  it('says that a node is not deployed', async () => {
    const { status, body } = await admin.get('vision-devices/hand-eye/other')
    should(status).equal(404)
    should(body).match({ code: 'NOT_FOUND' })
  })
})
