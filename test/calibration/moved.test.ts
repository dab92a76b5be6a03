import should from 'should'
import { cameraMovement, readAttempts } from '../../lib/calibration'
import { composed, ofRotationVector, radians, type Pose } from '../../lib/robotics'
import { randomPoses } from '../../bench/support/pose-lists'
import { observed, sheetCell } from '../../bench/support/sheet-sets'

const limits = { metres: 0.001, degrees: 0.1 }
const knock: Pose = {
  position: { x: 0.0018, y: 0, z: 0 },
  orientation: ofRotationVector({ x: 0, y: radians(0.5), z: 0 }),
}

describe('a check without calibrating', () => {
  for (const robotMounted of [true, false])
    describe(`with the camera ${robotMounted ? 'on the robot' : 'fixed'}`, () => {
      const looksAt = (knocked: boolean, count = 3) => {
        const cell = sheetCell(robotMounted, 77)
        const calibrated = { robotMounted, camera: cell.camera, grid: cell.grid }
        const hands = randomPoses(cell, count)
        if (knocked) cell.camera = composed(cell.camera, knock)
        return { calibrated, looks: hands.map((hand) => observed(cell, hand)) }
      }

      it('says that the camera did not move', () => {
        const { calibrated, looks } = looksAt(false)
        cameraMovement(calibrated, looks, limits).moved.should.be.false()
      })

      it('says how far a knocked one moved', () => {
        const { calibrated, looks } = looksAt(true)
        const { moved, metres, degrees } = cameraMovement(calibrated, looks, limits)
        moved.should.be.true()
        metres.should.be.approximately(0.0018, 0.001)
        degrees.should.be.approximately(0.5, 0.15)
      })

      it('needs two looks', () => {
        const { calibrated, looks } = looksAt(false, 1)
        should(() => cameraMovement(calibrated, looks, limits)).throw(RangeError)
      })
    })
})

describe('the attempts in a journal', () => {
  const robot: Pose = { position: { x: 0, y: 0, z: 1 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }

  it('are read as they were written', () => {
    const attempts = [
      { purpose: 'taught', robot, grid: robot },
      { purpose: 'shift', robot, skipped: true },
    ]
    should(readAttempts(JSON.parse(JSON.stringify(attempts)))).deepEqual(attempts)
    should(readAttempts([])).deepEqual([])
  })

  it('are not read from anything else', () => {
    for (const other of [
      undefined,
      'attempts',
      [{ purpose: 'shift', robot }],
      [{ purpose: 'taught' }],
      [{ purpose: 'elsewhere', robot }],
      [{ purpose: 'taught', robot: { ...robot, orientation: { w: 0, x: 0, y: 0, z: 0 } } }],
      [{ purpose: 'taught', robot: { ...robot, position: { x: 'far', y: 0, z: 0 } } }],
    ])
      should(readAttempts(other)).equal(undefined)
  })
})
