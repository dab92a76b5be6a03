import should from 'should'
import { poseInAnswer, readPossiblePose, robotFormat } from '../../nodes/shared/poses'
import { seededRandom } from '../../virtual-device/values'

const device = robotFormat('poses', 'device', '')

describe('a pose in the answer of a service', () => {
  it('is the same as where it is read like the poses of robots', () => {
    const random = seededRandom(15)
    const any = (size: number) => size * (2 * random() - 1)
    for (let count = 0; count < 200; count++) {
      const [w, x, y, z] = [any(1), any(1), any(1), any(1)]
      // The length of a quaternion that was rounded.
      const length = Math.hypot(w, x, y, z) * (1 + any(0.005))
      const orientation = { w: w / length, x: x / length, y: y / length, z: z / length }
      const pose = { position: { x: any(10), y: any(10), z: any(2) }, orientation }
      const { position, orientation: read } = poseInAnswer(pose, 1)
      const expected = readPossiblePose(device, pose).pose
      should(position).eql(expected.position)
      for (const part of ['w', 'x', 'y', 'z'] as const)
        should(read[part]).be.approximately(expected.orientation[part], 1e-15)
    }
  })

  const position = { x: 0.1, y: 0.2, z: 0.3 }
  const orientation = { w: 1, x: 0, y: 0, z: 0 }
  it('may be written otherwise', () => {
    for (const given of [
      [0.1, 0.2, 0.3, 0, 0, 0, 1],
      { x: 0.1, y: 0.2, z: 0.3, qx: 0, qy: 0, qz: 0, qw: 1 },
      { position, rotation: orientation },
      { position: { x: '0.1', y: 0.2, z: 0.3 }, orientation },
    ])
      should(poseInAnswer(given, 1)).eql({ position, orientation })
  })

  for (const [name, given] of Object.entries({
    'in millimetres': { position: { x: 100, y: 200, z: 300 }, orientation },
    'with a rotation of no length': { position, orientation: { w: 0, x: 0, y: 0, z: 0 } },
    'with a number that is none': { position: { ...position, z: NaN }, orientation },
    'with a number too few': { position: { x: 1, y: 2 }, orientation },
    'that is none': null,
  }))
    it(`${name} is refused, with its number in the list`, () =>
      should(() => poseInAnswer(given, 3)).throw(/\b3\b/, { code: 'INVALID_INPUT' }))
})
