import { createServer } from 'node:net'
import should from 'should'
import ModbusRTU from 'modbus-serial'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'
import { listening } from '../support/listening'

describe('the example plc-modbus-client', () => {
  const example = useExample('plc-modbus-client', [8175, 1540])
  let other: ModbusRTU | undefined
  after(() => other?.close(() => undefined))
  const deviceIsThere = (output: () => string) =>
    eventually(() => void output().should.match(/:device\] ready/))

  it('gives the PLC that it polls a pose for each trigger, or the code of what went wrong', async () => {
    const { follows, press, output } = example()
    await deviceIsThere(output)
    // Each trigger once: one that is still under way when the cable goes would find a cell that is no longer ready.
    await follows('polled-press', /code: 0,\s+done: true[^]*pose: \[/)
    // The PLC is there before the cell looks for it.
    output().should.not.match(/Could not connect to the PLC/)
    // What its program has to know of the polling is in the messages about cycles.
    output().should.match(/poll: \{[^}]*shortestPulse: \d+/)
    await press('polled-out')
    // A connection that breaks during a call leaves its outcome unknown.
    await follows('polled-press', /code: 20[13],\s+done: false/)
    await press('polled-in')
    await follows('polled-press', /code: 0,\s+done: true[^]*pose: \[/)
  })

  it('answers a number that a program of others writes into the PLC', async () => {
    const plc = (other = new ModbusRTU())
    await plc.connectTCP('127.0.0.1', { port: example().port(1540) })
    plc.setID(1)
    const words = async (address: number, count: number) =>
      (await plc.readHoldingRegisters(address, count)).data
    await eventually(async () => should(((await words(27, 1))[0] ?? 0) & 1).equal(1))
    const [counter = 0] = await words(9, 1)
    const [before = 0] = await words(28, 1)
    await plc.writeRegister(0, before + 1)
    await eventually(async () => should(await words(28, 1)).eql([before + 1]))
    should(await words(8, 2)).eql([0, counter + 1])
    // Six REAL, none of which is 0.
    const bytes = Buffer.alloc(24)
    ;(await words(14, 12)).forEach((word, place) => bytes.writeUInt16BE(word, place * 2))
    for (let place = 0; place < 6; place++) should(Math.abs(bytes.readFloatBE(place * 4))).be.above(1e-6)
  })

  it('goes on with a PLC whose memory is empty after a deploy', async () => {
    const { red, nodes, answers, output } = example()
    const before = output().length
    await red.deploy(nodes)
    await deviceIsThere(() => output().slice(before))
    // It counts from 1 again, and the cell from where it was.
    await answers('polled-press', /code: 0,\s+done: true[^]*counter: [2-9][^]*sequenceEcho: 1\b/)
  })
  it('tries again where the port of the PLC was taken at the deploy', async () => {
    const { red, nodes, answers, output } = example()
    const blocker = await listening(createServer())
    const before = output().length
    await red.deploy(
      nodes.map((node) => ('hostPort' in node ? { ...node, hostPort: blocker.port } : node)),
    )
    const isTaken = `Port ${blocker.port} of 127.0.0.1 is already in use`
    await eventually(() => void output().slice(before).should.containEql(isTaken))
    await blocker.stop()
    await deviceIsThere(() => output().slice(before))
    await answers('polled-press', /code: 0,\s+done: true/)
  })
})
