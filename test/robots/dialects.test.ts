import should from 'should'
import { lineEnds, dialectIds, dialects, type DialectId } from '../../lib/robots'
import { numbersOfPose, poseOfNumbers, poseFormat, type Pose } from '../../lib/robotics'
import { difference } from '../robotics/seeded-poses'
import { seededRandom } from '../../virtual-device/values'
import { numbersOf } from './options'
import { abbReads, asciiReads, fanucReads, kukaReads, urReads, type RobotRead } from './controllers'

/** Takes an answer apart as the controller does, with nothing of ours. */
const controllers: Record<DialectId, (text: string) => RobotRead> = {
  'universal-robots': urReads,
  kuka: kukaReads,
  abb: abbReads,
  fanuc: fanucReads,
  ascii: asciiReads,
}

const write = (id: DialectId, pose: Pose | undefined, { code = 0, count = 1, score = 0 } = {}) => {
  const numbers = numbersOf(id)
  return dialects[id].write(
    { code, count, score, ...(pose && { numbers: numbersOfPose(numbers.format, pose) }) },
    numbers,
    lineEnds[dialects[id].end],
  )
}

function randomPose(random: () => number): Pose {
  const any = (size: number) => size * (2 * random() - 1)
  const parts = [any(1), any(1), any(1), any(1)]
  const length = Math.hypot(...parts)
  const [w = 1, x = 0, y = 0, z = 0] = parts.map((part) => part / length)
  // As far as any robot reaches, on a track too.
  return { position: { x: any(9.9), y: any(9.9), z: any(3) }, orientation: { w, x, y, z } }
}

describe('answers to robots', () => {
  for (const id of dialectIds)
    it(`are read by ${id} as they are meant, whatever the pose is`, () => {
      const random = seededRandom(5)
      const format = poseFormat(dialects[id].format)
      for (let turn = 0; turn < 1000; turn++) {
        const pose = randomPose(random)
        const [code, count, score] = turn % 2 ? [-999, 99, 0.87] : [0, turn % 40, random()]
        const text = write(id, pose, { code, count, score })
        text.length.should.be.belowOrEqual(dialects[id].longest, text)
        text.should.not.match(/[eE][-+]|NaN|Infinity/)
        const read = controllers[id](text)
        read.code.should.equal(code)
        read.count.should.equal(count)
        read.score.should.be.approximately(score, 0.0051)
        // What a robot of that make does with the numbers: a quarter of a millimetre and a hundredth of a degree.
        difference(poseOfNumbers(format, read.numbers), pose).should.be.below(2.5e-4, text)
      }
    })

  it('tell FANUC a score that is larger than its columns as the largest', () => {
    for (const [score, told] of [
      [9.9999, 9.999],
      [10, 9.999],
      [100, 9.999],
      [-50, -9.999],
    ] as const)
      fanucReads(write('fanuc', randomPose(seededRandom(5)), { score })).score.should.equal(told)
  })

  for (const id of dialectIds)
    it(`have as many numbers for ${id} where there is no pose`, () => {
      const read = controllers[id](write(id, undefined, { code: 208, count: 0 }))
      should(read.code).equal(208)
      should(read.count).equal(0)
      read.numbers.length.should.equal(poseFormat(dialects[id].format).numbers.length)
      read.numbers.slice(0, 3).should.eql([0, 0, 0])
    })

  it('look as the guide says', () => {
    const pose = poseOfNumbers('kuka', [445, -200.5, 300, 180, 0, 180])
    const one = { count: 3, score: 0.874 }
    write('universal-robots', pose, one).should.equal('(0,3,0.87,0.445,-0.2005,0.3,0,3.141593,0)\n')
    write('kuka', pose, one).should.equal(
      '<Vision><Code>0</Code><Count>3</Count><Score>0.87</Score><Pose X="445" Y="-200.5" Z="300" A="180" B="0" C="180"/></Vision>',
    )
    write('abb', pose, one).should.equal('0;3;0.87;[[445,-200.5,300],[0,0,1,0]]\n')
    write('fanuc', pose, one).should.equal(
      '+0000:003:+0.874:+000445.000000:-000200.500000:+000300.000000:+000180.000000:+000000.000000:+000180.000000\n',
    )
    write('ascii', pose, one).should.equal('0,3,0.87,445,-200.5,300,180,0,180\n')
  })

  it('refuse a number that its columns do not hold', () =>
    should.throws(() => write('fanuc', poseOfNumbers('kuka', [2e6, 0, 0, 0, 0, 0])), RangeError))
})
