import should from 'should'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { composed, distance, identity, type Pose } from '../../../lib/robotics'
import { lineEnds, RobotLink, dialects } from '../../../lib/robots'
import { codes, numbersOf } from '../../robots/options'
import { root } from '../../support/root'
import { moveBy, program, until, useArm } from './clients'

const along = (z: number): Pose => ({ ...identity(), position: { x: 0, y: 0, z } })

/** The list "RealTime 5.10" of the maker's client interfaces, and how many numbers of eight bytes each is. */
const realtimeFields = `
  time q_target*6 qd_target*6 qdd_target*6 i_target*6 m_target*6 q_actual*6 qd_actual*6 i_actual*6 i_control*6
  tool_vector_actual*6 tcp_speed_actual*6 tcp_force*6 tool_vector_target*6 tcp_speed_target*6 digital_input_bits
  motor_temperatures*6 controller_timer unused_1 robot_mode joint_modes*6 safety_mode unused_2*6 tool_accelerometer*3
  unused_3*6 speed_scaling linear_momentum_norm unused_4 unused_5 v_main v_robot i_robot v_actual*6 digital_outputs
  program_state elbow_position*3 elbow_velocity*3 safety_status unused_6 unused_7 unused_8 payload_mass payload_cog*3
  payload_inertia*6`

describe('sockets of programs of the simulated arm', () => {
  const arm = useArm()
  let link: RobotLink | undefined
  afterEach(() => link?.close())

  const opened = async (poses: readonly Pose[]) => {
    const asked: (Pose | undefined)[] = []
    const open: RobotLink = await RobotLink.open(
      {
        ...{ host: '127.0.0.1', port: 0, allow: ['127.0.0.1'], connections: 4, codes, commands: ['PICK'] },
        ...{
          dialect: dialects['universal-robots'],
          numbers: numbersOf('universal-robots'),
          end: lineEnds.lf,
        },
        ...{ deadline: 60_000, oldest: 60_000, workspace: {}, newToken: () => `token ${asked.length}` },
      },
      {
        onCycle: ({ token, pose }) => {
          asked.push(pose)
          setImmediate(() => open.answer(token, { code: 0, poses: poses.map((each) => ({ pose: each })) }))
        },
        ...{ onOver: () => undefined, onReply: () => undefined, onNotice: () => undefined },
        onChange: () => undefined,
      },
    )
    link = open
    return { asked, port: open.port }
  }

  it('ask for a pose, and move there: the program of the documentation', async function () {
    this.timeout(60_000)
    const { flange } = await arm.truth()
    const { asked, port } = await opened([composed(flange, along(0.05))])
    const text = readFileSync(join(root, 'docs/robots/universal-robots.script'), 'utf8')
      .replace(/^#.*\n/gm, '')
      .replace('"192.168.0.10", 8112', `"127.0.0.1", ${port}`)
    const primary = await arm.primary()
    primary.send(text.trimStart())
    await primary.tells(7, 'PROGRAM_XXX_STARTEDvision_pick')
    await until(async () => (await arm.pass(0.2)).program === null)
    primary.texts(0).should.be.empty()
    primary.texts(10).should.be.empty()
    should(asked).have.length(1)
    distance((asked[0] ?? along(9)).position, flange.position).should.be.below(1e-5)
    const after = await arm.truth()
    distance(after.flange.position, composed(flange, along(-0.05)).position).should.be.below(1e-5)
    should(after.motions).equal(3)
    await until(() => link?.robots.length === 0)
  })

  it('are refused, silent, closed with the program, and few', async function () {
    this.timeout(60_000)
    const { port } = await opened([])
    const primary = await arm.primary()
    primary.send(
      program(
        'sockets',
        'textmsg("refused ", socket_open("127.0.0.1", 1, "a"))',
        `textmsg("open ", socket_open("127.0.0.1", ${port}))`,
        'a = socket_read_ascii_float(2, "socket_0", 0.5)',
        'textmsg("silent ", a[0])',
        'textmsg("unknown ", socket_send_string("x", "never"))',
        'sleep(100)',
      ),
    )
    await until(async () => {
      await arm.pass(0.2)
      return primary.texts(0).length === 4
    })
    primary.texts(0).should.eql(['refused False', 'open True', 'silent 0', 'unknown False'])
    should(link?.robots.length).equal(1)
    primary.send('stop program\n')
    await until(() => link?.robots.length === 0)
    const opening = Array.from({ length: 9 }, (_, index) => `socket_open("127.0.0.1", ${port}, "${index}")`)
    primary.send(program('many', ...opening))
    await until(async () => {
      await arm.pass(0.02)
      return primary.texts(10).some((text) => text.includes('too many open sockets'))
    })
    await until(() => link?.robots.length === 0)
  })
})

describe('the interfaces of the simulated arm', () => {
  const arm = useArm()

  it('have the digital outputs that a program sets', async () => {
    const primary = await arm.primary()
    primary.send(
      program(
        'outputs',
        'set_digital_out(1, True)',
        'set_configurable_digital_out(0, True)',
        'set_tool_digital_out(1, True)',
        'set_digital_out(0, True)',
        'set_standard_digital_out(0, False)',
        'textmsg(get_digital_out(1), get_standard_digital_in(1))',
      ),
    )
    await primary.tells(7, 'STARTEDoutputs')
    await arm.pass(0.1)
    await primary.tells(0, 'TrueFalse')
    should(await arm.truth()).have.property('digital_outputs', 2 + 256 + 131_072)
    primary.send('set_digital_out(10, True)\n')
    await primary.tells(7, 'STARTED')
    await until(async () => {
      await arm.pass(0.01)
      return primary.texts(10).some((text) => text.includes('there is no digital signal 10'))
    })
  })

  it('send the state of each cycle on the real-time port, which takes programs, too', async () => {
    const line = await arm.realtime()
    const before = await arm.truth()
    line.send(program('up', moveBy(0, 0, 0.1)))
    const primary = await arm.primary()
    await until(async () => (await arm.truth()).program === 'up')
    const { length } = line.received
    await arm.pass(0.2)
    await until(() => line.received.length >= length + 100 * 1220)
    should(line.received.length % 1220).equal(0)
    const last = line.received.subarray(-1220)
    last.readInt32BE(0).should.equal(1220)
    last.readDoubleBE(756).should.equal(7)
    last.readDoubleBE(1052).should.equal(2)
    const now = await arm.truth()
    last.readDoubleBE(4).should.be.approximately(now.time, 1e-9)
    last.readDoubleBE(460).should.be.approximately(now.tcp.position.z, 1e-9)
    now.tcp.position.z.should.be.above(before.tcp.position.z)
    primary.texts(10).should.be.empty()
    arm.bench.device.setScenario({ arm: { remote: false } })
    await until(() => line.isClosed)
  })

  it('send on the real-time port what the maker lists, in its order', async () => {
    const line = await arm.realtime()
    const rtde = await arm.rtde()
    await rtde.ask('V', Buffer.from([0, 2]))
    const same = ['timestamp', 'actual_q', 'actual_TCP_pose', 'speed_scaling', 'safety_status', 'payload']
    const rate = Buffer.alloc(8)
    rate.writeDoubleBE(500)
    await rtde.ask('O', Buffer.concat([rate, Buffer.from(same.join(','))]))
    await rtde.ask('S')
    await arm.pass(0.1)
    await until(() => rtde.data.length > 0 && line.received.length > 0)
    const timeOf = (bytes: Buffer | undefined, at: number) => bytes?.readDoubleBE(at)
    await until(() => timeOf(rtde.data.at(-1), 1) === timeOf(line.received.subarray(-1220), 4))
    const last = line.received.subarray(-1220)
    const data = rtde.data.at(-1) ?? Buffer.alloc(0)
    const read: Record<string, number[]> = {}
    let at = 4
    for (const [, name = '', count = '1'] of realtimeFields.matchAll(/(\w+)(?:\*(\d))?/g)) {
      read[name] = Array.from({ length: Number(count) }, (_, index) => last.readDoubleBE(at + 8 * index))
      at += 8 * Number(count)
    }
    should(at).equal(1220)
    const numbers = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => data.readDoubleBE(from + 8 * index))
    should(read).containEql({ time: numbers(1, 1), q_actual: numbers(9, 6), q_target: numbers(9, 6) })
    should(read).containEql({ tool_vector_actual: numbers(57, 6), tool_vector_target: numbers(57, 6) })
    should(read).containEql({ speed_scaling: numbers(105, 1), safety_status: [data.readInt32BE(113)] })
    should(read).containEql({ payload_mass: numbers(117, 1), robot_mode: [7], safety_mode: [1] })
    should(read).containEql({ joint_modes: Array(6).fill(253), v_actual: Array(6).fill(48) })
    for (const [name, values] of Object.entries(read))
      if (name.startsWith('unused')) should(values).matchEach(0)
  })

  it('know the commands of the dashboard that programs of other makers give', async () => {
    const { ask } = await arm.dashboard()
    should(await ask('isProgramSaved')).equal('true <unnamed>')
    should(await ask('set operational mode manual')).equal("Operational mode 'manual' is set")
    should(await ask('get operational mode')).equal('MANUAL')
    should(await ask('clear operational mode')).equal(
      "No longer controlling the operational mode. Current operational mode: 'NONE'.",
    )
    should(await ask('get operational mode')).equal('NONE')
    should(await ask('version')).match(/^5\.\d+\.\d+\.\d+$/)
    should(await ask('saveLog')).equal('Log saved to disk')
    // What the maker's own client expects, `dashboard_client_implementation_g5.cpp`.
    for (const type of ['', ' controller', ' software', ' system'])
      should(await ask(`generate flight report${type}`)).match(/^Flight Report generated with id:.+/)
    should(await ask('generate flight report robot')).match(/^Failed to execute:/)
    should(await ask('generate support file .')).match(
      /^Completed successfully: ur_20\d+_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\.zip$/,
    )
    should(await ask('load installation x.installation')).equal('File not found: x.installation')
    should(await ask('shutdown')).equal('Shutting down')
  })
})
