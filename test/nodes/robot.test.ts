import should from 'should'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { NodeMessage } from 'node-red'
import { numbersOfPose, type Pose } from '../../lib/robotics'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { onTab, useBench, type Bench, type Caught } from '../support/bench'
import { eventually } from '../support/eventually'
import { hasRead } from '../support/reading'
import { Controller } from '../universal-robots/controller'

/** The flange of the test controller, as the pendant shows it: mm and a rotation vector. */
const flange = (x = 400, z = 450) => [x, -200, z, 0, Math.PI, 0]

/** Resolves with what leaves the first output; steps before it go to the second. Rejects with what Catch gets. */
function ended(bench: Bench, payload: unknown): Promise<NodeMessage> {
  const _msgid = randomUUID()
  const end = new Promise<NodeMessage>((resolve, reject) => {
    bench.helperNode('out0').on('input', (message) => {
      if (message._msgid === _msgid) resolve(message)
    })
    bench.helperNode('caught').on('input', (message) => {
      const error = message['error'] as Caught
      if (message._msgid === _msgid) reject(Object.assign(new Error(error.message), error))
    })
  })
  end.catch(() => undefined)
  bench.node.receive({ _msgid, payload })
  return end
}

interface Event {
  event?: string
  request?: string
  number?: number
  flange?: unknown
  poses?: unknown[]
}

describe('robot', () => {
  let controller: Controller
  const configuration: Record<string, unknown> = { id: 'arm', type: 'vision-robot-config' }
  before(async () => {
    controller = await new Controller().start()
  })
  after(() => controller.stop())
  afterEach(() => {
    Object.assign(controller, { safetyBits: 1, runtime: 1, mode: 7, missBy: 0, frozen: false })
    controller.pose = [0.4, -0.2, 0.3, 0, Math.PI, 0]
  })
  const configure = (more: object = {}) => {
    const { rtde, primary, dashboard } = controller.ports
    Object.assign(configuration, {
      ...{ name: 'Robot 1', kind: 'universal-robots', host: '127.0.0.1' },
      ...{ rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard, mayMove: true, speed: 250 },
      ...{ acceleration: 1000, step: 300, turn: 40, home: flange(410).join(', '), box: '' },
      ...{ poseFormat: 'universal-robots-pendant' },
      ...more,
    })
  }

  describe('that reads', () => {
    before(() => configure({ mayMove: false }))
    const bench = useBench({ type: 'vision-robot', robot: 'arm', shape: 'array' }, { flow: [configuration] })

    it('gives flange, TCP, joints, mode, safety and payload', async () => {
      const { payload, vision } = (await bench.send({ topic: 'cell 1' })) as NodeMessage & {
        vision: { text: string }
      }
      const state = payload as Record<string, unknown>
      should(state).containEql({
        ...{ mode: 'running', safety: 'normal', program: 'stopped', remoteControl: true, unit: 'mm' },
        ...{
          flange: [400, -200, 450, 0, Number(Math.PI.toFixed(9)), 0],
          tcp: [400, -200, 300, 0, Number(Math.PI.toFixed(9)), 0],
        },
        payload: { kilograms: 1.5, centre: [0, 0, 50] },
      })
      vision.text.should.match(/flange .*400.*running, normal/)
      controller.registers.should.deepEqual({})
    })
  })

  describe('that reads by itself', () => {
    const bench = useBench(
      { type: 'vision-robot', robot: 'arm', reads: 'stream', rate: 20 },
      { flow: [configuration] },
    )

    it('sends the newest state at a rate', async () => {
      const out = bench.helperNode('out0')
      for (let count = 0; count < 3; count++) await once(out, 'input')
      controller.pose[0] = 0.45
      await eventually(async () => {
        const [message] = (await once(out, 'input')) as [{ payload: { flange: { x: number } } }]
        message.payload.flange.x.should.be.approximately(450, 1e-3)
      })
    })
  })

  describe('that may not move', () => {
    before(() => configure({ mayMove: false }))
    const bench = useBench(
      { type: 'vision-robot', robot: 'arm', action: 'move', outputs: 2 },
      { flow: [configuration] },
    )

    it('refuses', async () => {
      await bench
        .send({ payload: flange() })
        .should.be.rejectedWith({ code: 'NOT_ALLOWED', message: /May move/ })
      controller.scripts.should.be.empty()
    })
  })

  describe('that moves', () => {
    before(() => configure())
    const bench = useBench(
      { type: 'vision-robot', robot: 'arm', action: 'move', outputs: 2, confirm: 'each', confirmWithin: 60 },
      { flow: [configuration] },
    )
    const events: Event[] = []
    /** The next event of that name. */
    const event = (name: string) =>
      eventually(() => {
        const at = events.findIndex((each) => each.event === name)
        at.should.be.aboveOrEqual(0)
        return events.splice(0, at + 1)[at] as Event
      })
    const listen = () => {
      events.length = 0
      bench.helperNode('out1').on('input', ({ payload }) => events.push(payload as Event))
    }
    /** Sends a message for which there is no answer. */
    const say = (topic: string, more: object = {}) => bench.node.receive({ topic, ...more })
    /** A person reads a question, and answers it. */
    const answer = async ({ request }: Event, topic = 'confirm') => {
      await hasRead()
      say(topic, { request })
    }
    const moved = (payload: unknown) => ({ done: ended(bench, payload) })
    /** Confirms the robot's pose, then the first motion. */
    const begun = async (payload: unknown) => {
      const { done } = moved(payload)
      await answer(await event('confirm-pose'))
      await answer(await event('confirm-motion'))
      return { done }
    }
    beforeEach(async () => {
      controller.targets.length = 0
      await bench.deploy()
      listen()
    })

    it('asks for the pose first, then for each motion, and tells when it stands there', async () => {
      const { done } = moved([flange(410), flange(405)])
      const shown = await event('confirm-pose')
      should(shown).have.properties(['flange', 'tcp', 'tcpOffset', 'unit', 'payload'])
      controller.targets.should.be.empty()
      await answer(shown)
      const asked = await event('confirm-motion')
      should(asked.poses).have.length(1)
      controller.targets.should.be.empty()
      await answer(asked)
      await event('reached')
      const next = await event('confirm-motion')
      controller.targets.should.have.length(1)
      await answer(next)
      const { payload } = await done
      should((payload as { flange: { x: number } }).flange.x).be.approximately(405, 0.1)
    })

    it('goes home', async () => {
      const { done } = await begun('home')
      await done
      should(controller.pose[0]).be.approximately(0.41, 1e-6)
    })

    it('moves nothing if it is declined', async () => {
      const { done } = moved(flange(410))
      await answer(await event('confirm-pose'), 'decline')
      await done.should.be.rejectedWith({ code: 'NOT_CONFIRMED', message: /declined/ })
      controller.targets.should.be.empty()
    })

    /** Why an answer does not count. */
    const refusal = async (message: Record<string, unknown>) =>
      (await bench.send(message).should.be.rejectedWith({ code: 'INVALID_INPUT' })) as Caught & {
        cause: { reason: string }
      }

    it('takes no confirmation of anything else', async () => {
      should(await refusal({ topic: 'confirm' })).match({
        cause: { reason: 'missing' },
        message: /No question is open/,
      })
      const { done } = moved(flange(410))
      const { request } = await event('confirm-pose')
      should(await refusal({ topic: 'confirm', request })).match({ cause: { reason: 'too-early' } })
      await hasRead()
      should(await refusal({ topic: 'confirm', request: 'other' })).match({ cause: { reason: 'foreign' } })
      should(await refusal({ topic: 'confirm' })).match({
        ...{ cause: { reason: 'missing' } },
        message: /msg\.request set to payload\.request of the message that asks/,
      })
      say('stop')
      await done.should.be.rejectedWith({ code: 'NOT_CONFIRMED' })
      should(await refusal({ topic: 'confirm', request })).match({ cause: { reason: 'withdrawn' } })
      controller.targets.should.be.empty()
    })

    for (const gap of [0, 50, 150, 400])
      it(`takes a double click of ${gap} ms for one answer`, async () => {
        const { done } = moved(flange(410))
        const first = await event('confirm-pose')
        await answer(first)
        let latest = first.request
        bench.helperNode('out1').on('input', ({ payload }) => (latest = (payload as Event).request ?? latest))
        await setTimeout(gap)
        // As a flow does that keeps the id of the question that was asked last.
        const { cause } = await refusal({ topic: 'confirm', request: latest })
        should(cause.reason).equal(latest === first.request ? 'duplicate' : 'too-early')
        await event('confirm-motion')
        controller.targets.should.be.empty()
        say('stop')
        await done.should.be.rejectedWith({ code: 'NOT_CONFIRMED' })
      })

    it('takes the first of two persons only, and nothing of yesterday', async () => {
      const { done } = moved(flange(410))
      const pose = await event('confirm-pose')
      await answer(pose)
      const motion = await event('confirm-motion')
      await hasRead()
      const both = [bench.node, bench.node].map((node, person) =>
        node.receive({ topic: 'confirm', request: motion.request, person }),
      )
      should(both).have.length(2)
      await done
      should(controller.targets).have.length(1)
      should(await refusal({ topic: 'confirm', request: motion.request })).match({
        cause: { reason: 'duplicate' },
      })
      await bench.deploy()
      listen()
      const again = moved(flange(420))
      await event('confirm-pose')
      await hasRead()
      for (const { request } of [pose, motion])
        should(await refusal({ topic: 'confirm', request })).match({ cause: { reason: 'foreign' } })
      say('stop')
      await again.done.should.be.rejectedWith({ code: 'NOT_CONFIRMED' })
      should(controller.targets).have.length(1)
    })

    for (const topic of ['Stop', ' stop ', 'STOP'])
      it(`obeys "${topic}" as it does stop`, async () => {
        const { done } = await begun(flange(600))
        await eventually(() => controller.speed.should.be.above(0.02))
        say(topic)
        await done.should.be.rejectedWith({ code: 'STOPPED' })
        await event('stopped')
        controller.speed.should.equal(0)
      })

    it('asks again from where the robot stands, if it was moved while a question was open', async () => {
      const { done } = moved(flange(410))
      await answer(await event('confirm-pose'))
      const before = await event('confirm-motion')
      should(before).containEql({ millimetres: 10 })
      controller.pose[0] = 0.395
      const again = await event('confirm-motion')
      should(again).containEql({ millimetres: 15 })
      await hasRead()
      should(await refusal({ topic: 'confirm', request: before.request })).match({
        cause: { reason: 'withdrawn' },
      })
      controller.targets.should.be.empty()
      await answer(again)
      await done
    })

    it('closes its question with the connection, in which the robot may be jogged, and with a protective stop', async () => {
      const { done } = moved(flange(410))
      await answer(await event('confirm-pose'))
      const lost = await event('confirm-motion')
      controller.cut('all')
      await done.should.be.rejectedWith({ code: /CONNECTION_LOST|UNREACHABLE/ })
      controller.pose[0] = 0.5
      should(await refusal({ topic: 'confirm', request: lost.request })).match({
        cause: { reason: 'withdrawn' },
      })
      await eventually(() => bench.send({ payload: flange(900) }).should.be.rejectedWith({ code: 'LIMIT' }))
      const again = moved(flange(410))
      const stopped = await event('confirm-motion')
      should(stopped).containEql({ millimetres: 90 })
      controller.protectiveStop()
      await again.done.should.be.rejectedWith({ code: 'PROTECTIVE_STOP' })
      should(await refusal({ topic: 'confirm', request: stopped.request })).match({
        cause: { reason: 'withdrawn' },
      })
      controller.targets.should.be.empty()
    })

    it('is stopped by a message, while motions wait', async () => {
      const { done } = await begun(flange(600))
      await eventually(() => controller.speed.should.be.above(0.02))
      say('stop')
      await done.should.be.rejectedWith({ code: 'STOPPED' })
      await event('stopped')
      controller.speed.should.equal(0)
    })

    it('goes on after a protective stop only by a reset and a new confirmation', async () => {
      const { done } = await begun(flange(600))
      await eventually(() => controller.speed.should.be.above(0.02))
      controller.protectiveStop()
      await done.should.be.rejectedWith({ code: 'PROTECTIVE_STOP' })
      await event('latched')
      await bench.status('PROTECTIVE_STOP')
      Object.assign(controller, { safetyBits: 1, runtime: 1 })
      await eventually(() =>
        bench.send({ payload: flange(600) }).should.be.rejectedWith({ code: 'RESET_NEEDED' }),
      )
      say('reset')
      await event('reset')
      const again = moved(flange(600))
      await event('confirm-pose')
      say('stop')
      await again.done.should.be.rejectedWith({ code: 'NOT_CONFIRMED' })
    })

    it('brakes when its node is deployed in the middle, and asks for the pose again', async () => {
      await begun(flange(600))
      await eventually(() => controller.speed.should.be.above(0.02))
      await bench.deploy({}, 'nodes')
      await bench.deploy({ confirmWithin: 61 }, 'nodes')
      await eventually(() => controller.speed.should.equal(0))
      should(controller.pose[0]).be.below(0.59)
      listen()
      const { done } = moved(flange(600))
      await event('confirm-pose')
      say('stop')
      await done.should.be.rejectedWith({ code: 'NOT_CONFIRMED' })
    })

    it('names what is wrong with a pose, and with limits', async () => {
      await bench.send({ payload: 'somewhere' }).should.be.rejectedWith({ code: 'INVALID_INPUT' })
      await bench.send({ payload: flange(800) }).should.be.rejectedWith({ code: 'LIMIT', message: /400 mm/ })
    })
  })

  describe('that moves while an enable signal is held', () => {
    before(() => configure())
    const bench = useBench(
      {
        type: 'vision-robot',
        robot: 'arm',
        action: 'move',
        outputs: 2,
        confirm: 'held',
        heldFor: 1000,
        speed: 50,
      },
      { flow: [configuration] },
    )

    it('stops as soon as the signal no longer comes', async () => {
      const done = ended(bench, flange(600))
      const events: Event[] = []
      bench.helperNode('out1').on('input', ({ payload }) => events.push(payload as Event))
      const saw = (name: string) =>
        eventually(() => should(events.some(({ event }) => event === name)).be.true())
      const say = (topic: string, more: object = {}) => bench.node.receive({ topic, ...more })
      await saw('confirm-pose')
      await hasRead()
      say('confirm', { request: events.find(({ request }) => request)?.request })
      await saw('hold-enable')
      controller.speed.should.equal(0)
      const holding = setInterval(() => say('enable'), 50)
      try {
        await eventually(() => controller.speed.should.be.above(0.02))
      } finally {
        clearInterval(holding)
      }
      await done.should.be.rejectedWith({ code: 'ENABLE_LOST' })
      await eventually(() => controller.speed.should.equal(0))
      should(controller.pose[0]).be.below(0.59)
    })
  })

  describe('with ten moves queued, and no confirmation required', () => {
    let device: VirtualDevice
    const truth = async () =>
      (await (await fetch(`${device.url}/virtual/arm`)).json()) as {
        motions: number
        moves: boolean
        program: string | null
        flange: Pose
      }
    const bench = useBench(
      { type: 'vision-robot', robot: 'arm', action: 'move', outputs: 2, confirm: 'none', shape: 'array' },
      {
        flow: [
          configuration,
          { ...onTab, id: 'stop', type: 'vision-robot', robot: 'arm', action: 'stop', wires: [] },
        ],
      },
    )
    const failures: Caught[] = []
    beforeEach(async () => {
      device = await startVirtualDevice({ port: 0, arm: 'ur5e', armPort: 0 })
      const { rtde = 0, primary = 0, dashboard = 0 } = device.ports['arm']?.parts ?? {}
      configure({ rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard, home: '' })
      await bench.deploy()
      failures.length = 0
      bench.helperNode('caught').on('input', (message) => failures.push(message['error'] as Caught))
      bench.helperNode('out1').on('input', ({ payload }) => {
        const { event, request } = payload as Event
        if (event === 'confirm-pose')
          void hasRead().then(() => bench.node.receive({ topic: 'confirm', request }))
      })
      await bench.status('ready')
      const { flange: at } = await truth()
      const poses = [0.06, 0].map((up) =>
        numbersOfPose('universal-robots-pendant', {
          ...at,
          position: { ...at.position, z: at.position.z + up },
        }),
      )
      for (let count = 0; count < 10; count++)
        bench.node.receive({ _msgid: `move ${count}`, payload: poses[count % 2] })
      await eventually(async () => should((await truth()).moves).be.true())
    })
    afterEach(() => device.stop())
    const stands = () =>
      eventually(async () => should(await truth()).have.properties({ moves: false, program: null }))
    const provoke = (settings: object) => device.setScenario({ arm: settings })
    const stops: [name: string, code: string, stop: () => unknown][] = [
      ['a message', 'STOPPED', () => bench.node.receive({ topic: 'stop' })],
      ['another node', 'STOPPED', () => bench.helperNode('stop').receive({})],
      ['a protective stop', 'PROTECTIVE_STOP', () => provoke({ protective_stop: 'now' })],
      ['an emergency stop', 'EMERGENCY_STOP', () => provoke({ emergency_stop: true })],
      ['the loss of the connection', 'CONNECTION_LOST', () => provoke({ link: 'cut' })],
    ]
    for (const [name, code, stop] of stops)
      it(`executes none of them after ${name}: each fails with an error of its own`, async () => {
        await stop()
        await eventually(() => failures.should.have.length(10))
        failures
          .map((failure) => failure.code ?? '')
          .sort()
          .should.deepEqual([...Array<string>(9).fill('ABORTED'), code].sort())
        await stands()
        ;(await truth()).motions.should.equal(1)
        // What was accepted after the stop is worked on.
        await bench.send({ payload: 'somewhere' }).should.be.rejectedWith({ code: 'INVALID_INPUT' })
      })

    it('executes none of them after its node was closed', async () => {
      await bench.deployWithout('nodes')
      await stands()
      ;(await truth()).motions.should.equal(1)
      bench.logged('vision-robot').should.matchAny(/ABORTED 9, STOPPED 1/)
    })
  })

  describe('that stops', () => {
    before(() => configure())
    const bench = useBench({ type: 'vision-robot', robot: 'arm', action: 'stop' }, { flow: [configuration] })

    it('says by which ways, and that the robot stands', async () => {
      await bench.status('ready')
      const { payload } = await bench.send()
      should(payload).containEql({ confirmed: true, enable: true, command: true })
    })

    it('says when that cannot be seen', async () => {
      controller.frozen = true
      await bench.send().should.be.rejectedWith({ code: 'STOP_UNCONFIRMED', message: /emergency stop/ })
    })
  })
})
