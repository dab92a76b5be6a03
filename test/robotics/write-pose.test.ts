import fc from 'fast-check'
import 'should'
import {
  namedNumbers,
  numbersIn,
  numbersOfPose,
  poseFormats,
  poseOfNumbers,
  poseText,
} from '../../lib/robotics'
import { holds, poseWith, rotation } from './arbitrary-pose'

describe('poses in controller notation', () => {
  for (const format of poseFormats)
    it(`are read back from the text of ${format.id}`, () =>
      holds(
        fc.property(poseWith(rotation), (pose) => {
          const numbers = numbersOfPose(format, pose)
          const text = poseText(format, numbers)
          text.should.not.match(/\de|NaN|-0[,\]})]/)
          numbersIn(format, text).forEach((number, index) =>
            number.should.be.approximately(numbers[index] ?? NaN, 6e-4),
          )
        }),
        100,
      ))

  for (const format of poseFormats)
    it(`are read back from the object of ${format.id}`, () => {
      const numbers = numbersOfPose(format, poseOfNumbers('kuka', [400, -200, 300, 30, 20, 10]))
      numbersIn(format, namedNumbers(format, numbers)).should.deepEqual(numbers)
    })

  it('look as on the controller', () => {
    const pose = poseOfNumbers('kuka', [400, -200.5, 300, 90, 0, 0])
    const text = (id: Parameters<typeof poseText>[0]) => poseText(id, numbersOfPose(id, pose))
    text('kuka').should.equal('{X 400, Y -200.5, Z 300, A 90, B 0, C 0}')
    text('abb').should.equal('[[400,-200.5,300],[0.70710678,0,0,0.70710678]]')
    text('universal-robots').should.equal('p[0.4,-0.2005,0.3,0,0,1.570796]')
    text('fanuc').should.equal('X 400, Y -200.5, Z 300, W 0, P 0, R 90')
    text('device').should.equal(
      '{"position":{"x":0.4,"y":-0.2005,"z":0.3},"orientation":{"x":0,"y":0,"z":0.70710678,"w":0.70710678}}',
    )
  })

  it('show micrometres in both units', () => {
    poseText('fruitcore', [0.4000004, 0, 0, 1, 0, 0, 0]).should.equal('0.4, 0, 0, 1, 0, 0, 0')
    poseText('fruitcore', [400.0004, 0, 0, 1, 0, 0, 0], { length: 'mm' }).should.equal(
      '400, 0, 0, 1, 0, 0, 0',
    )
  })
})
