import should from 'should'
import fc from 'fast-check'
import { readNumbers } from '../../lib/robotics/pose-numbers'
import {
  numbersIn,
  numbersOfPose,
  poseFormats,
  poseOfNumbers,
  type PoseFormatId,
  namedNumbers,
  poseText,
} from '../../lib/robotics'
import { holds, poseWith, rotation } from './seeded-poses'

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
  [
    'decimal commas behind names',
    'kuka',
    '{X -380,17, Y 20,5, Z 0, A 1, B ,5, C -2,25}',
    [-380.17, 20.5, 0, 1, 0.5, -2.25],
  ],
  [
    'decimal commas behind names, with three digits',
    'fanuc',
    'X 850,123 Y 0,000 Z 410,500 W -179,998 P 0,010 R 45,000',
    [850.123, 0, 410.5, -179.998, 0.01, 45],
  ],
  ['decimal commas between blanks', 'kuka', '-380,17 20,5 300 1 2,5 -3', [-380.17, 20.5, 300, 1, 2.5, -3]],
  [
    'decimal commas between commas',
    'kuka',
    '-380,17, 20,5, 300,25, 1,5, 2,5, -3,5',
    [-380.17, 20.5, 300.25, 1.5, 2.5, -3.5],
  ],
  [
    'decimal commas in an array of texts',
    'kuka',
    ['1,5', '2,125', '3', '4', '5', '6'],
    [1.5, 2.125, 3, 4, 5, 6],
  ],
  ['commas that separate whole numbers', 'kuka', '1,2,3 4,5,6', [1, 2, 3, 4, 5, 6]],
  ['names in another case', 'fanuc', 'x 1 y 2 z 3 w 4 p 5 r 6', [1, 2, 3, 4, 5, 6]],
  [
    'a pose of the device as text',
    'device',
    '{"position":{"x":1,"y":2,"z":3},"orientation":{"w":1,"x":0.1,"y":0.2,"z":0.3}}',
    [1, 2, 3, 0.1, 0.2, 0.3, 1],
  ],
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

  it('are more if there are too many, however they are written', () => {
    const tooMany: [PoseFormatId, unknown][] = [
      ['kuka', [1, 2, 3, 1, 0, 0, 0]],
      [
        'kuka',
        [
          [1, 2, 3],
          [1, 0, 0, 0],
        ],
      ],
      ['kuka', '445.1, 20.5, 300.2, 1, 0, 0, 0'],
      ['kuka', '[445.1 20.5 300.2 1 0 0 0]'],
      ['kuka', '[[445.1,20.5,300.2],[1,0,0,0]]'],
      ['universal-robots', 'p[0.1,-0.2,0.3,0,3.14159,0,1]'],
      ['kuka', '{X 1, Y 2, Z 3, Q1 1, Q2 0, Q3 0, Q4 0}'],
      ['fanuc', Array.from({ length: 12 }, (_, index) => index)],
      ['abb', [1, 2, 3, 1, 0, 0, 0, 0]],
      ['kuka', 'Frame 1: 10, 20, 30, 4, 5, 6'],
    ]
    for (const [format, given] of tooMany) {
      const { numbers } = poseFormats.find(({ id }) => id === format) ?? { numbers: [] }
      numbersIn(format, given).length.should.not.equal(numbers.length, JSON.stringify(given))
    }
    numbersIn('kuka', [1, 2, 3, 1, 0, 0, 0]).length.should.equal(7)
  })

  it('are missing where the names are those of another maker', () => {
    numbersIn('kuka', 'X 1 Y 2 Z 3 W 4 P 5 R 6').should.deepEqual([1, 2, 3])
    numbersIn('kuka', { X: 1, Y: 2, Z: 3, W: 4, P: 5, R: 6 }).should.deepEqual([1, 2, 3])
  })

  it('with a comma that can mean two things come with both readings', () => {
    const open: [unknown, string, string[]][] = [
      ['X 1,234 Y 2 Z 3 A 4 B 5 C 6', '1,234', ['1.234', '1234']],
      [['-380,170', '2', '3', '4', '5', '6'], '-380,170', ['-380.170', '-380170']],
      ['1,234 2 3 4 5 6', '1,234', ['1.234', '1234']],
      ['-380,17 200,5 300,1', '-380,17', ['-380.17', '-380; 17']],
    ]
    for (const [given, text, readings] of open) {
      const { numbers, ambiguous } = readNumbers('kuka', given)
      should(ambiguous).deepEqual({ text, readings }, JSON.stringify(given))
      numbers.some(Number.isNaN).should.be.true()
    }
  })

  it('never shift: with decimal commas, each text of a pose has the numbers of its points, or none', () => {
    for (const format of poseFormats)
      for (const separator of [' ', ', ', '; ', '\t'])
        for (const digits of [1, 2, 4]) {
          const texts = format.numbers.map((_, index) => ((index - 2) * 10.3251 + 0.5).toFixed(digits))
          const numbers = texts.map(Number)
          const withPoints = numbersIn(format, texts.join(separator))
          withPoints.should.deepEqual(numbers)
          numbersIn(format, texts.map((text) => text.replace('.', ',')).join(separator)).should.deepEqual(
            numbers,
          )
        }
  })

  it('are NaN for anything but a number', () => {
    numbersIn('kuka', [1, 2, 3, 4, 5, 'far']).should.deepEqual([1, 2, 3, 4, 5, NaN])
  })
})

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
