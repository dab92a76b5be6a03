import should from 'should'
import { numbersIn, poseOfNumbers } from '../../lib/robotics'
import { useExample } from '../support/example'
import { between, cellAt } from '../virtual-device/hand-eye/use-cell'
import { confirmed, patience } from './driven'

describe('the example hand-eye-any-robot', function () {
  this.timeout(2 * patience)
  const example = useExample('hand-eye-any-robot', [8190, 8191])

  it('calibrates from one pose with a robot that the flow moves, and is within 1 mm and 0.1° of the truth', async () => {
    const printed = await confirmed(example(), {
      ...{ begin: 'anyrobot-start', confirm: 'anyrobot-confirm' },
      until: /calibration is saved[^]*pose of the camera\] /,
    })
    printed.should.match(/plan is complete after \d+ poses\. Accuracy \(95 %\)/)
    // Each pose but the first was sent to the robot.
    const sent = printed.match(/where the robot goes\] .*X /g)?.length ?? 0
    const poses = Number(/plan is complete after (\d+)/.exec(printed)?.[1])
    should(sent).be.aboveOrEqual(poses - 1)
    const camera = /pose of the camera\] .*?(\{X .*?\})/.exec(printed)?.[1]
    const cell = cellAt(() => `http://127.0.0.1:${example().port(8190)}`)
    const off = between(poseOfNumbers('kuka', numbersIn('kuka', camera)), (await cell.truth()).camera)
    should(off.metres).be.below(0.001)
    should(off.degrees).be.below(0.1)
  })
})
