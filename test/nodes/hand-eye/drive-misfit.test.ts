import should from 'should'
import type { CellTruth } from '../../../virtual-device'
import { cellAt } from '../../virtual-device/hand-eye/use-cell'
import { useArm } from './use-arm'

describe('hand-eye-calibration with a robot that drives itself, and a pose that does not fit', function () {
  this.timeout(300_000)
  const drive = useArm({ confirm: 'each', tilt: 20 })
  const { reports, say, event } = drive

  it('names the pose, and asks whether the device calibrates without it', async () => {
    let knocked = false
    drive.answers(({ request, event: told, number }) => {
      // Somebody leans on the grid during one look.
      if (told === 'looked' && number === 6) knocked = true
      if (request === undefined || told === 'confirm-leave-out') return
      void shifted(knocked).then(() => say('confirm', '', { request }))
      knocked = false
    })
    say('start')
    const asked = await event('confirm-leave-out', 0, 240_000)
    asked.details.should.match(
      /^Pose 7 does not fit the others: [\d.]+ mm without it, [\d.]+ mm with it.*Confirm to leave pose 7 out/,
    )
    const from = reports.length
    say('confirm', '', { request: asked['request'] })
    const saved = await event('calibrated', from)
    should(saved).containEql({ ok: true, good: true, saved: true })
    should(saved['doubtful']).eql([7])
    should(saved['poses']).not.containEql(7)
  })

  /** Moves the grid by 20 mm, or puts it back. */
  let place: CellTruth['grid']
  async function shifted(isKnocked: boolean) {
    place ??= (await cellAt(() => drive.device().url).truth()).grid
    const { position, ...grid } = place
    drive.device().setScenario({
      scene: {
        hand_eye: {
          grid_in_cell: { ...grid, position: { ...position, x: position.x + (isKnocked ? 0.02 : 0) } },
        },
      },
    })
  }
})
