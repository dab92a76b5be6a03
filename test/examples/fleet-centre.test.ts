import { MqttCell } from '../../bench/support/mqtt-cell'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'
import { newBroker, type TestBroker } from '../support/mosquitto'

describe('the example fleet-centre', function () {
  this.timeout(60_000)
  const example = useExample('fleet-centre', [1883], undefined, { settings: { mqttReconnectTime: 500 } })
  const cells: MqttCell[] = []
  let broker: TestBroker

  before(async () => {
    const port = example().port(1883)
    broker = await newBroker(undefined, { port })
    await broker.start()
    for (const cell of ['cell-1', 'cell-2']) {
      const one = new MqttCell({
        ...{ root: 'vision', plant: 'north', cell, port, every: 20, devices: ['left', 'right'] },
      })
      cells.push(one)
      await one.start()
    }
  })
  after(async () => {
    for (const cell of cells) await cell.close()
    await broker.stop()
  })

  it('shows the cells, rolls parameters out after an approval, and reports', async () => {
    const { prints, press, output, follows } = example()
    const answers = (button: string, text: RegExp) =>
      eventually(async () => {
        await press(button)
        await eventually(() => output().should.match(text), 1000)
      })
    await prints(/2 cells, 4 devices, 0 with a problem/)
    await follows('centre-list', /address: 'north\/cell-1\/left'/)
    // Until the centre has heard itself over the broker, it gives no orders.
    await answers('centre-parameters', /do: 'set-parameters'/)
    await answers('centre-report', /state: 'waits-for-approval'/)
    await follows('centre-approve', /do: 'set-parameters'/)
    await answers('centre-report', /state: 'ended'[^]*done: 4/)
  })
})
