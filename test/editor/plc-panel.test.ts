import ModbusRTU from 'modbus-serial'
import should from 'should'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { useEditor } from '../support/editor'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const onTab = { z: 'tab', y: 100 }
/** Word and bit of the family with sequence numbers. */
const plcBits = 3
const manualAllowed = 2

describe('the test panel of a handshake', function () {
  this.timeout(120_000)
  const open = useEditor()
  let plc: ModbusRTU | undefined
  after(() => plc?.close(() => undefined))

  it('shows the words as they are now, and triggers by hand after a question', async () => {
    const [port = 0] = await freePorts(1)
    const editor = await open([
      tab,
      { id: 'plc', type: 'vision-plc-handshake', name: 'Cell 1', port },
      { ...onTab, x: 150, id: 'trigger', type: 'vision-plc-trigger', handshake: 'plc', wires: [['result']] },
      { ...onTab, x: 400, id: 'result', type: 'vision-plc-result', wires: [[], []] },
    ])
    plc = await eventually(async () => {
      const client = new ModbusRTU()
      client.setTimeout(5000)
      await client.connectTCP('127.0.0.1', { port })
      return client
    })
    for (const number of [0, 1, 2, 3]) {
      await plc.writeRegister(0, number)
      const connected = plc
      await eventually(async () => {
        const { data } = await connected.readHoldingRegisters(27, 2)
        should([(data[0] ?? 0) & 1, data[1]]).eql([1, number])
      })
    }

    await editor.edit('plc')
    const panel = editor.page.locator('.vision-plc-panel')
    await panel.locator('.vision-plc-state', { hasText: 'ready' }).waitFor()
    await panel.locator('summary').click()
    await panel.getByText('3 accepted · 3 done').waitFor()
    await panel.getByText('0 · Done').waitFor()
    await panel.locator('li', { hasText: /^3\s*Number of the answered request$/ }).waitFor()
    const lamp = (name: string) => panel.locator('li', { hasText: name }).getByRole('img')
    should(await lamp('Ready').getAttribute('aria-label')).equal('on')
    should(await lamp('Cycle in progress').getAttribute('aria-label')).equal('off')
    should(await editor.unreachable()).deepEqual([])

    const hand = panel.getByRole('button', { name: 'Trigger by hand' })
    await panel.getByText('The PLC does not allow it').waitFor()
    should(await hand.isDisabled()).be.true()
    await plc.writeRegister(plcBits, manualAllowed)
    await hand.click()
    await panel.getByRole('button', { name: 'Cancel' }).press('Escape')
    await panel.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })
    await hand.click()
    await panel.getByRole('button', { name: 'Trigger', exact: true }).click()
    await panel.getByText(/^By hand: done after \d/).waitFor()
    await editor.screenshot('plc-panel')
    // What the PLC reads is still the answer to its own number.
    should((await plc.readHoldingRegisters(28, 1)).data).eql([3])
    await editor.darken(true)
    await editor.screenshot('plc-panel-dark')
    await editor.close('Cancel')
  })

  it('says that the handshake is not deployed yet', async () => {
    const editor = await open([tab])
    await editor.page.evaluate(`{
      const type = 'vision-plc-handshake'
      RED.nodes.add({ id: 'new', type, _def: RED.nodes.getType(type), users: [], name: '' })
    }`)
    await editor.edit('new')
    const panel = editor.page.locator('.vision-plc-panel')
    await panel.locator('.vision-plc-state', { hasText: 'not deployed yet' }).waitFor()
    await panel.locator('summary').click()
    await panel.getByText('Deploy it, then try again').waitFor()
    should(await panel.getByRole('button').count()).equal(0)
    await editor.close('Cancel')
  })
})
