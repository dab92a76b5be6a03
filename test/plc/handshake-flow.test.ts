import should from 'should'
import ModbusRTU from 'modbus-serial'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { startNodeRed, type NodeRed } from '../support/node-red'

const onTab = { z: 'tab', x: 100, y: 100 }

describe('PLC trigger and result over Modbus TCP', () => {
  let red: NodeRed
  let plc: ModbusRTU
  let port: number

  const flow = (between: object[] = [], first = 'result', deadline = 0.5) => [
    { id: 'tab', type: 'tab', label: 'Cell' },
    { id: 'plc', type: 'vision-plc-handshake', name: '', family: 'four-phases', port, deadline },
    { ...onTab, id: 'trigger', type: 'vision-plc-trigger', handshake: 'plc', wires: [[first], []] },
    ...between,
    { ...onTab, id: 'result', type: 'vision-plc-result', wires: [[], []] },
  ]
  const work = (func: string, more: object = {}) => [
    { ...onTab, id: 'work', type: 'function', func, outputs: 1, wires: [['result']], ...more },
  ]
  const bits = ['ready', 'busy', 'done', 'error'] as const
  const state = async () => {
    const { data } = await plc.readHoldingRegisters(1, 3)
    const [word = 0, code = 0, counter = 0] = data
    return { says: bits.filter((_, bit) => word & (1 << bit)), code, counter }
  }
  const until = (...says: string[]) =>
    eventually(async () => {
      const now = await state()
      should(now.says).eql(says)
      return now
    })
  const write = (value: number) => plc.writeRegister(0, value)
  const deploy = async (nodes: object[]) => {
    const before = red.output().split('Started flows').length
    await red.deploy(nodes)
    await eventually(() => Promise.resolve(should(red.output().split('Started flows').length).above(before)))
    plc.close(() => undefined)
    plc = await connected()
  }
  const connected = () =>
    eventually(async () => {
      const client = new ModbusRTU()
      client.setTimeout(1000)
      await client.connectTCP('127.0.0.1', { port })
      return client
    })

  before(async () => {
    ;[port = 0] = await freePorts(1)
    red = await startNodeRed()
    plc = new ModbusRTU()
  })
  after(async () => {
    plc.close(() => undefined)
    await red.stop()
  })

  it('answers a trigger, and is ready again once it is released', async () => {
    await deploy(flow())
    await write(0)
    await until('ready')
    await write(1)
    const { code, counter } = await until('done')
    should({ code, counter }).eql({ code: 0, counter: 1 })
    await write(0)
    await until('ready')
  })

  it('answers with the code of an error that nobody catches', async () => {
    await deploy(flow(work('throw Object.assign(new Error("no way"), { code: "TIMEOUT" })'), 'work'))
    await write(0)
    await until('ready')
    await write(1)
    should((await until('error')).code).equal(202)
    await write(0)
    await until('ready')
  })

  /** Seconds that no cycle takes. */
  const long = 60
  const trigger = async () => {
    await write(0)
    await until('ready')
    await write(1)
  }
  const caughtBy = (to: string) => ({ ...onTab, id: 'catch', type: 'catch', scope: null, wires: [[to]] })
  const fails = 'throw Object.assign(new Error("no way"), { code: "TIMEOUT" })'

  it('answers with the code of an error that a Catch sends on to the result node', async () => {
    await deploy([...flow(work(fails), 'work', long), caughtBy('result')])
    await trigger()
    should((await until('error')).code).equal(202)
    await write(0)
    await until('ready')
  })

  it('leaves the answer to the flow behind a Catch that says a code', async () => {
    const says = { t: 'set', p: 'code', pt: 'msg', to: '0', tot: 'num' }
    await deploy([
      ...flow(work(fails), 'work', long),
      caughtBy('says'),
      { ...onTab, id: 'says', type: 'change', rules: [says], wires: [['result']] },
    ])
    await trigger()
    should((await until('done')).code).equal(0)
    await write(0)
    await until('ready')
  })

  it('is done where a Catch lets the node try again with success', async () => {
    await deploy([
      ...flow(work(`if (msg.error === undefined) ${fails}; return msg`), 'work', long),
      caughtBy('work'),
    ])
    await trigger()
    should((await until('done')).code).equal(0)
    await write(0)
    await until('ready')
  })

  it('fails with the last error where a Catch lets the node try again in vain, and then gives up', async () => {
    const again = { t: 'lt', v: '3', vt: 'num' }
    const counts = 'msg.tries = (msg.tries ?? 0) + 1; '
    await deploy([
      ...flow(work(counts + fails), 'work', long),
      caughtBy('again'),
      {
        ...onTab,
        id: 'again',
        type: 'switch',
        property: 'tries',
        propertyType: 'msg',
        rules: [again, { t: 'else' }],
        checkall: 'false',
        outputs: 2,
        wires: [['work'], ['result']],
      },
    ])
    await trigger()
    should((await until('error')).code).equal(202)
    await write(0)
    await until('ready')
  })

  it('ends by the deadline where nothing answers, and drops the late answer', async () => {
    await deploy(flow(work('setTimeout(() => { node.send(msg); node.done() }, 1500)'), 'work'))
    await write(0)
    await until('ready')
    await write(1)
    should((await until('error')).code).equal(208)
    await write(0)
    await until('ready')
  })

  it('tells the PLC of a cycle that a deploy interrupted', async () => {
    await write(1)
    await until('busy')
    await deploy(flow())
    await write(1)
    should((await until('error')).code).equal(206)
    await write(0)
    await until('ready')
  })

  it('does not execute a trigger that is set when it starts', async () => {
    await deploy([...flow(), { id: 'other', type: 'tab', label: 'changed' }])
    await write(1)
    should((await until('error')).code).equal(205)
    await write(0)
    await until('ready')
  })

  it('tells the PLC after a kill that a cycle was interrupted, and does not execute it again', async () => {
    const waits = work('setTimeout(() => { node.warn("worked"); node.send(msg); node.done() }, 400)')
    await deploy(flow(waits, 'work'))
    await write(0)
    await until('ready')
    await write(1)
    await until('busy')
    await red.kill()
    red = await startNodeRed({ userDir: red.userDir })
    plc.close(() => undefined)
    plc = await connected()
    await write(1)
    should((await until('error')).code).equal(206)
    await write(0)
    await until('ready')
    should(red.output()).not.containEql('worked')
  })
})
