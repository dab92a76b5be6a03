import { useExample } from '../support/example'

describe('the example hand-eye-operator', function () {
  this.timeout(60_000)
  const example = useExample('hand-eye-operator', [8103])

  it('leads an operator from the first pose to the saved result', async () => {
    const { answers, press, prints } = example()
    await answers('operator-start', /Ready for the first pose: grid 260 × 180 mm on the robot, camera fixed/)
    for (let pose = 1; pose <= 9; pose += 1) {
      await press('operator-record')
      await prints(new RegExp(`Pose ${pose} is stored`))
    }
    await prints(/Next: from pose \d, turn the flange by -?20° about its [XYZ] axis/)
    await press('operator-undo')
    await prints(/Pose 9 is deleted \(8 left\)/)
    await press('operator-status')
    await prints(/Recorded poses: 8\./)
    await press('operator-calibrate')
    await prints(/Calibrated from 8 poses.*Send save to keep it, or cancel\./)
    await press('operator-save')
    await prints(/The calibration is saved\./)
    await press('operator-save')
    await prints(/There is no result that could be saved/)
  })
})
