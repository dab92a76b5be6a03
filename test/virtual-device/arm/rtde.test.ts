import should from 'should'
import { program, until, useArm, type RtdeLine } from './clients'

const frequency = (hertz: number, names: string) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(hertz)
  return Buffer.concat([bytes, Buffer.from(names)])
}

/** Bytes of an input package of recipe 1: an integer register. */
const integer = (value: number) => {
  const bytes = Buffer.alloc(5)
  bytes.writeUInt8(1)
  bytes.writeInt32BE(value, 1)
  return bytes
}

async function greeted(line: RtdeLine) {
  should([...(await line.ask('V', Buffer.from([0, 2])))]).eql([1])
  return line
}

describe('the real-time data exchange of the simulated arm', () => {
  const arm = useArm({ scenario: { arm: { tcp: [0, 0, 0.15, 0, 0, 0] } } })

  it('speaks the recorded session byte for byte', async () => {
    const line = await arm.rtde()
    line.send(Buffer.from('0005560002', 'hex'))
    await until(() => line.received.length === 4)
    line.received.toString('hex').should.equal('00045601')
    line.send(Buffer.from('000376', 'hex'))
    await until(() => line.received.length === 23)
    line.received.subarray(4).toString('hex').should.equal('001376000000050000000b00000006000f6a7f')
    const names = 'timestamp,actual_TCP_pose,tcp_offset,robot_mode,safety_status_bits,runtime_state'
    const recipe = await line.ask('O', frequency(10, names))
    recipe.toString('latin1').should.equal('\x01DOUBLE,VECTOR6D,VECTOR6D,INT32,UINT32,UINT32')
    const inputs = await line.ask('I', 'speed_slider_mask,speed_slider_fraction')
    inputs.toString('latin1').should.equal('\x01UINT32,DOUBLE')
    should([...(await line.ask('S'))]).eql([1])
    arm.clock.advance(0.1)
    await until(() => line.data.length === 1)
    const [data = Buffer.alloc(0)] = line.data
    data.length.should.equal(117)
    const { tcp, time } = await arm.truth()
    data.readDoubleBE(1).should.be.approximately(time, 0.1)
    should([0, 1, 2].map((index) => data.readDoubleBE(9 + 8 * index))).eql(Object.values(tcp.position))
    data.readDoubleBE(57 + 16).should.equal(0.15)
    data.subarray(105).toString('hex').should.equal('000000070000000100000001')
    line.say('U', Buffer.from('01000000013fd0000000000000', 'hex'))
    await until(async () => (await arm.truth()).slider === 0.25)
    should([...(await line.ask('P'))]).eql([1])
  })

  it('sends as often as asked, and nothing after a pause', async () => {
    const line = await greeted(await arm.rtde())
    await line.ask('O', frequency(125, 'timestamp'))
    await line.ask('S')
    arm.clock.advance(0.8)
    await until(() => line.data.length === 100)
    const [first = 0, second = 0] = line.data.map((data) => data.readDoubleBE(1))
    ;(second - first).should.be.approximately(0.008, 1e-9)
    await line.ask('P')
    await arm.pass(1)
    await greeted(await arm.rtde())
    line.data.length.should.equal(100)
  })

  it('knows the fields that the libraries of the maker request by default', async () => {
    const line = await greeted(await arm.rtde())
    const names = [
      ...[
        'actual_q',
        'actual_qd',
        'speed_scaling',
        'target_speed_fraction',
        'runtime_state',
        'actual_TCP_force',
      ],
      ...['actual_digital_input_bits', 'actual_digital_output_bits', 'analog_io_types', 'io_current'],
      ...[
        'standard_analog_input0',
        'standard_analog_input1',
        'standard_analog_output0',
        'standard_analog_output1',
      ],
      ...[
        'tool_mode',
        'tool_analog_input_types',
        'tool_analog_input0',
        'tool_analog_input1',
        'tool_output_mode',
      ],
      ...['tool_output_voltage', 'tool_output_current', 'tool_temperature', 'tool_digital_output0_mode'],
      ...[
        'tool_digital_output1_mode',
        'euromap67_input_bits',
        'euromap67_output_bits',
        'euromap67_24V_voltage',
      ],
      ...['euromap67_24V_current', 'ft_raw_wrench', 'wrench_calc_from_currents', 'actual_current_window'],
      ...[
        'joint_position_deviation_ratio',
        'collision_detection_ratio',
        'time_scale_source',
        'payload_inertia',
      ],
    ]
    const types = (await line.ask('O', frequency(125, names.join(',')))).toString('latin1')
    types.should.not.containEql('NOT_FOUND')
    types.split(',').should.have.length(names.length)
    should([...(await line.ask('S'))]).eql([1])
  })

  it('says why it refuses names of more than 2048 bytes', async () => {
    const line = await greeted(await arm.rtde())
    const texts = () =>
      line.packages.filter(({ type, payload }) => type === 'M' && /2048/.test(payload.toString()))
    const names = Array<string>(100).fill('actual_TCP_pose_of_a_long_name').join(',')
    await line.ask('O', frequency(125, names))
    await until(() => texts().length === 1)
    // The answer of a field each would not fit a package.
    await line.ask('O', frequency(125, ','.repeat(60_000)))
    should((await line.ask('I', ','.repeat(60_000))).toString('latin1')).equal('\x00NOT_FOUND')
    await until(() => texts().length === 3)
  })

  it('names what it does not know, and then starts nothing', async () => {
    const line = await greeted(await arm.rtde())
    const answer = await line.ask('O', frequency(250, 'timestamp,nonsense'))
    answer.toString('latin1').should.equal('\x00DOUBLE,NOT_FOUND')
    should([...(await line.ask('S'))]).eql([0])
  })

  it('speaks version 1 with who asks for nothing else', async () => {
    const line = await arm.rtde()
    should((await line.ask('O', 'timestamp,actual_q')).toString()).equal('DOUBLE,VECTOR6D')
    await line.ask('S')
    arm.clock.advance(0.002)
    await until(() => line.data.length === 1)
    should(line.data[0]?.length).equal(56)
  })

  it('refuses other versions', async () => {
    const line = await arm.rtde()
    should([...(await line.ask('V', Buffer.from([0, 3])))]).eql([0])
  })

  it('lets one client own an input, until it goes', async () => {
    const [one, other] = [await greeted(await arm.rtde()), await greeted(await arm.rtde())]
    should((await one.ask('I', 'input_int_register_24')).toString('latin1')).equal('\x01INT32')
    should((await other.ask('I', 'input_int_register_24')).toString('latin1')).equal('\x00IN_USE')
    one.socket.destroy()
    await until(
      async () => (await other.ask('I', 'input_int_register_24')).toString('latin1') === '\x01INT32',
    )
  })

  it('takes pieces of any size', async () => {
    const line = await arm.rtde()
    for (const byte of Buffer.from('0005560002000376', 'hex')) {
      line.send(Buffer.from([byte]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await until(() => line.received.length === 23)
  })

  it('ends a connection that sends nonsense', async () => {
    const line = await arm.rtde()
    line.send(Buffer.from([0, 0, 0, 0]))
    await until(() => line.isClosed)
  })

  it('hands registers to programs, and theirs to clients', async () => {
    const line = await greeted(await arm.rtde())
    await line.ask('I', 'input_int_register_24')
    line.say('U', integer(-41))
    await line.ask('O', frequency(500, 'output_int_register_24'))
    await line.ask('S')
    const primary = await arm.primary()
    primary.send(program('copy', 'write_output_integer_register(24, read_input_integer_register(24) - 1)'))
    await primary.tells(7, 'PROGRAM_XXX_STARTEDcopy')
    await until(() => {
      // The program may write its register after the package of a moment has left.
      arm.clock.advance(0.01)
      return line.data.at(-1)?.readInt32BE(1) === -42
    })
  })

  it('ends a program whose enable does not come for half a second', async () => {
    const line = await greeted(await arm.rtde())
    await line.ask('I', 'input_int_register_24')
    const primary = await arm.primary()
    primary.send(
      program(
        'watched',
        'rtde_set_watchdog("input_int_register_24", 2, "stop")',
        'movel(pose_add(get_actual_tcp_pose(), p[0,0,0.3,0,0,0]), a=0.2, v=0.05)',
      ),
    )
    await primary.tells(7, 'PROGRAM_XXX_STARTEDwatched')
    for (let count = 0; count < 5; count++) {
      arm.clock.advance(0.4)
      await arm.truth()
      line.say('U', integer(count))
      await line.ask('V', Buffer.from([0, 2]))
    }
    should(await arm.truth()).have.properties({ program: 'watched', moves: true })
    const { program: stopped } = await arm.pass(0.6)
    should(stopped).equal(null)
    const there = await arm.pass(0.3)
    there.moves.should.be.false()
  })
})

describe('the real-time data exchange of the older generation', () => {
  const arm = useArm({ arm: 'ur5' })

  it('sends at most 125 packages a second, and names its version', async () => {
    const line = await greeted(await arm.rtde())
    should((await line.ask('v')).readUInt32BE(0)).equal(3)
    await line.ask('O', frequency(125, 'timestamp'))
    await line.ask('S')
    arm.clock.advance(0.8)
    await until(() => line.data.length === 100)
  })
})
