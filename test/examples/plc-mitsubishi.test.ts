import should from 'should'
import { type PlcClient, startPlcClient } from '../../lib/plc/client'
import { slmpAddress, type SlmpModelRequest, slmpProtocol } from '../../lib/plc/slmp'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'

describe('the example plc-mitsubishi', () => {
  const example = useExample('plc-mitsubishi', [8221, 5007])
  let other: PlcClient<SlmpModelRequest> | undefined
  after(() => other?.close())

  it('gives the CPU a pose for each trigger, says that writing in RUN is disabled, and goes on', async () => {
    const { follows, press, output, prints } = example()
    await eventually(() => void output().should.match(/:device\] ready/))
    await follows('mitsubishi-press', /code: 0,\s+done: true[^]*pose: \[/)
    output().should.not.match(/Nothing listens at/)
    await press('mitsubishi-forbid')
    await prints(/refuses writes while its program is running \(end code 0055\)/)
    await press('mitsubishi-permit')
    await follows('mitsubishi-press', /code: 0,\s+done: true[^]*pose: \[/)
  })

  it('goes on with a CPU that was restarted with empty memory', async () => {
    const { answers, press } = example()
    await press('mitsubishi-clear')
    await answers('mitsubishi-press', /code: 0,\s+done: true[^]*pose: \[/)
  })

  it('answers a number that a program of others writes to D100', async () => {
    const start = slmpAddress('D100')
    const protocol = slmpProtocol({ ...(start && { start }) })
    const client = (other = startPlcClient({ protocol, host: '127.0.0.1', port: example().port(5007) }))
    await eventually(() => client.isOpen.should.be.true())
    const words = (address: number, count: number) =>
      client.request({ kind: 'read', area: 'registers', address, count })
    await eventually(async () => should(((await words(27, 1))[0] ?? 0) & 1).equal(1))
    const [before = 0] = await words(28, 1)
    await client.request({ kind: 'write', area: 'registers', address: 0, values: [before + 1] })
    await eventually(async () => should(await words(28, 1)).eql([before + 1]))
  })
})
