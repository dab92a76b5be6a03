import { useExample } from '../support/example'

describe('the example hand-eye-operator', () => {
  const example = useExample('hand-eye-operator', [8103])

  it('leads an operator from the first pose to the saved result', async () => {
    const { answers, press, prints } = example()
    await answers('operator-start', /Ready: record the first pose, grid in view\./)
    for (let pose = 1; pose <= 7; pose += 1) {
      await press('operator-record')
      await prints(new RegExp(`Pose ${pose} stored\\. Next: from \\d, turn -?30° about [XYZ]`))
    }
    await press('operator-undo')
    await prints(/Poses: 6\. Next: /)
    for (const pose of ['7', '8']) {
      await press('operator-record')
      await prints(new RegExp(`Poses: 6\\.[^]*Pose ${pose} stored\\.`))
    }
    await prints(/Pose 8 stored\. Enough: calibrate\./)
    await press('operator-record')
    await prints(/Pose 9 counts as pose 1: move further\./)
    await press('operator-undo')
    await press('operator-status')
    await prints(/Poses: 8\. Enough: calibrate\./)
    await press('operator-calibrate')
    await prints(/Calibrated from 8 poses.*Save it, or cancel\./)
    await press('operator-save')
    await prints(/The calibration is saved\./)
    await press('operator-save')
    await prints(/There is no result to save/)
  })
})
