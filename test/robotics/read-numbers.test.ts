import 'should'
import { numbersIn, numbersOfPose, poseFormats, poseOfNumbers, type PoseFormatId } from '../../lib/robotics'

const cases: [string, PoseFormatId, unknown, number[]][] = [
  [
    'a KUKA frame',
    'kuka',
    '{FRAME: X 100.5, Y -20, Z 5E2, A 10, B -20.25, C .5}',
    [100.5, -20, 500, 10, -20.25, 0.5],
  ],
  [
    'a KUKA position with status, turn and external axis',
    'kuka',
    '{E6POS: X 1.0, Y 2.0, Z 3.0, A 4.0, B 5.0, C 6.0, S 2, T 35, E1 7.0}',
    [1, 2, 3, 4, 5, 6],
  ],
  [
    'a FANUC display',
    'fanuc',
    'X:  850.123 mm  W: -179.998 deg\nY:    0.000 mm  P:    0.010 deg\nZ:  410.000 mm  R:   45.000 deg',
    [850.123, 0, 410, -179.998, 0.01, 45],
  ],
  [
    'an ABB target',
    'abb',
    '[[600,0,700.5],[0,0,1,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]',
    [600, 0, 700.5, 0, 0, 1, 0],
  ],
  [
    'a script of Universal Robots',
    'universal-robots',
    'p[0.1,-0.2,0.3,0,3.14159,0]',
    [0.1, -0.2, 0.3, 0, 3.14159, 0],
  ],
  [
    'a Kawasaki heading',
    'kawasaki',
    'X[mm] 10.0 Y[mm] 20.0 Z[mm] 30.0 O[deg] 1 A[deg] 2 T[deg] 3',
    [10, 20, 30, 1, 2, 3],
  ],
  [
    'a Mitsubishi position',
    'mitsubishi',
    '(+100.00,+0.00,-5.50,180.00,0.00,-90.00)(7,0)',
    [100, 0, -5.5, 180, 0, -90],
  ],
  ['decimal commas between semicolons', 'kuka', '1,5; 2; -3,25; 4; 5; 6', [1.5, 2, -3.25, 4, 5, 6]],
  ['an array', 'kuka', [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]],
  ['an array of texts', 'kuka', ['1', '2.5', '3', '4', '5', '6'], [1, 2.5, 3, 4, 5, 6]],
  [
    'nested arrays',
    'abb',
    [
      [1, 2, 3],
      [1, 0, 0, 0],
      [0, 0],
    ],
    [1, 2, 3, 1, 0, 0, 0],
  ],
  ['an object in another case', 'kuka', { x: 1, y: 2, z: 3, a: 4, b: 5, c: 6, s: 7 }, [1, 2, 3, 4, 5, 6]],
  [
    'a pose as the device gives it',
    'device',
    { position: { x: 1, y: 2, z: 3 }, orientation: { w: 1, x: 0.1, y: 0.2, z: 0.3 } },
    [1, 2, 3, 0.1, 0.2, 0.3, 1],
  ],
]

describe('numbers of a pose', () => {
  for (const [what, format, given, expected] of cases)
    it(`are found in ${what}`, () => numbersIn(format, given).should.deepEqual(expected))

  for (const format of poseFormats)
    it(`are found in the names and numbers of ${format.id}, as text and as an object`, () => {
      const pose = poseOfNumbers('kuka', [400, -200, 300, 30, 20, 10])
      const numbers = numbersOfPose(format, pose)
      const named = Object.fromEntries(format.numbers.map(({ name }, index) => [name, numbers[index]]))
      numbersIn(format, named).should.deepEqual(numbers)
      numbersIn(format, JSON.stringify(named)).should.deepEqual(numbers)
      numbersIn(format, numbers.join(' ')).should.deepEqual(numbers)
    })

  it('are fewer if some are missing', () => {
    numbersIn('kuka', '{X 1, Y 2}').length.should.equal(2)
    numbersIn('kuka', { X: 1, Y: 2, Z: 3 }).length.should.equal(3)
    numbersIn('kuka', 'nothing').should.deepEqual([])
    numbersIn('kuka', undefined).should.deepEqual([])
  })

  it('are NaN for anything but a number', () => {
    numbersIn('kuka', [1, 2, 3, 4, 5, 'far']).should.deepEqual([1, 2, 3, 4, 5, NaN])
  })
})
