import should from 'should'
import type { DriveSnapshot } from '../../../nodes/hand-eye-calibration/drive/panel'
import { useAdmin } from '../../support/admin'
import { eventually } from '../../support/eventually'
import { hasRead } from '../../support/reading'
import { useDriving } from './use-driving'

/** Where the robot of the flow starts: the flange over the cell, pointing down; KUKA, mm and degrees. */
const start = { X: 500, Y: 100, Z: 700, A: 0, B: 0, C: 180 }

describe('the dialog of a robot that drives itself', function () {
  this.timeout(240_000)
  const drive = useDriving({
    drive: 'flow',
    confirm: 'first',
    format: 'kuka',
    wantedMillimetres: 2,
    wantedDegrees: 0.2,
  })
  const { say, event, reports } = drive
  const admin = useAdmin()
  const look = async (query = '', language = 'en-US') => {
    const { body } = await admin.get(`vision-devices/hand-eye/test${query}`, { 'accept-language': language })
    return (body as { drive: DriveSnapshot }).drive
  }
  const order = (order: string, request?: string) =>
    admin.post('vision-devices/hand-eye/test/order', { order, request })
  /** Resolves with what is seen as soon as the robot asks something else than before. */
  const question = (before?: string) =>
    eventually(async () => {
      const seen = await look()
      should(seen.question).be.ok()
      should(seen.question?.request).not.equal(before)
      return seen
    }, 120_000)

  it('shows nothing before the first start, which only a message can give where the flow moves the robot', async () => {
    should(await look()).eql({ seen: 0, unseen: 0, planned: [], orders: ['look'] })
    const { status, body } = await order('start')
    should(status).equal(409)
    should(body).match({ code: 'REFUSED', message: /is not possible now/ })
  })

  it('shows what the robot asks, sees and plans, in the language and the theme of the person', async () => {
    drive.moves((target) => say('arrived', target))
    say('start', start)
    const asked = await question()
    asked.question?.text.should.match(/Pose 2 \(first movement.*Confirm when the path is clear/)
    should(asked).match({ seen: 1, unseen: 0, doing: { word: 'confirmMotion' }, coverage: /recorded: 1/ })
    should(asked.planned[0]).match({ number: 2, text: /^\{X / })
    should(asked.at).match(/^\{X 500/)
    asked.said?.should.match(/Pose 1: the grid is visible/)
    should(asked.orders).eql(['confirm', 'skip', 'pause', 'stop'])
    const german = await look('?theme=dark', 'de')
    german.question?.text.should.match(/Bestätigen Sie/)
    should(german.said).match(/Gitter/)
    should(german.coverage)
      .containEql('aufgenommen: 1')
      .and.not.equal((await look('', 'de')).coverage)
    // What the flow has got is in the language of this Node-RED.
    should(reports.at(-1)?.details).equal(asked.question?.text)
  })

  it('answers a question once, and that question only', async () => {
    const { question: asked } = await look()
    await hasRead()
    should((await order('confirm', 'another')).status).equal(409)
    should((await order('confirm')).status).equal(409)
    should((await order('resume')).status).equal(409)
    should((await order('confirm', asked?.request)).body).eql({ order: 'confirm' })
    const next = await question(asked?.request)
    should(next.seen).equal(2)
    should(await order('confirm', asked?.request)).match({
      status: 409,
      body: { message: /was already answered/ },
    })
    // The second click of a double click meets the next question, which nobody has read.
    should(await order('confirm', next.question?.request)).match({
      status: 409,
      body: { message: /within 0\.7 s/ },
    })
  })

  it('pauses, and goes on', async () => {
    should((await order('pause')).status).equal(200)
    should(await look()).match({ doing: { word: 'paused' } })
    should((await look()).orders)
      .containEql('resume')
      .and.not.containEql('pause')
    should((await order('resume')).status).equal(200)
  })

  it('shows the residual of each pose as they grow, and at the end beside the result', async () => {
    let request: string | undefined
    const bars: number[] = []
    await eventually(async () => {
      const { question: asked, residuals } = await look()
      bars.push((residuals?.match(/<rect/g) ?? []).length)
      if (asked && asked.request !== request) {
        request = asked.request
        await hasRead()
        await order('confirm', request)
      }
      should(reports.at(-1)?.event).equal('calibrated')
    }, 120_000)
    const ended = await look()
    should(ended).match({ doing: { word: 'done' }, planned: [], result: { good: true, saved: true } })
    should(ended.bound).match({ wantedMillimetres: 2, wantedDegrees: 0.2 })
    should(ended.result?.residuals).match(/^<svg/)
    ended.seen.should.be.aboveOrEqual(8)
    should(ended.coverage).containEql(`recorded: ${ended.seen}`)
    should(ended.question).be.undefined()
    // There is no result before the third direction.
    should(bars[0]).equal(0)
    // It is gone when the result is there.
    const grown = bars.filter((count) => count > 0)
    grown.should.not.be.empty()
    grown.should.eql([...grown].sort((one, other) => one - other))
    should(ended.residuals).be.undefined()
  })

  it('tells what the camera sees now, beside the result', async () => {
    should((await order('look')).status).equal(200)
    await eventually(async () => {
      const { said, result } = await look()
      should(said).match(/^The camera sees the whole grid/)
      should(result).match({ saved: true })
    })
    should((await look('', 'de')).said).match(/^Die Kamera sieht das ganze Gitter/)
  })

  it('shows why it ended without one', async () => {
    const from = reports.length
    say('start', start)
    await question()
    should((await order('stop')).status).equal(200)
    await event('driving-ended', from)
    const stopped = await look('', 'de')
    should(stopped.said).match(/^Die Kalibrierung wurde angehalten/)
    should(stopped).match({ doing: { word: 'interrupted' }, seen: 1 })
    should(stopped.orders).eql(['look'])
    should(stopped.result).be.undefined()
  })
})
