import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../../virtual-device'
import { eventually } from '../../support/eventually'
import { startSparkplugCell, type SparkplugCell } from './cell'
import { metricOf } from './decoded'
import { sessionProblems } from './session-problems'

describe('a Sparkplug session through the MQTT nodes of Node-RED', function () {
  this.timeout(120_000)
  let device: VirtualDevice
  let cell: SparkplugCell
  before(async () => {
    device = await startVirtualDevice({ port: 0 })
    cell = await startSparkplugCell({ left: device.url }, {})
  })
  after(async () => {
    await cell.stop()
    await device.stop()
  })
  afterEach('nothing that the specification forbids was on the wire', () =>
    should(sessionProblems(cell.wire.connections, lost)).eql([]),
  )
  /** Numbers that deploys may have lost together with the requests that carried them. */
  let lost = 0

  const lastNumber = () => cell.wire.connections.findLast(({ isAccepted }) => isAccepted)?.will?.bdSeq ?? -1
  const follows = (number: number) => (number + 1) % 256
  /** A new session begins, with a death of the one before. */
  const sessionAfter = async (work: () => Promise<void> | void) => {
    const from = cell.heard.length
    const number = lastNumber()
    await work()
    await cell.next('NDEATH', from, ({ bdSeq }) => bdSeq === number)
    await cell.next('NBIRTH', from, ({ bdSeq }) => bdSeq === follows(number))
    await cell.next('DBIRTH', from)
    should(lastNumber()).equal(follows(number))
  }

  it('tells the cell and its devices by itself', async () => {
    const node = await cell.next('NBIRTH', 0)
    should(node.bdSeq).equal(0)
    should(metricOf(node, 'bdSeq')).match({ type: 'Int64' })
    should(metricOf(node, 'Node Control/Rebirth')).match({ type: 'Boolean', value: false })
    should(metricOf(node, 'Cell/Devices')).match({ type: 'Int32' })
    const left = await cell.next('DBIRTH', 0, ({ metrics }) =>
      metrics.some(({ name, value }) => name === 'Properties/Serial' && value !== null),
    )
    should(left.device).equal('left')
    should(metricOf(left, 'Link')).match({ type: 'String', value: 'ready' })
    should(metricOf(left, 'Temperature')).match({
      type: 'Double',
      properties: { engUnit: { value: '°C' }, readOnly: { value: true } },
    })
  })

  it('gives each connection a death of its own when the connection is cut', async () => {
    for (let time = 0; time < 5; time++) await sessionAfter(() => cell.wire.cut())
  })

  it('does so when the broker is killed', async () => {
    const number = lastNumber()
    await cell.broker.kill()
    await cell.broker.start()
    await eventually(() => should(lastNumber()).equal(follows(number)))
    // The host was away, too: it asks for what it has missed.
    const from = cell.heard.length
    await eventually(() => should(cell.host.connected).equal(true))
    await cell.write([{ name: 'Node Control/Rebirth', type: 'Boolean', value: true }])
    should(await cell.next('NBIRTH', from)).match({ bdSeq: follows(number) })
  })

  it('keeps the number of the session in a birth that a host asks for', async () => {
    const from = cell.heard.length
    await cell.write([{ name: 'Node Control/Rebirth', type: 'Boolean', value: true }])
    should(await cell.next('NBIRTH', from)).match({ bdSeq: lastNumber(), seq: 0 })
    should(await cell.next('DBIRTH', from)).match({ device: 'left', seq: 1 })
  })

  it('begins a new session with each deploy, whatever part of the flow it replaces', async () => {
    await sessionAfter(async () => {
      await cell.red.deploy(cell.flows)
    })
    for (const id of ['out', 'agent', 'out', 'agent']) await sessionAfter(() => deployRenamed(id))
  })

  let deploys = 0
  /** Deploys one node alone. */
  const deployRenamed = (id: string) =>
    cell.deployNodes(
      cell.flows.map((flow) => (flow['id'] === id ? { ...flow, name: `${id} ${++deploys}` } : flow)),
    )

  it('is asked for ever more rarely while each connection is cut at once', async () => {
    const from = cell.wire.connections.length
    const began = performance.now()
    let cuts = 0
    cell.wire.cut()
    await eventually(() => {
      const { connections } = cell.wire
      if (connections.length > from + cuts && connections.at(-1)?.isAccepted) {
        cuts++
        cell.wire.cut()
      }
      should(performance.now() - began).be.above(5000)
    }, 20_000)
    // Without pauses there are hundreds.
    should(cuts).be.within(2, 25)
  })

  it('survives deploys in quick succession', async () => {
    lost = 7
    for (const id of ['out', 'agent', 'complete', 'out', 'status', 'agent', 'out']) await deployRenamed(id)
    const from = cell.heard.length
    await cell.write([{ name: 'Node Control/Rebirth', type: 'Boolean', value: true }])
    await cell.next('DBIRTH', from)
    // What Node-RED's node refuses because it connects by itself when it is deployed is asked for again.
    should(cell.red.output()).not.match(/Uncaught/)
  })

  it('goes on counting after Node-RED was killed', async () => {
    await sessionAfter(async () => {
      await cell.kill()
      await cell.restart()
    })
  })

  it('tells the death and the birth of a device', async () => {
    const from = cell.heard.length
    const port = Number(new URL(device.url).port)
    await device.stop()
    should(await cell.next('DDEATH', from)).match({ device: 'left' })
    await cell.next('NDATA', from, (message) => metricOf(message, 'Cell/Devices offline')?.value === 1)
    device = await startVirtualDevice({ port })
    await cell.next('DBIRTH', from)
  })

  it('ends when the agent is deleted, although the nodes around it stay', async () => {
    const from = cell.heard.length
    const number = lastNumber()
    const flows = await cell.red.flows()
    await cell.deployNodes(flows.filter(({ id }) => id !== 'agent'))
    should(await cell.next('NDEATH', from)).match({ bdSeq: number })
    should(cell.wire.connections.at(-1)?.sent.at(-1)).eql({ kind: 'disconnect' })
  })
})
