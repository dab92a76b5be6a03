import should from 'should'
import { poseOfNumbers, type Pose } from '../../../lib/robotics'
import { between, overBin, twelvePoses } from '../../virtual-device/hand-eye/use-cell'
import { kuka, useCalibration, type CalibrationMessage } from './use-calibration'

/** Millimetres and degrees between the camera's true pose and the one given by the node, in the robot's numbers. */
function offTruth({ payload }: CalibrationMessage, camera: Pose) {
  const numbers = Object.values(payload.camera as Record<string, number>)
  const { metres, degrees } = between(poseOfNumbers('kuka', numbers), camera)
  return { millimetres: 1000 * metres, degrees }
}

for (const mounting of ['robot', 'fixed'])
  describe(`a calibration with the camera ${mounting === 'robot' ? 'on the robot' : 'fixed'}`, () => {
    const { say, cell, told } = useCalibration({ mounting })

    it("is within 1 mm and 0.1° of the true pose from twelve poses, in the robot's numbers", async () => {
      const started = await say('start')
      started.payload.should.containEql({ event: 'started', ok: true, ready: false })
      for (const pose of twelvePoses) {
        const { output, payload } = await say('pose', kuka(pose))
        output.should.equal(0)
        payload.should.containEql({ event: 'pose-stored', ok: true })
      }
      const result = await say('calibrate')
      result.output.should.equal(1)
      const { payload } = result
      payload.should.containEql({ event: 'calibrated', ok: true, good: true, saved: true })
      payload['cameraIn']?.should.equal(mounting === 'robot' ? 'flange' : 'base')

      const off = offTruth(result, (await cell.truth()).camera)
      off.millimetres.should.be.below(1)
      off.degrees.should.be.below(0.1)
      const saved = await cell.saved()
      saved.pose.should.deepEqual((payload['calibration'] as { pose: Pose }).pose)
      saved.robot_mounted.should.equal(mounting === 'robot')
      Object.keys(payload['camera'] as object).should.deepEqual(['X', 'Y', 'Z', 'A', 'B', 'C'])
      String(payload['cameraText']).should.match(/^\{X -?[\d.]+, Y .*C -?[\d.]+\}$/)
    })

    it('reports the state after each pose, and stops advising when there are enough', () => {
      const stored = told.filter(({ payload }) => payload.event === 'pose-stored')
      stored
        .map(({ payload }) => payload['number'])
        .should.deepEqual(twelvePoses.map((_, index) => index + 1))
      stored.map(({ payload }) => payload['ready']).should.containEql(true)
      const next = stored[0]?.payload['next'] as Record<string, unknown>
      next.should.containEql({ from: 1, axis: 'X', degrees: 30, text: 'Next: from 1, turn 30° about X' })
      stored[0]?.payload.text.should.equal('Pose 1 stored. Next: from 1, turn 30° about X')
      stored[0]?.payload.details.should.equal(
        'Pose 1 is stored (1 in all). Next: from pose 1, turn the flange by 30° about the line through the grid ' +
          `that is parallel to its X axis: ${String(next.poseText)}. ` +
          'At least 4 different poses are needed; so far: 1.',
      )
      const last = stored.at(-1)?.payload
      last?.details.should.equal('Pose 12 is stored (12 in all). Enough poses: calibrate.')
      last?.text.should.equal('Pose 12 stored. Enough: calibrate.')
      should(last).containEql({ enough: true }).and.not.have.property('next')
    })
  })

describe('a four-axis robot', () => {
  const { say, cell, setCell } = useCalibration({ axes: 'four', axis: 'z', offset: 60 })
  const level = Array.from({ length: 10 }, (_, index) =>
    overBin([0, 0, 18 * index - 80], { x: 0.55 + 0.03 * (index % 4), y: 0.04 * (index % 3) }),
  )

  it('is calibrated with its axis and offset', async () => {
    setCell({
      camera_on_hand: { position: { x: 0.05, y: 0, z: 0.06 }, orientation: { w: 1, x: 0, y: 0, z: 0 } },
    })
    await say('start')
    for (const pose of level) await say('pose', kuka(pose))
    const result = await say('calibrate')
    result.payload.details.should.match(/^Calibrated from 10 poses/)
    offTruth(result, (await cell.truth()).camera).millimetres.should.be.below(1.5)
  })

  it('is reported if its flange turns about more', async () => {
    await say('start')
    for (const pose of level.slice(0, 4)) await say('pose', kuka(pose))
    await say('pose', kuka(overBin([15, 0, 0])))
    const { payload } = await say('pose', kuka(overBin([-15, 5, 0])))
    payload.advice[0]?.should.match(/^The robot is set to turn about one axis, but/)
    const refused = await say('calibrate')
    refused.payload.should.containEql({ event: 'refused', ok: false, refusedFor: 'more-than-one-axis' })
  })
})

describe('a device without support for four axes', () => {
  const older = (answer: string) => answer.replaceAll('tcp_rotation_axis', 'something_else')
  const { say } = useCalibration({ axes: 'four', axis: 'z', offset: 60 }, older)

  it('is not asked for what it cannot do', () =>
    say('start').should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /cannot calibrate four-axis robots/,
    }))
})

describe('an insufficient set of poses', () => {
  const { say, called } = useCalibration()

  it('is refused before the device calibrates, with the reason and what to do', async () => {
    for (const [poses, kind, words] of [
      [[overBin(), overBin([15, 0, 0])], 'too-few-poses', /At least 4 different poses are needed; so far: 2/],
      [
        [0, 5, 10, 15, 20].map((angle) => overBin([angle, 0, 0])),
        'single-axis',
        /All poses turn about one axis, nearly the X axis of the flange\. Turn the flange about another axis/,
      ],
      [
        [0, 1, 2, 3].map((index) => overBin([index, 0, 0], { x: 0.55 + 0.03 * index })),
        'little-rotation',
        /The poses turn by at most 3°/,
      ],
    ] as const) {
      await say('start')
      for (const pose of poses) await say('pose', kuka(pose))
      const { output, payload } = await say('calibrate')
      output.should.equal(0)
      payload.should.containEql({ event: 'refused', ok: false, ready: false, refusedFor: kind })
      payload.details.should.match(words)
      payload.details.should.match(/^Not calibrated: these poses are not sufficient\./)
    }
    called().should.not.containEql('calibrate')
  })

  it('is reported early, in words: which poses are nearly the same', async () => {
    await say('start')
    for (const pose of [overBin(), overBin([15, 0, 0]), overBin([0, 15, 0]), overBin([-15, 0, 10])])
      await say('pose', kuka(pose))
    const { payload } = await say('pose', kuka(overBin([0, 16, 0], { x: 0.605 })))
    payload.advice[0]?.should.equal('Poses 3 and 5 are nearly the same and count as one.')
    payload.details.should.containEql('Poses 3 and 5 are nearly the same')
    const undone = await say('undo')
    undone.payload.should.containEql({ event: 'pose-deleted', number: 5, ok: true })
    should(undone.payload['poses']).deepEqual([1, 2, 3, 4])
  })
})
