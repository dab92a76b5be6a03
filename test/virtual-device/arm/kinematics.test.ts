import should from 'should'
import { distance } from '../../../lib/robotics'
import {
  allJoints,
  type ArmModel,
  armModels,
  armNames,
  at,
  flangeAt,
  jointsAt,
  six,
  type Six,
} from '../../../virtual-device/arm/kinematics'
import { matrixOf } from '../../../lib/robotics/pose'
import { seededRandom } from '../../../virtual-device/values'

type Matrix = number[][]

const times = (one: Matrix, other: Matrix): Matrix =>
  one.map((row) =>
    [0, 1, 2, 3].map((column) => row.reduce((sum, x, k) => sum + x * (other[k]?.[column] ?? 0), 0)),
  )

/** The matrix of one row of a Denavit-Hartenberg table, as textbooks print it. */
const denavitHartenberg = (theta: number, d: number, a: number, alpha: number): Matrix => {
  const [c, s, u, v] = [Math.cos(theta), Math.sin(theta), Math.cos(alpha), Math.sin(alpha)]
  return [
    [c, -s * u, s * v, a * c],
    [s, c * u, -c * v, a * s],
    [0, v, u, d],
    [0, 0, 0, 1],
  ]
}

function byMatrices({ d1, a2, a3, d4, d5, d6 }: ArmModel, joints: Six): Matrix {
  const quarter = Math.PI / 2
  const rows = [
    [d1, 0, quarter],
    [0, a2, 0],
    [0, a3, 0],
    [d4, 0, quarter],
    [d5, 0, -quarter],
    [d6, 0, 0],
  ] as const
  return rows.map(([d, a, alpha], index) => denavitHartenberg(at(joints, index), d, a, alpha)).reduce(times)
}

describe('the kinematics of the simulated arms', () => {
  for (const name of armNames) {
    const model = armModels[name]
    const random = seededRandom(armNames.indexOf(name) + 1)
    const anyJoints = () => six(() => 6 * (random() - 0.5))

    it(`of ${name} place the flange as the matrices of its table do`, () => {
      for (let count = 0; count < 100; count++) {
        const joints = anyJoints()
        const { position, orientation } = flangeAt(model, joints)
        const matrix = byMatrices(model, joints)
        const column = matrix.slice(0, 3).map((row) => row[3])
        should(Object.values(position)).be.length(3)
        ;[position.x, position.y, position.z].forEach((each, index) =>
          each.should.be.approximately(column[index] ?? NaN, 1e-12),
        )
        const rotation = matrix.slice(0, 3).flatMap((row) => row.slice(0, 3))
        matrixOf(orientation).forEach((each, index) =>
          each.should.be.approximately(rotation[index] ?? NaN, 1e-12),
        )
      }
    })

    it(`of ${name} find the joints that lead to a pose, every solution of them right`, () => {
      for (let count = 0; count < 200; count++) {
        const joints = anyJoints()
        const flange = flangeAt(model, joints)
        const all = allJoints(model, flange, joints)
        all.length.should.be.within(1, 8)
        for (const each of all) {
          const reached = flangeAt(model, each)
          distance(reached.position, flange.position).should.be.below(1e-7)
          const [one, other] = [reached.orientation, flange.orientation]
          const cosine = one.w * other.w + one.x * other.x + one.y * other.y + one.z * other.z
          Math.abs(cosine).should.be.approximately(1, 1e-9)
        }
        const nearest = jointsAt(model, flange, joints) ?? six(() => NaN)
        nearest.forEach((joint, index) => joint.should.be.approximately(at(joints, index), 1e-5))
      }
    })

    it(`of ${name} find nothing out of reach`, () => {
      const { a2, a3, d4, d5, d6 } = model
      const far = Math.abs(a2) + Math.abs(a3) + d4 + d5 + d6
      const pose = { position: { x: far, y: far, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
      should(jointsAt(model, pose, anyJoints())).be.undefined()
    })
  }

  it('know the maker’s pose of the UR5e at zero', () => {
    const { x, y, z } = flangeAt(armModels.ur5e, [0, 0, 0, 0, 0, 0]).position
    x.should.be.approximately(-0.8172, 1e-12)
    y.should.be.approximately(-0.2329, 1e-12)
    z.should.be.approximately(0.0628, 1e-12)
  })
})
