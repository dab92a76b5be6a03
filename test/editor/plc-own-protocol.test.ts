import should from 'should'
import { startPlcClient, type PlcClient } from '../../lib/plc/client'
import { s7Protocol } from '../../lib/plc/s7'
import { slmpAddress, slmpProtocol } from '../../lib/plc/slmp'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor } from '../support/editor'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { Hand } from '../support/hand'

const tab = { id: 'tab', type: 'tab', label: 'Flow 1', disabled: false, info: '' }

/** Mouse clicks that are sufficient; a double click counts as two, and so does a choice from a list. */
const enough = 16

type Words = Pick<PlcClient, 'request' | 'isOpen' | 'close'>

/** Whose PLC: the choice in the dialog, the field of its port, and another program that reads and writes its words. */
const plcs: Readonly<Record<string, { choice: string; port: string; connect: (port: number) => Words }>> = {
  Siemens: {
    choice: 's7-client',
    port: 's7Port',
    connect: (port) => startPlcClient({ protocol: s7Protocol(), host: '127.0.0.1', port }),
  },
  Mitsubishi: {
    choice: 'slmp',
    port: 'slmpPort',
    connect: (port) => {
      const start = slmpAddress('D100')
      const protocol = slmpProtocol({ ...(start && { start }) })
      return startPlcClient({ protocol, host: '127.0.0.1', port })
    },
  },
}

describe('a cell on a PLC of its own protocol, from an empty flow', function () {
  this.timeout(300_000)
  const open = useEditor()
  let device: VirtualDevice
  let program: Words | undefined
  before(async () => {
    device = await startVirtualDevice({ port: 0, imagePort: 0 })
  })
  afterEach(() => program?.close())
  after(() => device.stop())

  for (const [maker, { choice, port: field, connect }] of Object.entries(plcs))
    it(`takes few clicks and one address for each machine to an acquisition: ${maker}`, async () => {
      const [port = 0] = await freePorts(1)
      const editor = await open([tab])
      editor.isAltered = true
      const { page } = editor
      // Tests use no port that a program on this computer may have.
      await page.evaluate(`
        RED.nodes.getType('vision-plc-handshake').defaults.${field}.value = ${port}
        RED.nodes.getType('vision-device-config').defaults.imagePort.value = ${device.ports.images?.port}`)
      const hand = await new Hand(editor).begin()
      const trigger = await hand.drop('vision-plc-trigger', 100, 200)
      await hand.open(trigger)
      await page.getByRole('button', { name: 'PLC: add a new one' }).click()
      await editor.field('Connection').selectOption(choice)
      await hand.type(editor.field('PLC'), '127.0.0.1')
      await editor.screenshot(`plc-${choice}`)
      await editor.button('Add').click()
      await page.getByRole('button', { name: 'Device: add a new one' }).click()
      await hand.type(editor.field('Address'), device.url)
      await editor.button('Add').click()
      await page.getByRole('button', { name: 'Add the nodes of a cell' }).click()
      await page.getByText('Added beside this node.').waitFor()
      await editor.close('Done')
      await hand.drop('vision-virtual-plc', 100, 500)
      await editor.deploy()
      const { clicks, typed } = await hand.acts()

      const words = (program = connect(port))
      await eventually(() => words.isOpen.should.be.true())
      const read = (address: number, count = 1) =>
        words.request({ kind: 'read', area: 'registers', address, count })
      await eventually(async () => should(((await read(27))[0] ?? 0) & 3).equal(1))
      await words.request({ kind: 'write', area: 'registers', address: 0, values: [7] })
      await eventually(async () => should((await read(28))[0]).equal(7))
      should(await read(8, 2)).eql([0, 1])
      const services = device.calls().filter(({ operation }) => operation === 'callService')
      should(services.length).be.aboveOrEqual(1)
      should(typed).deepEqual(['127.0.0.1', device.url])
      should(clicks - editor.pressedAgain).be.belowOrEqual(enough)
    })
})
