import should from 'should'
import { flagsIn, numbersIn, numbersOfPose, poseFormats, poseOfNumbers, poseText } from '../../lib/robotics'

/** A taught pose as each controller writes it, and how the flags stand behind another pose. */
const taught: Record<string, { text: string; object: object; written: string }> = {
  kuka: {
    text: '{E6POS: X 445.0, Y 0.0, Z 500.0, A 0.0, B 90.0, C 0.0, S 2, T 35, E1 0.0, E2 0.0}',
    object: { X: 445, Y: 0, Z: 500, A: 0, B: 90, C: 0, S: 2, T: 35 },
    written: '{X 100, Y 200, Z 300, A 0, B 0, C 0, S 2, T 35}',
  },
  fanuc: {
    text: "UF : 0, UT : 1, CONFIG : 'N U T, 0, 0, -1', X = 445.000 mm, Y = 0 mm, Z = 500 mm, W = 0 deg, P = 90 deg, R = 0 deg",
    object: { X: 445, Y: 0, Z: 500, W: 0, P: 90, R: 0, CONFIG: 'NUT, 0,0,-1' },
    written: "X 100, Y 200, Z 300, W 0, P 0, R 0, CONFIG 'N U T, 0, 0, -1'",
  },
  abb: {
    text: '[[445,0,500],[0.7071,0,0.7071,0],[-1,0,-2,1],[9E9,9E9,9E9,9E9,9E9,9E9]]',
    object: { robconf: [-1, 0, -2, 1] },
    written: '[[100,200,300],[1,0,0,0],[-1,0,-2,1],[9E9,9E9,9E9,9E9,9E9,9E9]]',
  },
  mitsubishi: {
    text: '(445.000,0.000,500.000,180.000,0.000,180.000)(7,0)',
    object: { FL1: 7, FL2: 0 },
    written: '(100,200,300,0,0,0)(7,0)',
  },
}

describe('flags of the arm', () => {
  for (const [id, { text, object, written }] of Object.entries(taught))
    it(`of ${id} pass from the taught pose to another, from text and from an object`, () => {
      const format = poseFormats.find((each) => each.id === id) ?? poseFormats[0]
      const plain = poseText(format, numbersOfPose(format, poseOfNumbers('kuka', [100, 200, 300, 0, 0, 0])))
      for (const given of [text, object]) {
        const passed = flagsIn(format, given)?.into(plain) ?? ''
        passed.replace(/N ?U ?T/, 'N U T').should.equal(written)
        // The flags disturb nobody who reads the pose.
        numbersIn(format, passed).should.deepEqual(numbersIn(format, plain))
      }
    })

  it('of ABB pass with external axes, and from nested arrays', () => {
    const robtarget = [
      [445, 0, 500],
      [1, 0, 0, 0],
      [0, 0, 0, 0],
      [100.5, 9e9, 9e9, 9e9, 9e9, 9e9],
    ]
    should(flagsIn({ id: 'abb' }, robtarget)?.into('[[1,2,3],[1,0,0,0]]')).equal(
      '[[1,2,3],[1,0,0,0],[0,0,0,0],[100.5,9E9,9E9,9E9,9E9,9E9]]',
    )
  })

  it('are none where the pose has none, is odd, or its format knows none', () => {
    for (const { id } of poseFormats) {
      for (const given of [undefined, null, '', 'none', 5, [], {}, [1, 2, 3, 4, 5, 6], { S: 'x', T: {} }])
        should(flagsIn({ id }, given)).be.undefined()
    }
    should(flagsIn({ id: 'kuka' }, '{X 1, Y 2, Z 3, A 0, B 0, C 0}')).be.undefined()
    should(flagsIn({ id: 'universal-robots' }, 'p[0,0,0,0,0,0], S 2, T 35')).be.undefined()
  })
})
