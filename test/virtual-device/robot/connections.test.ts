import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import should from 'should'
import { interfaceCodes, jobStates, serveRobot } from '../../../lib/robot-interface'
import { manualClock, startVirtualDevice } from '../../../virtual-device'

import { seededRandom } from '../../../virtual-device/values'
import { eventually } from '../../support/eventually'
import { send } from '../support/use-device'
import { jobOf, requestOf, Robot, useRobots } from './robot'

describe('the connections of robots', () => {
  const clock = manualClock()
  const cell = useRobots({ clock })

  it('take a request in any number of pieces, and answer in one', async () => {
    await cell.job(0, jobOf.tags)
    const robot = await cell.robot()
    const bytes = requestOf('TRIGGER_JOB_SYNC')
    for (let count = 1; count <= 54; count++) {
      const size = Math.floor(54 / count)
      for (let piece = 0; piece < count; piece++)
        robot.send(bytes.subarray(piece * size, piece === count - 1 ? 54 : (piece + 1) * size))
      should(await robot.answer()).have.properties({ code: 0, action: 2 })
    }
    robot.pieces.should.eql(Array<number>(54).fill(80))
  })

  it('answer several requests that come at once, in order', async () => {
    const robot = await cell.robot()
    robot.send(Buffer.concat([1, 2, 3].map((job) => requestOf('GET_JOB_STATUS', { job }))))
    for (const jobId of [1, 2, 3]) should(await robot.answer()).have.properties({ jobId, code: -12 })
  })

  it('answer a robot that sends nothing more', async () => {
    const robot = await cell.robot()
    robot.socket.end(requestOf('STATUS'))
    should(await robot.answer()).have.properties({ data2: 1 })
    await robot.closed
  })

  it('end with the code of a request that is none, because nothing that follows is understood', async () => {
    const robot = await cell.robot()
    robot.send(Buffer.concat([Buffer.from('GET / HTTP/1.1\r\n'), requestOf('STATUS')]))
    should(await robot.answer()).have.property('code', interfaceCodes.INVALID_REQUEST_ERROR)
    await robot.closed
    await should(robot.answer()).be.rejectedWith('The connection ended after 0 bytes.')
  })

  it('serve three robots at once, with the same jobs and results', async () => {
    cell.api.device.setScenario({ robot_job_seconds: 2 })
    for (const job of [1, 2, 3]) await cell.job(job, jobOf.tags)
    const robots = await Promise.all([cell.robot(), cell.robot(), cell.robot()])
    const [one, two, three] = robots
    const firsts = Promise.all(
      robots.map((robot, index) => robot.ask('TRIGGER_JOB_SYNC', { job: index + 1 })),
    )
    const watcher = await cell.robot()
    for (const job of [1, 2, 3])
      await eventually(async () =>
        should(await watcher.ask('GET_JOB_STATUS', { job })).have.property('data2', jobStates.RUNNING),
      )
    clock.advance(2)
    for (const [index, first] of (await firsts).entries())
      should(first).have.properties({ code: 0, jobId: index + 1, data2: 4 })
    // What one has fetched, the others do not get.
    const left = []
    for (const robot of [one, two, three]) left.push((await robot.ask('GET_NEXT_POSE', { job: 1 })).data2)
    left.should.eql([3, 2, 1])
    should(await two.ask('GET_NEXT_POSE', { job: 2 })).have.property('data2', 3)
  })

  it('serve a waiting robot and others at the same time', async () => {
    cell.api.device.setScenario({ robot_job_seconds: 60 })
    await cell.job(0, jobOf.tags)
    const [waiting, other] = [await cell.robot(), await cell.robot()]
    const first = waiting.ask('TRIGGER_JOB_SYNC')
    await eventually(async () =>
      should(await other.ask('GET_JOB_STATUS')).have.property('data2', jobStates.RUNNING),
    )
    for (const action of [
      'TRIGGER_JOB_SYNC',
      'TRIGGER_JOB_ASYNC',
      'GET_NEXT_POSE',
      'GET_RELATED_POSE',
    ] as const)
      should(await other.ask(action)).have.property('code', interfaceCodes.JOB_STILL_RUNNING)
    clock.advance(60)
    should(await first).have.properties({ code: 0, data2: 4 })
    should(await other.ask('GET_JOB_STATUS')).have.property('data2', jobStates.DONE)
  })

  it('time out a job after 70 s, and the next trigger works', async () => {
    cell.api.device.setScenario({ robot_job_seconds: 3600 })
    await cell.job(0, jobOf.tags)
    const robot = await cell.robot()
    const watcher = await cell.robot()
    const first = robot.ask('TRIGGER_JOB_SYNC')
    await eventually(async () =>
      should(await watcher.ask('GET_JOB_STATUS')).have.property('data2', jobStates.RUNNING),
    )
    clock.advance(69.9)
    should(await watcher.ask('GET_JOB_STATUS')).have.property('data2', jobStates.RUNNING)
    clock.advance(0.1)
    should(await first).have.properties({ code: interfaceCodes.PROCESSING_TIMEOUT, pose: undefined })
    should(await watcher.ask('GET_JOB_STATUS')).have.properties({ code: 0, data2: jobStates.FAILED })
    cell.api.device.setScenario({ robot_job_seconds: 0 })
    should(await robot.ask('TRIGGER_JOB_SYNC')).have.properties({ code: 0 })
  })

  it('do not lose a pose to a robot that disconnects while its job runs', async () => {
    cell.api.device.setScenario({ robot_job_seconds: 3 })
    await cell.job(0, jobOf.tags)
    const [lost, next] = [await cell.robot(), await cell.robot()]
    lost.send(requestOf('TRIGGER_JOB_SYNC'))
    await eventually(async () =>
      should(await next.ask('GET_JOB_STATUS')).have.property('data2', jobStates.RUNNING),
    )
    lost.socket.resetAndDestroy()
    // A robot in the middle of a request does not matter to others either.
    const half = await cell.robot()
    half.send(requestOf('TRIGGER_JOB_SYNC').subarray(0, 30))
    half.socket.end()
    await half.closed
    clock.advance(3)
    should(await next.ask('GET_JOB_STATUS')).have.property('data2', jobStates.DONE)
    should(await next.ask('GET_NEXT_POSE')).have.properties({ code: 0, data2: 4 })
  })

  it('see a job that was deleted or stored again without its earlier results', async () => {
    await cell.job(0, jobOf.tags)
    const robot = await cell.robot()
    await robot.ask('TRIGGER_JOB_SYNC')
    await cell.removeJob(0)
    should(await robot.ask('GET_NEXT_POSE')).have.property('code', interfaceCodes.JOB_DOES_NOT_EXIST)
    await cell.job(0, jobOf.tags)
    should(await robot.ask('GET_JOB_STATUS')).have.properties({ code: 0, data2: jobStates.INACTIVE })
    should(await robot.ask('GET_NEXT_POSE')).have.property('code', interfaceCodes.NO_POSES_FOUND)
  })

  it('are reset while the device is off or begins to boot, and its jobs then have no results', async () => {
    await cell.job(0, jobOf.tags)
    const robot = await cell.robot()
    await robot.ask('TRIGGER_JOB_ASYNC')
    ;(await cell.api.put('/system/reboot')).status.should.equal(200)
    await should(robot.ask('STATUS')).be.rejectedWith(/connection ended/)
    clock.advance(1)
    const early = await cell.robot()
    should(await early.ask('STATUS')).have.properties({ code: 0, data2: 0 })
    should(await early.ask('GET_NEXT_POSE')).have.property('code', interfaceCodes.API_NOT_REACHABLE)
    clock.advance(10)
    should(await early.ask('STATUS')).have.properties({ code: 0, data2: 1 })
    should(await early.ask('GET_JOB_STATUS')).have.properties({ code: 0, data2: jobStates.INACTIVE })
    cell.api.device.setScenario({ offline: true })
    await should(early.ask('STATUS')).be.rejectedWith(/connection ended/)
    cell.api.device.setScenario({ offline: false })
    should(await (await cell.robot()).ask('STATUS')).have.properties({ data2: 1 })
  })

  it('survive whatever bytes arrive', async () => {
    await cell.job(0, jobOf.tags)
    const random = seededRandom(7100)
    const below = (limit: number) => Math.floor(random() * limit)
    const frames = process.env.CELLSIGHT_LONG ? 100_000 : 4000
    let robot = await cell.robot()
    for (let frame = 0; frame < frames; frame++) {
      const bytes = requestOf('GET_JOB_STATUS', { job: below(2) })
      for (let hits = 1 + below(6); hits > 0; hits--) bytes[below(below(2) ? 12 : 54)] = below(256)
      robot.send(bytes)
      // Without a valid beginning or length, what follows is out of step.
      const isInStep = bytes.readUInt32LE(0) === 4807239 && bytes[5] === 54
      if (isInStep) {
        const { code } = await robot.answer()
        should(code >= -18 && code <= 4).equal(true)
        continue
      }
      robot.close()
      robot = await cell.robot()
    }
    should(await (await cell.robot()).ask('STATUS')).have.properties({ code: 0, data2: 1 })
  }).timeout(process.env.CELLSIGHT_LONG ? 1_200_000 : 120_000)
})

describe('an incomplete request', () => {
  it('ends its connection, and silence without one does not', async () => {
    const never = { isGone: false, answer: () => Promise.resolve(undefined) }
    const server = createServer({ allowHalfOpen: true }, (socket) => serveRobot(socket, never, 20))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const [idle, half] = [await Robot.connected(port), await Robot.connected(port)]
    half.send(requestOf('STATUS').subarray(0, 53))
    await half.closed
    // The looks at the other one are counted from its last byte, and it has sent none.
    idle.send(Buffer.alloc(54))
    should(await idle.answer()).have.property('code', interfaceCodes.INVALID_REQUEST_ERROR)
    await idle.closed
    server.close()
    await once(server, 'close')
  })
})

describe('the port of the robot interface', () => {
  it('is open on the multi variant only, unless it is off', async () => {
    for (const [variant, robotPort, open] of [
      ['multi', 0, true],
      ['multi', 'off', false],
      ['single', 0, false],
    ] as const) {
      const device = await startVirtualDevice({ port: 0, variant, robotPort })
      should(device.ports.robot !== undefined).equal(open)
      const { body } = await send('GET', `${device.url}/virtual/ports`)
      should(body).eql(device.ports)
      await device.stop()
    }
  })

  it('is refused by a sentence if it was set by hand and is taken', async () => {
    const first = await startVirtualDevice({ port: 0, variant: 'multi', robotPort: 0 })
    const robotPort = first.ports.robot?.port ?? 0
    await startVirtualDevice({ port: 0, variant: 'multi', robotPort }).should.be.rejectedWith({
      message: `Port ${robotPort} on 127.0.0.1, set for the robot interface, is in use: choose another, 0 for any free one, or off.`,
    })
    await first.stop()
    const again = await startVirtualDevice({ port: 0, variant: 'multi', robotPort })
    await again.stop()
  })

  it('closes its connections when the device stops', async () => {
    const device = await startVirtualDevice({ port: 0, variant: 'multi', robotPort: 0 })
    const robot = await Robot.connected(device.ports.robot?.port ?? 0)
    await robot.ask('STATUS')
    await device.stop()
    await robot.closed
  })

  it('must be a port, auto or off', async () => {
    for (const robotPort of [-1, 65536, 0.5, 'on' as 'off'])
      await startVirtualDevice({ port: 0, variant: 'multi', robotPort }).should.be.rejectedWith({
        message: 'The port of the robot interface must be a whole number from 0 to 65535, auto or off.',
      })
  })
})
