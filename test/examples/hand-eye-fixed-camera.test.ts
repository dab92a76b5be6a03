import should from 'should'
import { numbersIn, poseOfNumbers } from '../../lib/robotics'
import { useExample } from '../support/example'
import { between, cellAt } from '../virtual-device/hand-eye/use-cell'
import { confirmed, patience } from './driven'

describe('the example hand-eye-fixed-camera', function () {
  this.timeout(2 * patience)
  const example = useExample('hand-eye-fixed-camera', [8192, 8193])

  it('calibrates a camera beside the robot from one pose, within 1 mm and 0.1° of the truth', async () => {
    const printed = await confirmed(example(), {
      ...{ begin: 'fixedcam-start', confirm: 'fixedcam-confirm' },
      until: /calibration is saved[^]*pose of the camera\] /,
    })
    const cell = cellAt(() => `http://127.0.0.1:${example().port(8192)}`)
    const { robot_mounted, camera } = await cell.truth()
    should(robot_mounted).be.false()
    const text = /pose of the camera\]\s*(?:: msg\S+ : string\[\d+\]\s*)?'?([^\n]*)/.exec(printed)?.[1]
    const off = between(poseOfNumbers('fanuc', numbersIn('fanuc', text)), camera)
    should(off.metres).be.below(0.001)
    should(off.degrees).be.below(0.1)
  })
})
