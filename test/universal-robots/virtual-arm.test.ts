import should from 'should'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { composed, distance, type Pose } from '../../lib/robotics'
import { Robot, type MotionOptions } from '../../lib/robot-motion'
import { universalRobot } from '../../lib/universal-robots/universal-robot'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { end } from '../support/end-of'
import { eventually } from '../support/eventually'
import { startSlowLine } from '../support/proxies/slow-line'

/** Metres per second, and metres of the way up. */
const speed = 0.05
const far = 0.2
/** Deceleration of a stop, m/s²; the arm has begun to brake within these seconds. */
const braking = 2
const brakesWithin = 0.5

/** What is true about the arm; `time` is its own, in which it stands still with the process of this test. */
interface Truth {
  time: number
  moves: boolean
  program: string | null
  safety: string
  flange: Pose
  tcp_speed: number[]
}

describe('a Universal Robots arm of the virtual device', () => {
  let device: VirtualDevice
  let robot: Robot | undefined
  let child: ChildProcess | undefined

  const truth = async () => (await (await fetch(`${device.url}/virtual/arm`)).json()) as Truth
  const ports = () => {
    const { rtde = 0, primary = 0, dashboard = 0 } = device.ports['arm']?.parts ?? {}
    return { rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard }
  }
  const openConfirmed = async () => {
    const opened = new Robot(universalRobot({ host: '127.0.0.1', ...ports(), mayMove: true }), {
      mayMove: true,
      limits: { speed, acceleration: 1, step: 1, turn: 60 },
    })
    robot = opened
    await eventually(() => opened.link.is.should.equal('up'))
    await opened.confirmPose(await opened.read())
    return opened
  }
  const moves = () =>
    eventually(async () => {
      const { tcp_speed } = await truth()
      Math.hypot(...tcp_speed.slice(0, 3)).should.be.above(0.9 * speed)
    })
  /** Begins a long motion, and waits until the arm moves. */
  const movingFar = async (options: MotionOptions = {}) => {
    const arm = await openConfirmed()
    const moving = arm.moveAlong([raised((await arm.read()).flange, far)], options)
    moving.catch(() => undefined)
    await moves()
    return { arm, moving }
  }
  /** Ends the motion, and checks how far the arm went on until it stood. */
  const brakesAfter = async (end: () => unknown) => {
    const before = await truth()
    before.moves.should.be.true()
    await end()
    const after = await truth()
    await eventually(async () => should(await truth()).have.properties({ moves: false, program: null }))
    const { flange } = await truth()
    const way = speed * (after.time - before.time + brakesWithin) + speed ** 2 / (2 * braking)
    distance(before.flange.position, flange.position).should.be.below(way + 0.001)
  }

  beforeEach(async () => {
    device = await startVirtualDevice({ port: 0, arm: 'ur5e', armPort: 0 })
  })
  afterEach(async () => {
    if (child) await end(child, 'SIGKILL')
    await robot?.close()
    robot = child = undefined
    await device.stop()
  })

  it('is read', async () => {
    const arm = await openConfirmed()
    const { flange, mode, safety, program } = await arm.read()
    const { flange: trueFlange } = await truth()
    distance(flange.position, trueFlange.position).should.be.below(1e-6)
    should({ mode, safety, program }).deepEqual({ mode: 'running', safety: 'normal', program: 'stopped' })
    ;(await arm.remoteControl(new AbortController().signal))?.should.be.true()
  })

  it('moves to one pose after the other, and stands there', async () => {
    const arm = await openConfirmed()
    const { flange } = await arm.read()
    const there = await arm.moveAlong([raised(flange, 0.01), raised(flange, 0.02)])
    distance(there.flange.position, raised(flange, 0.02).position).should.be.below(1e-4)
    should(await truth()).have.properties({ moves: false, program: null, motions: 2 })
  })

  it('is stopped in the middle', async () => {
    const { arm, moving } = await movingFar()
    await brakesAfter(async () => {
      const report = await arm.stop()
      report.should.containEql({ confirmed: true, ways: { enable: true, command: true } })
    })
    await moving.should.be.rejectedWith({ code: 'STOPPED' })
  })

  it('brakes when the enable signal is withheld', async () => {
    let enabled = true
    const { moving } = await movingFar({ enabled: () => enabled })
    await brakesAfter(() => (enabled = false))
    await moving.should.be.rejectedWith({ code: 'ENABLE_LOST' })
  })

  for (const link of ['cut', 'frozen'] as const)
    it(`brakes by itself when its connections are ${link}`, async () => {
      const { arm, moving } = await movingFar()
      await brakesAfter(() => device.setScenario({ arm: { link } }))
      await moving.should.be.rejectedWith({ code: 'CONNECTION_LOST', message: /brakes automatically/ })
      arm.permit.should.have.property('is', 'latched')
    })

  it('brakes when its client is closed', async () => {
    const { arm, moving } = await movingFar()
    await brakesAfter(() => arm.close())
    await moving.should.be.rejectedWith({ code: 'ABORTED' })
  })

  it('brakes by itself when the process that moves it is killed', async () => {
    const killed = fork(join(__dirname, 'moving-process.js'), [
      JSON.stringify(ports()),
      String(far),
      String(speed),
    ])
    child = killed
    await moves()
    await brakesAfter(() => killed.kill('SIGKILL'))
  })

  it('ends with an error at a protective stop in the middle', async () => {
    const { arm, moving } = await movingFar()
    await brakesAfter(() => device.setScenario({ arm: { protective_stop: 'now' } }))
    await moving.should.be.rejectedWith({ code: 'PROTECTIVE_STOP' })
    arm.permit.should.deepEqual({ is: 'latched', reason: 'PROTECTIVE_STOP' })
    should((await truth()).safety).equal('PROTECTIVE_STOP')
  })
})

/** The time that passes on the network is what these tests are about. */
const passed = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const raised = (flange: Pose, z: number): Pose =>
  composed({ position: { x: 0, y: 0, z }, orientation: { w: 1, x: 0, y: 0, z: 0 } }, flange)

describe('a Universal Robots arm behind a slow network', () => {
  let device: VirtualDevice
  let robot: Robot
  let lines: Awaited<ReturnType<typeof startSlowLine>>[] = []

  const truth = async () =>
    (await (await fetch(`${device.url}/virtual/arm`)).json()) as Truth & { motions: number }
  /** Somebody else sends a program. */
  const sent = async (program: string) => {
    const socket = connect({ host: '127.0.0.1', port: device.ports['arm']?.parts?.['primary'] ?? 0 })
    await once(socket, 'data')
    socket.write(program)
    await eventually(async () => (await truth()).moves.should.be.true())
    socket.destroy()
  }
  const stands = async () => {
    await eventually(async () => should(await truth()).have.properties({ moves: false, program: null }))
    return truth()
  }

  beforeEach(async () => {
    device = await startVirtualDevice({ port: 0, arm: 'ur5e', armPort: 0 })
    const { rtde = 0, primary = 0, dashboard = 0 } = device.ports['arm']?.parts ?? {}
    lines = await Promise.all([rtde, primary, dashboard].map((port) => startSlowLine(port)))
    const [rtdePort = 0, primaryPort = 0, dashboardPort = 0] = lines.map(({ port }) => port)
    robot = new Robot(
      universalRobot({ host: '127.0.0.1', rtdePort, primaryPort, dashboardPort, mayMove: true }),
      { mayMove: true, limits: { speed: 0.25, acceleration: 2, step: 1, turn: 60 } },
    )
    await eventually(() => robot.link.is.should.equal('up'))
    await robot.confirmPose(await robot.read())
  })
  afterEach(async () => {
    await robot.close()
    await Promise.all(lines.map((line) => line.stop()))
    await device.stop()
  })

  for (const delay of [60, 100])
    it(`does not move after a stop is confirmed, whenever it comes, ${delay} ms away`, async () => {
      for (const line of lines) line.delay = delay
      // All the way from the question of the dashboard to the motion: 2 ways for each connection, 2 for each question.
      const step = process.env['CELLSIGHT_LONG'] ? delay / 4 : 1.3 * delay
      for (let after = 0; after <= 10 * delay; after += step) {
        const { flange } = await robot.read()
        const moving = robot.moveAlong([raised(flange, 0.05)])
        moving.catch(() => undefined)
        await passed(after)
        const { confirmed } = await robot.stop()
        const { flange: stopped, motions } = await truth()
        confirmed.should.be.true()
        await moving.should.be.rejectedWith({ code: 'STOPPED' })
        // Whatever was still on its way arrives within this time.
        await passed(6 * delay)
        const later = await stands()
        later.motions.should.equal(motions)
        distance(stopped.position, later.flange.position).should.be.below(1e-6)
        robot.permit.should.deepEqual({ is: 'confirmed' })
      }
    })

  it('does not count the time of a slow connection as that of a program that does not start', async () => {
    const [, primary] = lines
    if (primary) primary.delay = 900
    const { flange } = await robot.read()
    const there = await robot.moveAlong([raised(flange, 0.005)])
    distance(there.flange.position, raised(flange, 0.005).position).should.be.below(1e-4)
  })

  for (const [name, code, happens] of [
    ['a tool was changed', 'POSE_CHANGED', () => device.setScenario({ arm: { tcp: [0, 0, 0.1, 0, 0, 0] } })],
    [
      'something else has moved it',
      'NOT_AT_REST',
      () => sent('def others():\n  movej([0,-1.5,-1.5,-1.5,1.5,0])\nend\n'),
    ],
  ] as const)
    it(`does not begin where ${name} while it connected`, async () => {
      const [, primary] = lines
      if (primary) primary.delay = 400
      const moving = robot.moveAlong([raised((await robot.read()).flange, 0.005)])
      moving.catch(() => undefined)
      await passed(100)
      await happens()
      await moving.should.be.rejectedWith({ code })
      robot.permit.should.deepEqual({ is: 'latched', reason: code })
      const { motions } = await stands()
      await passed(1000)
      should(await stands()).have.properties({ motions })
    })

  for (const direction of ['toClient', 'toServer'] as const)
    it(`brakes within half a second when nothing goes ${direction} any more`, async () => {
      const { flange } = await robot.read()
      const moving = robot.moveAlong([raised(flange, 0.2)], { speed: 0.15 })
      moving.catch(() => undefined)
      await eventually(async () => {
        const { tcp_speed } = await truth()
        Math.hypot(...tcp_speed.slice(0, 3)).should.be.above(0.9 * 0.15)
      })
      const before = await truth()
      for (const line of lines) line.silence(direction)
      const after = await truth()
      const { flange: stopped } = await stands()
      const way = 0.15 * (after.time - before.time + brakesWithin) + 0.15 ** 2 / (2 * braking)
      distance(before.flange.position, stopped.position).should.be.below(way + 0.001)
      for (const line of lines) line.reset()
      await moving.should.be.rejected()
      robot.permit.is.should.equal('latched')
    })
})
