import ModbusRTU from 'modbus-serial'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { useEditor } from '../support/editor'
import { Hand } from '../support/hand'
import { root } from '../support/root'

const tab = { id: 'tab', type: 'tab', label: 'Flow 1', disabled: false, info: '' }

/** Mouse clicks that the README promises to be sufficient; a double click counts as two. */
const enough = Number(
  /takes (\d+) clicks and one\s+address/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1],
)

describe('a cell from an empty flow', function () {
  this.timeout(300_000)
  const open = useEditor()
  let device: VirtualDevice
  let plc: ModbusRTU | undefined
  before(async () => {
    device = await startVirtualDevice({ port: 0, imagePort: 0 })
  })
  after(async () => {
    plc?.close(() => undefined)
    await device.stop()
  })

  it('takes few clicks and one address to an acquisition triggered over Modbus TCP with the whole handshake', async () => {
    const [port = 0] = await freePorts(1)
    const editor = await open([tab])
    editor.isAltered = true
    const { page } = editor
    // Tests use no port that a program on this computer may have.
    await page.evaluate(`
      RED.nodes.getType('vision-plc-handshake').defaults.port.value = ${port}
      RED.nodes.getType('vision-device-config').defaults.imagePort.value = ${device.ports.images?.port}`)
    const hand = await new Hand(editor).begin()
    const trigger = await hand.drop('vision-plc-trigger', 100, 200)
    await hand.open(trigger)
    const add = page.getByRole('button', { name: 'Add the nodes of a cell' })
    should(await add.isDisabled()).be.true()
    await page.getByRole('button', { name: 'PLC: add a new one' }).click()
    await editor.button('Add').click()
    await page.getByRole('button', { name: 'Device: add a new one' }).click()
    await hand.type(editor.field('Address'), device.url)
    await editor.button('Add').click()
    await add.click()
    await page.getByText('Added beside this node.').waitFor()
    await editor.close('Done')
    await editor.deploy()
    const { clicks, typed } = await hand.acts()

    plc = await eventually(async () => {
      const client = new ModbusRTU()
      client.setTimeout(60_000)
      await client.connectTCP('127.0.0.1', { port })
      return client
    })
    const connected = plc
    const state = () =>
      eventually(async () => {
        const { data } = await connected.readHoldingRegisters(27, 2)
        should((data[0] ?? 0) & 3).equal(1)
        return data
      })
    await plc.writeRegister(0, 0)
    await state()
    await plc.writeRegister(0, 7)
    await eventually(async () => {
      const { data } = await connected.readHoldingRegisters(28, 1)
      should(data).eql([7])
    })
    const { data } = await plc.readHoldingRegisters(8, 2)
    should(data).eql([0, 1])
    // Without an image set there is no done.
    const types = await page.evaluate<string[]>(
      "RED.nodes.filterNodes({ z: 'tab' }).map(({ type }) => type).sort()",
    )
    should(types).eql(['vision-acquire', 'vision-plc-result', 'vision-plc-trigger', 'vision-set-parameter'])
    const services = device.calls().filter(({ operation }) => operation === 'callService')
    should(services.length).equal(1)
    should(typed).deepEqual([device.url])
    should(clicks - editor.pressedAgain).be.belowOrEqual(enough)
    await editor.screenshot('a-cell-from-an-empty-flow')
  })

  it('can be undone in one step, and is offered to a trigger without wires alone', async () => {
    const editor = await open([
      tab,
      { id: 'device', type: 'vision-device-config', name: '', address: device.url },
      {
        id: 'trigger',
        type: 'vision-plc-trigger',
        z: 'tab',
        x: 120,
        y: 100,
        device: 'device',
        wires: [[], [], []],
      },
    ])
    editor.isAltered = true
    const { page } = editor
    const count = () => page.evaluate<number>("RED.nodes.filterNodes({ z: 'tab' }).length")
    const add = page.getByRole('button', { name: 'Add the nodes of a cell' })
    await editor.edit('trigger')
    await add.click()
    should(await count()).equal(4)
    should(await page.evaluate<number>("RED.nodes.filterLinks({ source: { id: 'trigger' } }).length")).equal(
      2,
    )
    await editor.close('Cancel')
    await editor.edit('trigger')
    should(await add.count()).equal(0)
    await editor.close('Cancel')
    await page.evaluate('RED.history.pop()')
    should(await count()).equal(1)
    await editor.edit('trigger')
    await add.waitFor()
    await editor.close('Cancel')
  })
})
