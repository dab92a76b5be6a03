import type { NodeMessage } from 'node-red'
import should from 'should'
import { eventually } from '../../support/eventually'
import { overBin, twelvePoses } from '../../virtual-device/hand-eye/use-cell'
import { kuka, useCalibration } from './use-calibration'

const list = twelvePoses.map(kuka)

describe('a list of poses for the robot', () => {
  const { say, told, bench, event, listen } = useCalibration()
  /** A robot that arrives as soon as it is told to move. */
  const robot = ({ topic, payload }: NodeMessage) => bench.node.receive({ topic, payload })

  it('ends with a calibration, every move answered by the robot', async () => {
    bench.helperNode('out2').on('input', robot)
    await say('run', list)
    const result = await event('calibrated')
    result.payload.should.containEql({ good: true, saved: true })
    const moves = told.filter(({ output }) => output === 2)
    moves.map(({ payload }) => payload as unknown).should.deepEqual(list)
    moves.every(({ topic }) => topic === 'arrived').should.be.true()
  })

  it('accepts text with a line for each pose, and needs no command', async () => {
    listen()
    await say('', list.join('\n'))
    ;(await event('calibrated')).payload.should.containEql({ good: true })
  })

  it('waits for the robot, which may answer with its pose or with a word', async () => {
    bench.helperNode('out2').removeListener('input', robot)
    listen()
    await say('run', list.slice(0, 3))
    await eventually(() => told.filter(({ output }) => output === 2).should.have.length(1))
    const first = await say('arrived', 'in position')
    first.payload.should.containEql({ event: 'pose-stored', number: 1 })
    const second = await say('pose', kuka(overBin([14, 1, 0], { y: 0.05 })))
    second.payload.should.containEql({ event: 'pose-stored', number: 2 })
    await say('cancel')
    await say('arrived').should.be.rejectedWith({ code: 'INVALID_INPUT', message: /No list is in progress/ })
  })

  it('leaves a gap if the device rejects a pose, which can be filled before calibrating again', async () => {
    listen()
    await say('run', list.slice(0, 5))
    await say('arrived')
    bench.device.setScenario({ grid_visible: false })
    ;(await say('arrived')).payload.should.containEql({ event: 'pose-rejected', number: 2 })
    bench.device.setScenario({ grid_visible: true })
    await say('arrived')
    await say('arrived')
    const last = await say('arrived')
    last.payload.should.containEql({ event: 'pose-stored', number: 5 })
    const result = await event('calibrated')
    should(result.payload['poses']).deepEqual([1, 3, 4, 5])
  })

  it('is checked before anything is sent', async () => {
    const bad = [...list.slice(0, 2), '{X 1, Y 2, Z 50000, A 0, B 0, C 0}']
    await say('run', bad).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /^Pose 3 of the list cannot be used\..*50 m from the origin/,
    })
    await say('run', [...list, ...list.slice(0, 5)]).should.be.rejectedWith({
      message: /The list has 17 poses, but the device stores only 16/,
    })
    await say('run', 'nothing').should.be.rejectedWith({ message: /No list of poses/ })
  })
})

describe('a list whose commands and poses are in other properties', () => {
  const { bench, told, listen } = useCalibration({ command: 'robot.word', pose: 'robot.pose' })

  it('is answered in the same ones', async () => {
    listen()
    const moves: NodeMessage[] = []
    bench.helperNode('out2').on('input', (message) => moves.push(message))
    bench.node.receive({ topic: 'kept', robot: { word: 'run', pose: list.slice(0, 4) } })
    await eventually(() => moves.should.have.length(1))
    should(moves[0]).match({
      topic: 'kept',
      robot: { word: 'arrived', pose: list[0] },
      move: { number: 1, poses: 4 },
    })
    told[0]?.payload.details.should.match(/Move the robot to pose 1 of 4\.$/)
    bench.node.receive(moves[0])
    await eventually(() => moves.should.have.length(2))
  })

  it('ends with a deploy, and the poses remain', async () => {
    await bench.deploy({ name: 'changed' })
    await bench.send({ robot: { word: 'arrived' } }).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /No list is in progress/,
    })
    const { payload } = await bench.send({ robot: { word: 'status' } })
    should(payload).containEql({ event: 'status', poses: [1] })
  })
})

describe('a list that is recorded at once', () => {
  const { say, event, told, bench, listen } = useCalibration({ list: 'now' })

  it('ends with a calibration from one message', async () => {
    await say('run', list)
    const result = await event('calibrated')
    result.payload.should.containEql({ good: true, saved: true })
    told.map(({ output }) => output).should.deepEqual([...Array<number>(13).fill(0), 1])
  })

  it('is ended by a cancel in between', async () => {
    listen()
    bench.node.receive({ topic: 'run', payload: list })
    bench.node.receive({ topic: 'cancel' })
    await event('list-ended')
    told.map(({ payload }) => payload.event).should.not.containEql('calibrated')
    const { payload } = await say('status')
    should(payload['poses']).deepEqual([])
  })

  it('ends with an error if the device disappears', async () => {
    bench.device.setScenario({ offline: true })
    await say('run', list).should.be.rejectedWith({ code: /UNREACHABLE|OUTCOME_UNKNOWN/ })
    bench.device.setScenario({ offline: false })
  })
})
