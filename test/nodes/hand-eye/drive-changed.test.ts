import should from 'should'
import { eventually } from '../../support/eventually'
import { hasRead } from '../../support/reading'
import { useArm } from './use-arm'

describe('a plan of hand-eye-calibration that changes after a person has confirmed it', function () {
  this.timeout(300_000)
  const drive = useArm({ confirm: 'first', tilt: 20 })
  const { reports, say, event, truth } = drive

  it('is shown again with what has changed, and nothing moves before the answer', async () => {
    let isHidden = false
    drive.answers(({ request, details, changes, seenHere }) => {
      if (seenHere === false) drive.device().setScenario({ grid_visible: true })
      if (request === undefined || changes !== undefined) return
      // Somebody stands in front of the grid for the first pose of the plan.
      if (!isHidden && /moves to all poses of the plan without asking again/.test(details)) {
        isHidden = true
        drive.device().setScenario({ grid_visible: false })
      }
      say('confirm', '', { request })
    })
    say('start')
    const asked = await eventually(() => {
      const found = reports.find(({ changes }) => changes !== undefined)
      if (!found) throw new Error(`no changed plan among ${reports.map((each) => each.event).join()}`)
      return found
    }, 200_000)
    isHidden.should.be.true()
    const changes = asked['changes'] as { number: number; millimetres: number; degrees: number }[]
    changes.length.should.be.aboveOrEqual(1)
    for (const { millimetres, degrees } of changes) should(millimetres > 10 || degrees > 2).be.true()
    asked.details.should.match(/plan/)
    const { motions } = await truth()
    await hasRead()
    should(await truth()).containEql({ motions, moves: false })
    drive.confirms()
    say('confirm', '', { request: asked['request'] })
    should(await event('calibrated')).containEql({ ok: true })
  })
})
