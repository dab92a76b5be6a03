import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../../virtual-device'
import { eventually } from '../../support/eventually'
import { startSparkplugCell, type SparkplugCell } from './cell'
import { metricOf, type SparkplugMessage } from './decoded'
import { sessionProblems } from './session-problems'

const fps = 'Parameters/dev_camera/fps'
const trigger = 'Services/dev_stereomatching/acquisition_trigger'

describe('commands of a Sparkplug host', function () {
  this.timeout(120_000)
  let device: VirtualDevice
  let cell: SparkplugCell
  const start = async (agent: object) => {
    device = await startVirtualDevice({ port: 0 })
    cell = await startSparkplugCell({ left: device.url }, agent)
    return cell.next('DBIRTH', 0, (message) => metricOf(message, fps)?.value !== undefined)
  }
  afterEach(async () => {
    should(sessionProblems(cell.wire.connections)).eql([])
    await cell.stop()
    await device.stop()
  })

  const outcome = async (from: number, state: string): Promise<SparkplugMessage> =>
    cell.next('DDATA', from, (message) => metricOf(message, 'Command/State')?.value === state)
  const set = (value: number, timestamp?: number) =>
    cell.write([{ name: fps, type: 'Double', value }], 'left', timestamp)

  it('are executed as far as the cell allows it, once each', async () => {
    const birth = await start({
      maySet: true,
      parameters: 'dev_camera/fps, dev_camera/none',
      services: 'dev_stereomatching/acquisition_trigger',
    })
    should(metricOf(birth, fps)).match({ type: 'Double', value: 25 })
    should(metricOf(birth, fps)?.properties).equal(undefined)
    should(metricOf(birth, trigger)).match({ type: 'Boolean', value: false })

    const from = cell.heard.length
    await set(10)
    should(metricOf(await outcome(from, 'done'), 'Command/Id')?.value).match(/^sparkplug:/)
    await cell.next('DDATA', from, (message) => metricOf(message, fps)?.value === 10)
    should(device.parameter('dev_camera', 'fps')).equal(10)

    const before = cell.heard.length
    await cell.write([{ name: trigger, type: 'Boolean', value: true }], 'left')
    await cell.next('DDATA', before, (message) => metricOf(message, trigger)?.value === false)
    // The device takes pictures by itself, and says so.
    const refused = await outcome(before, 'failed')
    should(metricOf(refused, 'Command/Code')?.value).equal('REFUSED')
    const calls = device
      .calls()
      .filter(({ input }) => 'service' in input && input.service === 'acquisition_trigger')
    should(calls).have.length(1)
  })

  it('take effect once, although a message comes twice', async () => {
    await start({ maySet: true, parameters: 'dev_camera/fps' })
    const time = Date.now()
    await set(10, time)
    await outcome(0, 'done')
    const from = cell.heard.length
    await set(12, time + 1)
    await cell.next('DDATA', from, (message) => metricOf(message, fps)?.value === 12)
    await set(10, time)
    await set(99, time + 2)
    const refused = await outcome(from, 'refused')
    should(metricOf(refused, 'Command/Code')?.value).equal('INVALID_INPUT')
    should(metricOf(refused, 'Command/Text')?.value).match(/fps/)
    should(device.parameter('dev_camera', 'fps')).equal(12)
  })

  it('are refused where the cell allows nothing', async () => {
    const birth = await start({ parameters: 'dev_camera/fps' })
    should(metricOf(birth, fps)).match({ properties: { readOnly: { value: true } } })
    should(metricOf(birth, trigger)).equal(undefined)
    for (const name of [fps, trigger, 'Link', 'Link']) {
      const from = cell.heard.length
      await cell.write([{ name, type: 'Double', value: 10 }], 'left')
      should(await outcome(from, 'refused')).match({ device: 'left' })
    }
    should(device.parameter('dev_camera', 'fps')).equal(25)
  })

  it('wait for the primary host, and so do the births', async () => {
    device = await startVirtualDevice({ port: 0 })
    cell = await startSparkplugCell({ left: device.url }, { primaryHost: 'scada' })
    const say = (online: boolean, timestamp: number) =>
      cell.host.publishAsync('spBv1.0/STATE/scada', JSON.stringify({ online, timestamp }), {
        ...{ qos: 1, retain: true },
      })
    await eventually(() => should(cell.wire.connections.at(-1)?.isAccepted).equal(true))
    await say(false, 1000)
    await say(true, 2000)
    await cell.next('NBIRTH', 0, ({ bdSeq }) => bdSeq === 0)
    // The death of a connection that the host no longer has.
    await say(false, 1000)
    const from = cell.heard.length
    await cell.write([{ name: 'Node Control/Rebirth', type: 'Boolean', value: true }])
    await cell.next('NBIRTH', from, ({ bdSeq }) => bdSeq === 0)
    await say(false, 2000)
    await cell.next('NDEATH', from, ({ bdSeq }) => bdSeq === 0)
    await eventually(() => should(cell.wire.connections.at(-1)?.will?.bdSeq).equal(1))
    should(cell.heard.at(-1)?.kind).equal('NDEATH')
    await say(true, 3000)
    await cell.next('NBIRTH', from, ({ bdSeq }) => bdSeq === 1)
  })
})
