import should from 'should'
import type { NodeMessage } from 'node-red'
import { commandedMessage } from '../../nodes/shared/permission'
import { useBench, type Bench, type Caught } from '../support/bench'
import { Controller } from '../universal-robots/controller'

const mark = { command: 'c1', flow: 'go', from: 'hq', token: '0123456789abcdef0123' }
const fromCommand = (properties: object) => commandedMessage(mark, { ...properties })

/** What Catch gets for a message from a command. */
function refused(bench: Bench, properties: object): Promise<Caught> {
  return new Promise((resolve) => {
    bench.helperNode('caught').once('input', (msg: NodeMessage) => resolve(msg['error'] as Caught))
    bench.node.receive(fromCommand(properties))
  })
}

describe('a message from a command', () => {
  let controller: Controller
  const robot: Record<string, unknown> = { id: 'arm', type: 'vision-robot-config' }
  before(async () => {
    controller = await new Controller().start()
    const { rtde, primary, dashboard } = controller.ports
    Object.assign(robot, {
      ...{ name: 'Robot 1', kind: 'universal-robots', host: '127.0.0.1', mayMove: true, speed: 250 },
      ...{ rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard, acceleration: 1000, step: 300 },
      ...{ turn: 40, home: '410, -200, 450, 0, 3.14159, 0', box: '', poseFormat: 'universal-robots-pendant' },
    })
  })
  after(() => controller.stop())

  describe('to robot', () => {
    const bench = useBench(
      { type: 'vision-robot', robot: 'arm', action: 'move', confirm: 'none' },
      { flow: [robot] },
    )

    it('moves nothing, confirms nothing and enables nothing', async () => {
      for (const properties of [
        { payload: 'home' },
        ...['confirm', 'enable', 'reset'].map((topic) => ({ topic })),
      ])
        should(await refused(bench, properties)).match({ code: 'FROM_COMMAND', message: /neither move/ })
      should(controller.registers).deepEqual({})
    })

    it('is refused too where a function node has built a new message, or a split a part', async () => {
      const { _msgid, fleet } = fromCommand({})
      for (const left of [{ _msgid }, { _msgid: 'another', fleet }]) {
        const caught = new Promise<Caught>((resolve) =>
          bench.helperNode('caught').once('input', (msg: NodeMessage) => resolve(msg['error'] as Caught)),
        )
        bench.node.receive({ ...left, payload: 'home' })
        should(await caught).match({ code: 'FROM_COMMAND' })
      }
    })

    it('stops', async () => {
      const stopped = new Promise<NodeMessage>((resolve) => bench.helperNode('out1').once('input', resolve))
      bench.node.receive(fromCommand({ topic: 'stop' }))
      should((await stopped).payload).match({ event: 'stopped' })
    })
  })

  describe('to a hand-eye calibration whose robot drives itself', () => {
    const bench = useBench(
      { type: 'vision-hand-eye-calibration', robot: 'arm', drive: 'robot', gridWidth: 260, gridHeight: 180 },
      { flow: [robot] },
    )

    it('drives nothing', async () => {
      for (const topic of ['run', 'start', 'confirm', 'resume', 'check'])
        should(await refused(bench, { topic })).match({ code: 'FROM_COMMAND' })
    })
  })

  describe('to a firmware update', () => {
    const bench = useBench({ type: 'vision-firmware-update', mode: 'rollback' })

    it('confirms and approves nothing', async () => {
      should(await refused(bench, { confirm: true })).match({
        ...{ code: 'INVALID_INPUT', message: /not confirmed/ },
      })
      should(await refused(bench, { topic: 'approve' })).match({ code: 'FORBIDDEN' })
    })
  })
})
