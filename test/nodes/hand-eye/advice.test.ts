import should from 'should'
import de from '../../../nodes/hand-eye-calibration/locales/de/reports.json'
import en from '../../../nodes/hand-eye-calibration/locales/en-US/reports.json'
import { between, overBin } from '../../virtual-device/hand-eye/use-cell'
import type { AdvisedPose } from '../../../nodes/hand-eye-calibration/coverage'
import { kuka, useCalibration, type CalibrationMessage } from './use-calibration'

const nextOf = ({ payload }: CalibrationMessage) => payload['next'] as AdvisedPose | undefined

for (const mounting of ['robot', 'fixed'])
  describe(`the node's advice, followed with the camera ${mounting === 'robot' ? 'on the robot' : 'fixed'}`, () => {
    const { say, cell, bench } = useCalibration({ mounting })

    it('leads from the first pose to a result within the limits, and says when it is enough', async () => {
      await say('start')
      let pose = kuka(overBin([12, -9, 40]))
      for (let recorded = 1; ; recorded += 1) {
        const told = await say('pose', pose)
        told.payload.should.containEql({ event: 'pose-stored', ok: true })
        told.payload.text.length.should.be.belowOrEqual(60)
        const next = nextOf(told)
        should(told.payload['enough']).equal(next === undefined)
        if (!next) {
          recorded.should.equal(8)
          told.payload.text.should.equal('Pose 8 stored. Enough: calibrate.')
          break
        }
        // The same number for the angle, wherever it is given.
        Math.abs(next.degrees).should.equal(30)
        told.payload.details.match(/[\d.]+(?=°)/g)?.forEach((angle) => angle.should.match(/^(30|\d+\.\d)$/))
        told.payload.advice.at(-1)?.should.containEql(next.poseText)
        pose = next.poseText
      }
      const { payload } = await say('calibrate')
      payload.should.containEql({ event: 'calibrated', good: true, saved: true })
      payload.text.should.match(/^Good and saved: accuracy [\d.]+ mm\.$/)
      const { metres, degrees } = between((await cell.saved()).pose, (await cell.truth()).camera)
      metres.should.be.below(0.001)
      degrees.should.be.below(0.2)
    })

    it('halves the step if the grid was not seen, and suggests checking a setting if that continues', async () => {
      await say('start')
      const first = nextOf(await say('pose', kuka(overBin())))
      bench.device.setScenario({ grid_visible: false })
      const rejected = await say('pose', first?.poseText)
      rejected.payload.should.containEql({ event: 'pose-rejected', ok: false, number: 2, unseen: true })
      rejected.payload.text.should.match(/^Grid not detected\. Next: from 1, turn -?15° about [XYZ]$/)
      const again = await say('pose', nextOf(rejected)?.poseText)
      again.payload.text.should.match(/^Grid not detected\. Next: from 1, turn -?7\.5° about [XYZ]$/)
      again.payload.details.should.containEql('Check the distance to the grid')
      bench.device.setScenario({ grid_visible: true })
      const stored = await say('pose', nextOf(again)?.poseText)
      stored.payload.should.containEql({ event: 'pose-stored', number: 2 })
      Math.abs(nextOf(stored)?.degrees ?? 0).should.equal(30)
    })

    it('says at once that a pose counts as one already taken', async () => {
      await say('start')
      await say('pose', kuka(overBin()))
      const { payload } = await say('pose', kuka(overBin([1, 0, 0])))
      payload.should.containEql({ event: 'pose-stored', number: 2, sameAs: 1 })
      payload.text.should.equal('Pose 2 counts as pose 1: move further.')
      payload.details.should.containEql('Pose 2 is nearly the same as pose 1; both count as one.')
      // Recording the same pose again under its number adds nothing.
      const replaced = await say('pose', kuka(overBin([1, 0, 0])), { poseNumber: 1 })
      replaced.payload.should.containEql({ sameAs: 2 })
    })
  })

describe('the advice for a four-axis robot', () => {
  const { say, cell, setCell } = useCalibration({ axes: 'four', axis: 'z', offset: 60 })

  it('turns about its axis, moves across it, and leads to a result', async () => {
    const camera_on_hand = { position: { x: 0.05, y: 0, z: 0.06 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
    setCell({ camera_on_hand })
    await say('start')
    let next: AdvisedPose | undefined
    let pose = kuka(overBin())
    do {
      const told = await say('pose', pose)
      told.payload.should.containEql({ event: 'pose-stored', ok: true })
      told.payload.text.length.should.be.belowOrEqual(60)
      next = nextOf(told)
      should(next ? next.axis : 'Z').equal('Z')
      pose = next?.poseText ?? ''
    } while (next)
    const { payload } = await say('calibrate')
    payload.should.containEql({ event: 'calibrated', good: true })
    const { metres } = between((await cell.saved()).pose, camera_on_hand)
    metres.should.be.below(0.0015)
  })
})

describe('the advice with the grid at a stated distance', () => {
  const { say } = useCalibration({ gridDistance: 500 })

  it('rotates about a point at that distance', async () => {
    await say('start')
    const next = nextOf(await say('pose', '{X 600, Y 0, Z 600, A 0, B 0, C 180}'))
    // 500 mm below the flange: rotated by 30° about X, the flange is 250 mm beside it.
    should(next).containEql({ from: 1, axis: 'X', degrees: 30 })
    next?.poseText.should.equal('{X 600, Y -250, Z 533.013, A 0, B 0, C -150}')
  })
})

describe('the lines for a panel', () => {
  const longest: Record<string, string> = {
    ...{ number: '16', same: '16', poses: '16', from: '16', axis: 'X', along: 'Y' },
    ...{ degrees: '-7.5', millimetres: '-60.5', error: '0.012' },
  }
  for (const [language, texts] of Object.entries({ en, de })) {
    const filled = (text: string, next: string) =>
      text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => (name === 'next' ? next : (longest[name] ?? '')))
    const steps = [texts['line-next'], texts['line-next-shifted']].map((text) => filled(text, ''))
    for (const [key, text] of Object.entries(texts).filter(([key]) => /^line-|-move$|list-ended/.test(key)))
      it(`have at most sixty characters: ${key} in ${language}`, () => {
        for (const step of steps) filled(text, step).length.should.be.belowOrEqual(60)
      })
  }
})
