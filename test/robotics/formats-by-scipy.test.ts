import 'should'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  numbersOfPose,
  poseFormat,
  poseFormatIds,
  poseOfNumbers,
  type Pose,
  type PoseFormatId,
} from '../../lib/robotics'
import { root } from '../support/root'

/** `rotations-by-scipy.py` beside it has written it. */
const file = join(root, 'test', 'fixtures', 'rotations-by-scipy.json')
type Convention = 'xyzw' | 'zyx' | 'xyz' | 'zyz' | 'vector' | 'matrix'
const packed = JSON.parse(readFileSync(file, 'utf8')) as Record<Convention, string>

/** The numbers of each rotation in that convention. */
const byScipy = (convention: Convention, length: number): number[][] => {
  const bytes = Buffer.from(packed[convention], 'base64')
  const numbers = Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readDoubleLE(8 * index))
  return Array.from({ length: numbers.length / length }, (_, row) =>
    numbers.slice(row * length, (row + 1) * length),
  )
}
const quaternions = byScipy('xyzw', 4)
const [zyx, xyz, zyz, vectors] = (['zyx', 'xyz', 'zyz', 'vector'] as const).map((each) => byScipy(each, 3))
const matrices = byScipy('matrix', 9)

const reversed = (rows: readonly number[][] = []) => rows.map((row) => [...row].reverse())
const column = ([a = NaN, b = NaN, c = NaN, ...rest]: readonly number[]): number[] =>
  rest.length ? [a, b, c, 0, ...column(rest)] : [a, b, c, 0]
const matrixNumbers = (nine: readonly number[]) => [...column(nine), 0, 0, 0, 1]

/** What stands behind the position; for the matrix, all sixteen. */
const numbers: Record<PoseFormatId, readonly number[][] | undefined> = {
  device: quaternions,
  abb: quaternions.map(([x = NaN, y = NaN, z = NaN, w = NaN]) => [w, x, y, z]),
  fruitcore: quaternions.map(([x = NaN, y = NaN, z = NaN, w = NaN]) => [w, x, y, z]),
  kuka: zyx,
  ...{ fanuc: reversed(zyx), yaskawa: reversed(zyx), mitsubishi: reversed(zyx) },
  ...{ techman: reversed(zyx), 'franka-angles': reversed(zyx) },
  staubli: xyz,
  ...{ kawasaki: zyz, doosan: zyz },
  ...{ 'universal-robots': vectors, 'universal-robots-pendant': vectors },
  'franka-matrix': matrices.map(matrixNumbers),
}

/** Degrees from a right angle within which SciPy chooses one of many, and others another. */
const locked = 0.001
const isLocked = (id: PoseFormatId, [, middle = NaN]: readonly number[]) =>
  id === 'kawasaki' || id === 'doosan'
    ? Math.min(middle, 180 - middle) < locked
    : 90 - Math.abs(middle) < locked

describe('robot pose formats against SciPy', () => {
  for (const id of poseFormatIds) {
    const rows = numbers[id] ?? []
    const withPosition = (row: readonly number[]) => (id === 'franka-matrix' ? row : [0, 0, 0, ...row])
    const poses = () => rows.map((row) => poseOfNumbers(id, withPosition(row)))

    it(`reads ${id} as SciPy writes it, gimbal lock included`, () => {
      rows.should.have.length(1000)
      poses().forEach((pose, index) => apart(pose, quaternions[index]).should.be.below(1e-6, String(index)))
    })

    it(`writes ${id} as SciPy does, wherever there is one way to write it`, () => {
      const isEuler = poseFormat(id).rotation.kind === 'euler'
      let compared = 0
      for (const [index, row] of rows.entries()) {
        const written = numbersOfPose(id, poseOf(quaternions[index]))
        apart(poseOfNumbers(id, written), quaternions[index]).should.be.below(1e-6, String(index))
        if (isEuler && isLocked(id, row)) continue
        compared++
        if (!isEuler) continue
        written.slice(3).forEach((angle, at) => turned(angle, row[at]).should.be.below(1e-4, String(index)))
      }
      compared.should.be.above(500)
    })
  }
})

const poseOf = ([x = NaN, y = NaN, z = NaN, w = NaN]: readonly number[] = []): Pose => ({
  position: { x: 0, y: 0, z: 0 },
  orientation: { x, y, z, w },
})

/** Degrees between two angles, whole turns left out. */
const turned = (one: number, other = NaN) => Math.abs(((((one - other) % 360) + 540) % 360) - 180)

/** How far two rotations differ in their quaternions, whose sign means nothing. */
function apart({ orientation }: Pose, other: readonly number[] = []): number {
  const own = [orientation.x, orientation.y, orientation.z, orientation.w]
  const differences = [1, -1].map((sign) =>
    Math.hypot(...own.map((value, index) => value - sign * (other[index] ?? NaN))),
  )
  return Math.min(...differences)
}
