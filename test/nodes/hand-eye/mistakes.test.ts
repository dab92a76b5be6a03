import should from 'should'
import {
  composed,
  inverted,
  numbersOfPose,
  ofRotationVector,
  poseOfNumbers,
  radians,
  type Pose,
} from '../../../lib/robotics'
import { namedNumbers } from '../../../lib/robotics/pose-numbers'
import { useBench } from '../../support/bench'
import { fourAxisPoses, grid, twelvePoses } from '../../virtual-device/hand-eye/use-cell'

type Numbers = Record<'X' | 'Y' | 'Z' | 'A' | 'B' | 'C', number>
interface Told {
  event: string
  details: string
  mistake?: string
  good?: boolean
}

const cameraOnHand: Pose = {
  position: { x: 0.08, y: -0.03, z: 0.06 },
  orientation: ofRotationVector({ x: 0.03, y: -0.05, z: 1.57 }),
}
/** The grid in front of the camera at the first pose. */
const gridInCell = composed(composed(twelvePoses[0] as Pose, cameraOnHand), {
  position: { x: 0.01, y: 0, z: 0.94 },
  orientation: ofRotationVector({ x: 0.05, y: -0.07, z: 0.14 }),
})
/** As the robot shows it: KUKA, millimetres and degrees. */
const shown = (pose: Pose) => namedNumbers('kuka', numbersOfPose('kuka', pose)) as Numbers

/** Poses given by messages, on a device that sees the grid from where the robot really is. */
function usePoses(fields: object, read: (numbers: Numbers) => Pose, settings: object = {}) {
  const bench = useBench(
    {
      type: 'vision-hand-eye-calibration',
      ...{ gridWidth: 1000 * grid.grid_width, gridHeight: 1000 * grid.grid_height },
      ...{ format: 'kuka', settling: 0, deadline: 30 },
      ...fields,
    },
    { device: { imagePort: 0 }, settings: () => settings },
  )
  const send = async (topic: string, payload: unknown = '') =>
    (await bench.send({ topic, payload })).payload as Told
  return {
    send,
    /** Calibrates from poses. @param typed what the message says in place of what the robot shows */
    calibrated: async (poses: readonly Pose[], typed: (numbers: Numbers, index: number) => Numbers) => {
      await send('start')
      for (const [index, pose] of poses.entries()) {
        const payload = typed(shown(pose), index)
        // The simulated robot is where the message says: its cell moves along, so that the camera sees what it really sees.
        const grid_in_cell = composed(composed(read(payload), inverted(pose)), gridInCell)
        bench.device.setScenario({ scene: { hand_eye: { camera_on_hand: cameraOnHand, grid_in_cell } } })
        ;(await send('pose', payload)).event.should.equal('pose-stored')
      }
      return send('calibrate')
    },
  }
}

const asNode = ({ X, Y, Z, A, B, C }: Numbers) => poseOfNumbers('kuka', [X, Y, Z, A, B, C], {})
const ten = twelvePoses.slice(0, 10)
const asShown = (numbers: Numbers) => numbers
const inMetres = ({ X, Y, Z, ...angles }: Numbers) => ({ X: X / 1000, Y: Y / 1000, Z: Z / 1000, ...angles })
const inRadians = ({ A, B, C, ...position }: Numbers) => ({
  ...position,
  ...{ A: radians(A), B: radians(B), C: radians(C) },
})
/** A wrong digit in one pose. */
const withTypo = (numbers: Numbers, index: number) =>
  index === 4 ? { ...numbers, Y: numbers.Y + 50 } : numbers

describe('a mistake in poses that messages give', function () {
  this.timeout(240_000)
  const { calibrated, send } = usePoses({}, asNode)

  it('is none where they fit', async () => {
    const { event, good, mistake, details } = await calibrated(ten, asShown)
    should({ event, good, mistake }).deepEqual({ event: 'calibrated', good: true, mistake: undefined })
    details.should.not.match(/assumes/)
  })

  it('is named by the pose with the wrong digit, and where the robot must have stood', async () => {
    const { mistake, details, good } = await calibrated(ten, withTypo)
    should({ mistake, good }).deepEqual({ mistake: 'pose', good: false })
    const wanted =
      /Pose 5 does not fit the others: [\d.]+ mm with it, [\d.]+ mm without it .* ([\d.]+) mm and/
    Number(wanted.exec(details)?.[1]).should.be.within(48, 52)
    details.should.match(/Check its numbers, then record it again/).and.not.match(/turn the flange further/)
  })

  it('is metres for millimetres', async () => {
    const { mistake, details } = await calibrated(ten, inMetres)
    should(mistake).equal('metres-for-millimetres')
    details.should.match(
      /in metres, but are read as millimetres\. Set their unit to m\. The poses fit to [\d.]+ mm as/,
    )
  })

  it('is radians for degrees, although the poses then seem to turn too little', async () => {
    const { mistake, details, event } = await calibrated(ten, inRadians)
    should({ event, mistake }).deepEqual({ event: 'refused', mistake: 'radians-for-degrees' })
    details.should.match(/in radians, but are read as degrees/).and.not.match(/too little|urn the flange/)
  })

  it('is forgotten when a calibration begins again', async () => {
    const { good } = await calibrated(ten, asShown)
    should(good).be.true()
    await send('cancel')
  })
})

describe('a wrong size of the grid in poses that messages give', function () {
  this.timeout(240_000)
  const { calibrated } = usePoses({ gridWidth: 286, gridHeight: 198 }, asNode)

  it('is named with the size that fits', async () => {
    const { mistake, details, good } = await calibrated(ten, asShown)
    should({ mistake, good }).deepEqual({ mistake: 'grid-size', good: false })
    const [, width, height] = /only fit if it is ([\d.]+) × ([\d.]+) mm/.exec(details) ?? []
    Number(width).should.be.within(258, 262)
    Number(height).should.be.within(178, 182)
  })
})

describe('mistakes in poses, in German', function () {
  this.timeout(240_000)
  const { calibrated } = usePoses({}, asNode, { lang: 'de' })

  it('are named as well', async () => {
    ;(await calibrated(ten, withTypo)).details.should.match(
      /Pose 5 passt nicht zu den übrigen: [\d.]+ mm mit ihr/,
    )
    ;(await calibrated(ten, inRadians)).details.should.match(/im Bogenmaß, werden aber als Grad gelesen/)
  })
})

describe('a calibration of a robot with four axes', function () {
  this.timeout(240_000)
  const { calibrated } = usePoses({ axes: 'four', axis: 'z' }, asNode)

  it('states the offset that it assumes, because the poses say nothing about it', async () => {
    const { details, good } = await calibrated(fourAxisPoses, asShown)
    details.should.match(
      /This assumes that the camera is 0 mm from the flange along its Z axis \(setting Offset\)/,
    )
    should(good).be.true()
  })
})
