import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor } from '../support/editor'
import { freePorts } from '../support/free-ports'
import { Hand, importExample } from '../support/hand'
import { connectPlc, type Plc } from '../support/plc'

const tab = { id: 'tab', type: 'tab', label: 'Flow 1', disabled: false, info: '' }

/** Mouse clicks that are sufficient; a double click counts as two. */
const enough = 16

describe('from an empty flow', () => {
  let device: VirtualDevice
  let plc: Plc | undefined
  const open = useEditor()
  before(async () => {
    device = await startVirtualDevice({ port: 0, imagePort: 0 })
  })
  after(async () => {
    // The cell has ended this connection already, which may not be confirmed.
    void plc?.close()
    await device.stop()
  })

  it('to an acquisition triggered by a PLC, with the whole handshake and one address typed', async () => {
    const editor = await open([tab])
    editor.isAltered = true
    const { page } = editor
    const hand = await new Hand(editor).begin()
    await importExample(page, 'first-acquisition')
    // It comes with a tab of its own.
    await page.locator('#red-ui-workspace-tabs li', { hasText: /Cell/ }).click()
    const acquire = await page.evaluate<string>(`RED.nodes.filterNodes({ type: 'vision-acquire' })[0].id`)
    const [port = 0, devicePort = 0] = await freePorts(2)
    // The usual ports, on which a test must not listen; and times that a busy computer keeps too.
    await page.evaluate(`
      const ports = { PLC_PORT: '${port}', DEVICE_PORT: '${devicePort}' }
      RED.nodes.eachConfig(({ env = [] }) => {
        for (const variable of env) variable.value = ports[variable.name] ?? variable.value
      })
      RED.nodes.node('cell-device').imagePort = ${device.ports.images?.port}
      RED.nodes.node('cell-plc').deadline = 100
      RED.nodes.node('${acquire}').patience = 90`)
    await hand.open(acquire)
    await page.getByRole('button', { name: 'Device: edit' }).click()
    await hand.type(editor.field('Address'), device.url)
    await editor.button('Update').click()
    await editor.close('Done')
    await editor.deploy()
    const { clicks, typed } = await hand.acts()

    plc = await connectPlc(port)
    const { counter } = await plc.takeOver()
    const answer = await plc.acquire()
    answer.should.containEql({ done: true, error: false, code: 0, counter: counter + 1 })
    await editor.screenshot('from-an-empty-flow')
    const calls = device.calls().filter(({ operation }) => operation === 'callService')
    calls.length.should.be.aboveOrEqual(1)
    should(typed).deepEqual([device.url])
    should(clicks - editor.pressedAgain).be.belowOrEqual(enough)
  })
})
