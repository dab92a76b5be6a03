import 'should'
import { numbersIn, poseOfNumbers } from '../../lib/robotics'
import { useExample } from '../support/example'
import { between, cellAt } from '../virtual-device/hand-eye/use-cell'

describe('the example hand-eye-list', () => {
  const example = useExample('hand-eye-list', [8101])
  const ready = () => example().answers('list-cancel', /The calibration was cancelled/)
  /** Deviation of the last result from the true pose, as printed by the flow. */
  const off = async () => {
    const cell = cellAt(() => `http://127.0.0.1:${example().port(8101)}`)
    const printed = [...example().output().matchAll(/\{X -?[\d.]+, Y .*?\}/g)].at(-1)?.[0]
    const { metres, degrees } = between(
      poseOfNumbers('kuka', numbersIn('kuka', printed)),
      (await cell.truth()).camera,
    )
    return { millimetres: 1000 * metres, degrees }
  }

  it('calibrates a camera on the robot from twelve KUKA poses, within 1 mm and 0.1° of the truth', async () => {
    const { press, prints } = example()
    await ready()
    await press('list-run')
    await prints(/Calibrated from 12 poses, accuracy .*The calibration is saved\./, 60_000)
    await prints(/\{X 7?8?[\d.]+, Y -[\d.]+, Z [\d.]+, A [\d.]+, B -?[\d.]+, C -?[\d.]+\}/)
    const { millimetres, degrees } = await off()
    millimetres.should.be.below(1)
    degrees.should.be.below(0.1)
  })

  it('checks it at a touch-up point, and with two measurements', async () => {
    const { press, prints } = example()
    await press('list-check')
    await prints(/At this point, the calibration is off by \d[\d.]* mm, which is within 2 mm\./)
    const before = example().output().length
    await press('list-again')
    await prints(new RegExp(`^[^]{${before},}off by [\\d.]+ mm, which is within 2 mm`))
  })

  it('calibrates a fixed camera', async () => {
    const { press, prints, output } = example()
    const before = output().length
    await press('list-run-fixed')
    await prints(new RegExp(`^[^]{${before},}Calibrated from 12 poses.*saved`), 60_000)
    await prints(new RegExp(`^[^]{${before},}\\{X -?[\\d.]+, Y .*\\}`))
    const { millimetres, degrees } = await off()
    millimetres.should.be.below(1)
    degrees.should.be.below(0.1)
  })
})
