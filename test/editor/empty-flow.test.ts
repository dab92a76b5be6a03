import { once } from 'node:events'
import should from 'should'
import { ServerTCP } from 'modbus-serial'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor } from '../support/editor'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { Hand } from '../support/hand'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }

/** Mouse clicks that are sufficient; a choice in a native select counts as two. */
const enough = 51

describe('from an empty flow', () => {
  const open = useEditor({ palette: ['node-red-contrib-modbus'], settings: { nodesExcludes: [] } })
  let device: VirtualDevice
  let plc: Awaited<ReturnType<typeof startPlc>>
  before(async () => {
    device = await startVirtualDevice({ port: 0 })
    plc = await startPlc()
  })
  after(async () => {
    await plc.stop()
    await device.stop()
  })

  it('to an acquisition triggered by a PLC, with no name typed', async () => {
    const editor = await open([tab])
    const hand = await new Hand(editor).begin()
    const mode = await singleFrame(hand, device.url)
    const trigger = await acquisition(hand)
    const edge = await risingEdge(hand, plc.port)
    const shown = await hand.drop('debug', 600, 400)
    const order = [...edge, mode, trigger, shown]
    for (const [index, id] of order.slice(1).entries()) await hand.wire(order[index] ?? '', id)
    await editor.deploy()
    await hand.show('debug')
    const { clicks, typed } = await hand.acts()

    await eventually(() => plc.reads().should.be.above(2))
    plc.trigger()
    await editor.page.locator('.red-ui-debug-msg', { hasText: 'return_code' }).waitFor()
    await editor.screenshot('from-an-empty-flow')
    const calls = device.calls().filter(({ operation }) => operation === 'callService')
    should(calls.length).equal(1)
    // The two addresses, and four numbers: register, count, interval, and value.
    should(typed).deepEqual([device.url, String(plc.port), '0', '1', '100', '1'])
    should(clicks - editor.pressedAgain).be.belowOrEqual(enough)
  })
})

/** A node that switches the device to triggered acquisition; the device comes with it. */
async function singleFrame(hand: Hand, address: string) {
  const { editor } = hand
  const { page } = editor
  const id = await hand.drop('vision-set-parameter', 300, 200)
  await hand.open(id)
  await page.getByRole('button', { name: 'Device: add a new one' }).click()
  await hand.type(editor.field('Address'), address)
  await editor.button('Add').click()
  await editor.pick('Node', 'dev_stereomatching')
  await editor.pick('Parameter', 'acquisition_mode')
  await page.locator('[data-present]', { hasText: 'Now Continuous' }).waitFor()
  await editor.field('Value').selectOption('SingleFrame')
  await editor.close('Done')
  return id
}

async function acquisition(hand: Hand) {
  const { editor } = hand
  const id = await hand.drop('vision-call-service', 300, 300)
  await hand.open(id)
  await editor.pick('Node', 'dev_stereomatching')
  await editor.pick('Service', 'acquisition_trigger')
  await editor.close('Done')
  return id
}

/** Nodes that read the PLC's register ten times a second and send one message when it becomes 1. */
async function risingEdge(hand: Hand, port: number) {
  const { editor } = hand
  const { page } = editor
  const register = await hand.drop('modbus-read', 120, 100)
  await hand.open(register)
  await page.locator('#node-input-btn-server-add').click()
  await hand.type(page.locator('#node-config-input-tcpPort'), String(port))
  await editor.button('Add').click()
  await page.locator('#node-input-dataType').selectOption('HoldingRegister')
  await hand.type(page.locator('#node-input-adr'), '0')
  await hand.type(page.locator('#node-input-quantity'), '1')
  await hand.type(page.locator('#node-input-rate'), '100')
  await page.locator('#node-input-rateUnit').selectOption('ms')
  await editor.close('Done')
  const value = await hand.drop('split', 300, 100)
  const change = await hand.drop('rbe', 450, 100)
  const isOne = await hand.drop('switch', 600, 100)
  await hand.open(isOne)
  await hand.type(page.locator('.red-ui-tray li .red-ui-typedInput-container input:visible').first(), '1')
  await editor.close('Done')
  return [register, value, change, isOne]
}

/** A PLC with one register, which is 1 while it requests an acquisition. */
async function startPlc() {
  const [port = 0] = await freePorts(1)
  let register = 0
  let reads = 0
  const getHoldingRegister = () => (reads++, register)
  const server = new ServerTCP({ getHoldingRegister }, { host: '127.0.0.1', port, unitID: 1 })
  await once(server, 'initialized')
  return {
    port,
    reads: () => reads,
    trigger: () => {
      register = 1
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
