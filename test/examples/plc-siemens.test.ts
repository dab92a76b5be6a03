import should from 'should'
import { s7Protocol } from '../../lib/plc/s7'
import { startPlcClient, type PlcClient } from '../../lib/plc/client'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'

describe('the example plc-siemens', () => {
  const example = useExample('plc-siemens', [8223, 1102])
  let other: PlcClient<unknown> | undefined
  after(() => other?.close())

  it('gives the CPU a pose for each trigger, says that PUT/GET is not permitted, and goes on', async () => {
    const { follows, press, output, prints } = example()
    await eventually(() => void output().should.match(/:device\] ready/))
    await follows('siemens-press', /code: 0,\s+done: true[^]*pose: \[/)
    output().should.not.match(/Could not connect to the PLC/)
    await press('siemens-forbid')
    await prints(/does not permit PUT\/GET/)
    await press('siemens-permit')
    await follows('siemens-press', /code: 0,\s+done: true[^]*pose: \[/)
  })

  it('goes on with a CPU that was restarted with empty memory', async () => {
    const { answers, press } = example()
    await press('siemens-clear')
    await answers('siemens-press', /code: 0,\s+done: true[^]*pose: \[/)
  })

  it('answers a number that a program of others writes into the data block', async () => {
    const protocol = s7Protocol()
    const client = startPlcClient({ protocol, host: '127.0.0.1', port: example().port(1102) })
    other = client as unknown as PlcClient<unknown>
    await eventually(() => client.isOpen.should.be.true())
    const words = (address: number, count: number) =>
      client.request({ kind: 'read', area: 'registers', address, count })
    await eventually(async () => should(((await words(27, 1))[0] ?? 0) & 1).equal(1))
    const [before = 0] = await words(28, 1)
    await client.request({ kind: 'write', area: 'registers', address: 0, values: [before + 1] })
    await eventually(async () => should(await words(28, 1)).eql([before + 1]))
  })
})
