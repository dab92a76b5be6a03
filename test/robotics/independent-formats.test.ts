import should from 'should'
import {
  customFormat,
  numbersOfPose,
  poseFormat,
  poseFormatIds,
  poseOfNumbers,
  type Pose,
  type PoseFormatId,
} from '../../lib/robotics'
import { seededRandom } from '../../virtual-device/values'
import {
  farthest,
  ofAxisTimesAngle,
  ofColumns,
  ofPose,
  ofQuaternion,
  ofTurns,
  type Matrix,
} from './explicit-matrices'

const count = 1000
const tolerance = 1e-9

type Judge = (rotation: readonly number[], all: readonly number[]) => Matrix

/** What the facts about each maker say, as matrices; a format without a judge does not compile. */
const judges: Record<PoseFormatId, Judge> = {
  device: (numbers) => ofQuaternion('xyzw', numbers),
  abb: (numbers) => ofQuaternion('wxyz', numbers),
  fruitcore: (numbers) => ofQuaternion('wxyz', numbers),
  kuka: (abc) => ofTurns('zyx', abc),
  fanuc: (wpr) => ofTurns('zyx', reversed(wpr)),
  yaskawa: (xyz) => ofTurns('zyx', reversed(xyz)),
  mitsubishi: (abc) => ofTurns('zyx', reversed(abc)),
  techman: (xyz) => ofTurns('zyx', reversed(xyz)),
  'franka-angles': (xyz) => ofTurns('zyx', reversed(xyz)),
  staubli: (xyz) => ofTurns('xyz', xyz),
  kawasaki: (oat) => ofTurns('zyz', oat),
  doosan: (abc) => ofTurns('zyz', abc),
  'universal-robots': (vector) => ofAxisTimesAngle(vector),
  'universal-robots-pendant': (vector) => ofAxisTimesAngle(vector),
  'franka-matrix': (_rotation, all) => ofColumns(all),
}

const orders = ['xyz', 'xzy', 'yxz', 'yzx', 'zxy', 'zyx', 'xyx', 'xzx', 'yxy', 'yzy', 'zxz', 'zyz']
/** Every description that there is, apart from the unit of positions. */
const described: Record<string, Judge> = Object.fromEntries<Judge>([
  ...orders.flatMap((order): [string, Judge][] => [
    [order, (abc) => ofTurns(order, abc)],
    [`${order} moving rad`, (abc) => ofTurns(order, abc, 1)],
    [`${order} fixed`, (abc) => ofTurns(reversed(Array.from(order)).join(''), reversed(abc))],
    [`${order} fixed rad m`, (abc) => ofTurns(reversed(Array.from(order)).join(''), reversed(abc), 1)],
  ]),
  ['wxyz', (numbers) => ofQuaternion('wxyz', numbers)],
  ['xyzw m', (numbers) => ofQuaternion('xyzw', numbers)],
  ['vector', (vector) => ofAxisTimesAngle(vector)],
  ['vector deg m', (vector) => ofAxisTimesAngle(vector, Math.PI / 180)],
])

describe('robot pose formats against matrices written out', () => {
  for (const [id, judge] of Object.entries(judges)) agrees(id, judge)
  for (const [words, judge] of Object.entries(described)) agrees(`custom:${words}`, judge)

  it('have a judge for every format', () =>
    Object.keys(judges)
      .sort()
      .should.deepEqual([...poseFormatIds].sort()))

  it('are described in any case, with any spaces', () => {
    poseFormat('custom:  ZYX   Moving DEG MM ').should.deepEqual(customFormat('zyx moving deg mm'))
    numbersOfPose(poseFormat('custom:zyx'), poseOfNumbers('kuka', [1, 2, 3, 30, 20, 10]))
      .map((value) => Number(value.toFixed(9)))
      .should.deepEqual([1, 2, 3, 30, 20, 10])
  })

  for (const words of [
    '',
    ' ',
    'xxy',
    'xyy',
    'zyx deg moving',
    'wxyz deg',
    'xyzw fixed',
    'zyx mm m',
    'other',
  ])
    it(`know no format described by "${words}"`, () => {
      should(customFormat(words)).be.undefined()
      should.throws(() => poseFormat(`custom:${words}`), /there is no such pose format/)
    })
})

function agrees(id: string, judge: Judge): void {
  it(`reads and writes ${String(count)} poses of ${id}, gimbal lock and half turns included`, () => {
    const format = poseFormat(id)
    const perMetre = format.length === 'mm' ? 1000 : 1
    const rotationIn = (numbers: readonly number[]) =>
      numbers.filter((_, index) => format.numbers[index]?.unit !== 'length')
    const positionIn = (numbers: readonly number[]) =>
      numbers
        .filter((_, index) => format.numbers[index]?.unit === 'length')
        .map((length) => length / perMetre)
    for (const pose of poses()) {
      const { x, y, z } = pose.position
      const written = numbersOfPose(format, pose)
      farthest(judge(rotationIn(written), written), ofPose(pose)).should.be.below(
        tolerance,
        written.join(' '),
      )
      farthest([positionIn(written)], [[x, y, z]]).should.be.below(tolerance)
      // The other way: numbers that no writer of ours has chosen, such as angles beyond the maker's range.
      const foreign = format.numbers.map(({ unit }, index) => {
        const own = written[index] ?? NaN
        return format.rotation.kind !== 'euler' || unit === 'length' ? own : beyond(own, unit, index)
      })
      const read = poseOfNumbers(format, foreign)
      farthest(judge(rotationIn(foreign), foreign), ofPose(read)).should.be.below(
        tolerance,
        foreign.join(' '),
      )
      farthest(ofPose(read), ofPose(pose)).should.be.below(tolerance)
    }
  })
}

/** The same angle, a turn further for one of the three. */
const beyond = (angle: number, unit: string, index: number) =>
  index === 4 ? angle + (unit === 'rad' ? 2 * Math.PI : 360) : angle

const reversed = <T>(list: readonly T[]): T[] => [...list].reverse()

/** Random poses, and those at which conversions break: right angles and half turns about and between all axes. */
function poses(): Pose[] {
  const random = seededRandom(18)
  const any = (size: number) => size * (2 * random() - 1)
  const right = [-180, -90, 0, 90, 180]
  return Array.from({ length: count }, (_, index): Pose => {
    const position = { x: any(2), y: any(2), z: any(2) }
    if (index % 4 === 3) return { position, orientation: unit([any(1), any(1), any(1), any(1)]) }
    if (index % 4 === 2) return { position, orientation: unit([0, any(1), any(1), any(1)]) }
    const pick = () => ((right[Math.floor(random() * right.length)] ?? 0) * Math.PI) / 360
    const near = index % 4 === 1 ? 10 ** -Math.ceil(16 * random()) : 0
    const [a, b, c] = [pick(), pick() + any(near), any(Math.PI)]
    // A quaternion made of three turns about z, one of the other axes, and z, x or y.
    const first = [Math.cos(a), 0, 0, Math.sin(a)]
    const second = index % 8 < 4 ? [Math.cos(b), 0, Math.sin(b), 0] : [Math.cos(b), Math.sin(b), 0, 0]
    const third = [0, 1, 2].map((axis) => (axis === index % 3 ? Math.sin(c) : 0))
    return { position, orientation: unit(hamilton(hamilton(first, second), [Math.cos(c), ...third])) }
  })
}

const hamilton = (one: readonly number[], other: readonly number[]): number[] => {
  const [a = 0, b = 0, c = 0, d = 0] = one
  const [e = 0, f = 0, g = 0, h = 0] = other
  return [
    a * e - b * f - c * g - d * h,
    a * f + b * e + c * h - d * g,
    a * g - b * h + c * e + d * f,
    a * h + b * g - c * f + d * e,
  ]
}

function unit(parts: readonly number[]) {
  const length = Math.hypot(...parts)
  const [w = NaN, x = NaN, y = NaN, z = NaN] = parts.map((part) => part / length)
  return { w, x, y, z }
}
