import should from 'should'
import { composed, ofRotationVector, type Pose } from '../../lib/robotics'
import {
  moverOf,
  Robot,
  type MotionLimits,
  type MotionOptions,
  type RobotEvents,
} from '../../lib/robot-motion'
import { universalRobot } from '../../lib/universal-robots/universal-robot'
import { eventually } from '../support/eventually'
import { Controller } from './controller'

const limits: MotionLimits = { speed: 0.25, acceleration: 1, step: 0.5, turn: 60 }
/** Flange of the controller's pose: the TCP is 150 mm in front of it. */
const flangeAt = (x: number, z = 0.45): Pose => ({
  position: { x, y: -0.2, z },
  orientation: ofRotationVector({ x: 0, y: Math.PI, z: 0 }),
})

describe('a Universal Robots arm', () => {
  let controller: Controller
  let robot: Robot

  const open = (events: RobotEvents = {}, mayMove = true, more: Partial<MotionLimits> = {}) => {
    const { rtde, primary, dashboard } = controller.ports
    const driver = universalRobot({
      ...{ host: '127.0.0.1', rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard, mayMove },
    })
    robot = new Robot(driver, { mayMove, limits: { ...limits, ...more } }, events)
  }
  /** Open, and the pose confirmed. */
  const openConfirmed = async (more: Partial<MotionLimits> = {}) => {
    open({}, true, more)
    await eventually(() => robot.link.is.should.equal('up'))
    await robot.confirmPose(await robot.read())
  }

  beforeEach(async () => {
    controller = await new Controller().start()
  })
  afterEach(async () => {
    await robot.close()
    await eventually(() => controller.connections.should.equal(0))
    await controller.stop()
  })

  it('tells its flange: the TCP without its offset', async () => {
    open({}, false)
    const { flange, tcp, tcpOffset, mode, safety, program, payload, joints } = await robot.read()
    flange.position.z.should.be.approximately(0.45, 1e-9)
    composed(flange, tcpOffset).position.z.should.be.approximately(tcp.position.z, 1e-9)
    should({ mode, safety, program, payload }).deepEqual({
      ...{ mode: 'running', safety: 'normal', program: 'stopped' },
      payload: { mass: 1.5, centre: { x: 0, y: 0, z: 0.05 } },
    })
    joints.length.should.equal(6)
    controller.registers.should.deepEqual({})
  })

  it('moves to a pose, and stands there', async () => {
    await openConfirmed()
    const state = await robot.moveAlong([flangeAt(0.42), flangeAt(0.4, 0.46)])
    state.flange.position.x.should.be.approximately(0.4, 1e-4)
    state.flange.position.z.should.be.approximately(0.46, 1e-4)
    controller.targets
      .map(([x, , z]) => [x, z])
      .should.deepEqual([
        [0.42, 0.3],
        [0.4, 0.31],
      ])
  })

  /** Begins a long motion, and waits until the arm moves. */
  const movingFar = async (options: MotionOptions = {}) => {
    await openConfirmed({ speed: 0.05, acceleration: 0.2, step: 1 })
    const moving = robot.moveAlong([flangeAt(1.2)], options)
    moving.catch(() => undefined)
    await eventually(() => controller.speed.should.be.above(0.04))
    return { moving }
  }
  const standsStill = () =>
    eventually(() => {
      controller.speed.should.equal(0)
      should(controller.stoodAt).be.above(0)
    })

  it('is stopped by two ways at once, and says that it stands', async () => {
    const { moving } = await movingFar()
    const report = await robot.stop()
    report.should.containEql({ confirmed: true, ways: { enable: true, command: true } })
    await moving.should.be.rejectedWith({ code: 'STOPPED' })
    controller.scripts
      .at(-1)
      ?.trim()
      .should.match(/^def cs_stop\(\):\n {2}stopl\(2\.0\)\nend$/)
    should(controller.registers['input_int_register_24']).equal(0)
    robot.permit.should.deepEqual({ is: 'confirmed' })
  })

  it('is stopped by the dashboard where programs are not taken', async () => {
    const { moving } = await movingFar()
    controller.options.deaf = true
    controller.safetyBits = 0b10
    const driverStops = robot.stop()
    controller.cut('primary')
    ;(await driverStops).confirmed.should.be.true()
    await moving.should.be.rejectedWith({ code: 'STOPPED' })
  })

  it('says that a stop is not confirmed while it cannot be seen', async () => {
    await openConfirmed()
    controller.frozen = true
    const report = await robot.stop()
    report.confirmed.should.be.false()
    robot.permit.should.containEql({ is: 'latched', reason: 'STOP_UNCONFIRMED' })
  })

  it('brakes by itself when its client falls silent', async () => {
    const { moving } = await movingFar()
    // The client hears nothing, so it enables nothing.
    controller.frozen = true
    await standsStill()
    should(controller.ended).equal('watchdog')
    await moving.should.be.rejectedWith({ code: 'CONNECTION_LOST' })
    robot.permit.should.containEql({ is: 'latched', reason: 'CONNECTION_LOST' })
  })

  it('brakes when the connection breaks in the middle, and only a person goes on', async () => {
    const { moving } = await movingFar()
    controller.cut('rtde')
    await moving.should.be.rejectedWith({ code: 'CONNECTION_LOST', message: /brakes automatically/ })
    await standsStill()
    await eventually(() => robot.link.is.should.equal('up'))
    await robot.moveAlong([flangeAt(0.4)]).should.be.rejectedWith({ code: 'RESET_NEEDED' })
    await robot.reset()
    await robot.moveAlong([flangeAt(0.4)]).should.be.rejectedWith({ code: 'NOT_CONFIRMED' })
    const now = await robot.read()
    await robot.confirmPose(now)
    const { x, z } = now.flange.position
    await robot.moveAlong([flangeAt(x + 0.01, z)])
  })

  it('brakes when it is closed in the middle', async () => {
    const { moving } = await movingFar()
    await robot.close()
    await moving.should.be.rejectedWith({ code: 'ABORTED' })
    await standsStill()
  })

  it('brakes when the caller gives up', async () => {
    const giving = new AbortController()
    const { moving } = await movingFar({ signal: giving.signal })
    giving.abort()
    await moving.should.be.rejectedWith({ code: 'STOPPED' })
    await standsStill()
  })

  it('brakes when the enable signal ends, and goes on with the next motion', async () => {
    let enabled = true
    const { moving } = await movingFar({ enabled: () => enabled })
    enabled = false
    await moving.should.be.rejectedWith({ code: 'ENABLE_LOST' })
    await standsStill()
    robot.permit.should.deepEqual({ is: 'confirmed' })
    const { x, z } = (await robot.read()).flange.position
    await robot.moveAlong([flangeAt(x + 0.005, z)])
  })

  it('ends at a protective stop, and only a person goes on', async () => {
    const { moving } = await movingFar()
    controller.protectiveStop()
    await moving.should.be.rejectedWith({ code: 'PROTECTIVE_STOP' })
    await robot.reset().should.be.rejectedWith({ code: 'PROTECTIVE_STOP' })
    controller.safetyBits = 1
    controller.runtime = 1
    await robot.read()
    await robot.moveAlong([flangeAt(0.4)]).should.be.rejectedWith({ code: 'RESET_NEEDED' })
    await eventually(() => robot.reset())
    robot.permit.should.deepEqual({ is: 'unconfirmed' })
    controller.commands.should.not.matchAny(/unlock|power|brake release/)
  })

  const states: [name: string, code: string, change: () => void][] = [
    ['emergency stop', 'EMERGENCY_STOP', () => (controller.safetyBits = 0b100_1100_0000)],
    ['safeguard stop', 'SAFETY_STOP', () => (controller.safetyBits = 0b100_0001_0000)],
    ['safety fault', 'SAFETY_STOP', () => (controller.safetyBits = 0b10_0000_0000)],
    ['switched off', 'WRONG_MODE', () => (controller.mode = 3)],
    ['paused on the pendant', 'WRONG_MODE', () => (controller.runtime = 4)],
    ['another tool', 'POSE_CHANGED', () => (controller.offset = [0, 0, 0.2, 0, 0, 0])],
    ['another payload', 'POSE_CHANGED', () => (controller.payload = 3)],
    ['the connection of the program lost', 'CONNECTION_LOST', () => controller.cut('primary')],
    [
      'local control chosen',
      'NOT_REMOTE',
      () => {
        controller.options.remote = 'false'
        controller.cut('primary')
      },
    ],
  ]
  for (const [name, code, change] of states)
    it(`ends in the middle of a motion: ${name}`, async () => {
      const { moving } = await movingFar()
      change()
      await moving.should.be.rejectedWith({ code })
      robot.permit.should.deepEqual({ is: 'latched', reason: code })
      controller.registers['input_int_register_24']?.should.equal(0)
    })

  it('does not begin where it cannot', async () => {
    await openConfirmed()
    const move = () => robot.moveAlong([flangeAt(0.41)])
    controller.options.remote = 'false'
    await move().should.be.rejectedWith({ code: 'NOT_REMOTE', message: /remote control/ })
    controller.options.remote = 'true'
    controller.runtime = 2
    await eventually(() => move().should.be.rejectedWith({ code: 'PROGRAM_RUNNING' }))
    controller.runtime = 1
    await eventually(async () => (await robot.read()).program.should.equal('stopped'))
    controller.options.deaf = true
    await move().should.be.rejectedWith({ code: 'REFUSED', message: /did not start/ })
    controller.targets.should.be.empty()
  })

  it('tells why the controller broke a motion off', async () => {
    const { moving } = await movingFar()
    const body = Buffer.alloc(8)
    body.writeUInt32BE(4, 0)
    controller.report(10, Buffer.concat([body, Buffer.from('inverse_kin_failed')]))
    await moving.should.be.rejectedWith({ code: 'REFUSED', message: /line 4 \(inverse_kin_failed\)/ })
    await standsStill()
  })

  it('does not take states from before the start of a motion for its end', async () => {
    await openConfirmed()
    controller.lag = 12
    const { flange } = await robot.moveAlong([flangeAt(0.42), flangeAt(0.4)])
    flange.position.x.should.be.approximately(0.4, 1e-4)
    should(controller.ended).equal('arrived')
  })

  it('waits for an enable that comes late, before anything moves', async () => {
    await openConfirmed()
    controller.unheard = 20
    await robot.moveAlong([flangeAt(0.42)])
    controller.unheard.should.equal(0)
    should(controller.ended).equal('arrived')
  })

  it('says that a connection is read-only', async () => {
    const { moving } = await movingFar()
    const body = Buffer.alloc(20)
    body.writeInt32BE(210, 0)
    controller.report(6, body)
    await moving.should.be.rejectedWith({ code: 'NOT_REMOTE' })
  })

  it('ends where it does not stand where it was sent', async () => {
    await openConfirmed()
    controller.missBy = 0.002
    await robot
      .moveAlong([flangeAt(0.41), flangeAt(0.42)])
      .should.be.rejectedWith({ code: 'NOT_THERE', message: /2\.0 mm/ })
    controller.targets.length.should.equal(1)
    robot.permit.should.containEql({ is: 'latched', reason: 'NOT_THERE' })
  })

  it('moves nothing that nobody has permitted', async () => {
    open({}, false)
    await robot.moveAlong([flangeAt(0.41)]).should.be.rejectedWith({ code: 'NOT_ALLOWED' })
    await robot.close()
    open()
    await robot.moveAlong([flangeAt(0.41)]).should.be.rejectedWith({ code: 'NOT_CONFIRMED' })
    const shown = await robot.read()
    controller.pose[2] = 0.31
    await eventually(() => robot.confirmPose(shown).should.be.rejectedWith({ code: 'POSE_CHANGED' }))
    controller.targets.should.be.empty()
  })

  it('sends nothing beyond its limits', async () => {
    await openConfirmed({
      step: 0.05,
      turn: 20,
      box: [
        [0.3, 0.5],
        [-0.4, 0.4],
        [0.28, 0.6],
      ],
    })
    const turned: Pose = { ...flangeAt(0.4), orientation: ofRotationVector({ x: 0, y: Math.PI - 0.4, z: 0 }) }
    const low = flangeAt(0.4, 0.42)
    const beyond: [Pose[], MotionOptions?][] = [
      [[flangeAt(0.46)]],
      [[turned]],
      // The TCP leaves the box, the flange does not.
      [[low]],
      [[flangeAt(0.44), flangeAt(0.48), flangeAt(0.51)]],
      [[flangeAt(0.41)], { speed: 0.26 }],
      [[flangeAt(0.41)], { speed: 0 }],
      [[flangeAt(0.41)], { acceleration: 1.1 }],
    ]
    for (const [poses, options] of beyond)
      await robot.moveAlong(poses, options).should.be.rejectedWith({ code: 'LIMIT' })
    await robot.moveAlong([]).should.be.rejectedWith({ code: 'INVALID_INPUT' })
    controller.targets.should.be.empty()
  })

  it('notices that something else moves it', async () => {
    await openConfirmed()
    controller.jog(0.02)
    await eventually(() => robot.permit.should.deepEqual({ is: 'latched', reason: 'NOT_AT_REST' }))
  })

  it('works on one motion at a time', async () => {
    const { moving } = await movingFar()
    await robot.moveAlong([flangeAt(0.4)]).should.be.rejectedWith({ code: 'BUSY' })
    await robot.stop()
    await moving.should.be.rejectedWith({ code: 'STOPPED' })
  })

  it('needs registers of its own to move, none to be read', async () => {
    controller.options.registersInUse = true
    await openConfirmed()
    await robot.moveAlong([flangeAt(0.41)]).should.be.rejectedWith({ code: 'REFUSED', message: /24 and 25/ })
    ;(await robot.read()).mode.should.equal('running')
  })

  for (const [name, version, cycle] of [
    ['CB3', [3, 15, 8, 106339], 8],
    ['e-Series', [5, 11, 6, 1010303], 2],
  ] as const)
    it(`of the generation ${name} counts its watchdog in its own cycles`, async () => {
      controller.options.version = [...version]
      controller.options.remote = 'could not understand'
      await openConfirmed()
      await robot.moveAlong([flangeAt(0.41)])
      controller.scripts[0]?.should.containEql(`cs_quiet < ${400 / cycle}`)
      should(robot.link).containEql({ version: version.slice(0, 3).join('.') })
    })

  it('reads old controllers without payload', async () => {
    controller.options.missing = ['payload', 'payload_cog']
    open({}, false)
    should((await robot.read()).payload).be.undefined()
  })

  it('is a mover for calibrations', async () => {
    await openConfirmed()
    const { signal } = new AbortController()
    const mover = moverOf(robot)
    ;(await mover.standing(signal)).atRest.should.be.true()
    await mover.moveAlong([flangeAt(0.41)], signal)
    ;(await mover.standing(signal)).pose.position.x.should.be.approximately(0.41, 1e-4)
  })
})
