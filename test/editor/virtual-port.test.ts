import 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor } from '../support/editor'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }

describe('the port in the dialog of a virtual device', () => {
  const open = useEditor()
  let other: VirtualDevice
  before(async () => {
    other = await startVirtualDevice({ port: 0, serial: 'C-9012' })
  })
  after(() => other.stop())

  it('shows who uses it, and offers the next free one as a button', async () => {
    const { port } = other
    const virtual = { type: 'vision-virtual-device', z: 'tab', x: 200, y: 100, wires: [[]], d: true, port }
    const editor = await open([tab, { ...virtual, id: 'virtual' }])
    const { page } = editor
    const line = page.locator('.vision-dialog .vision-port')
    await editor.edit('virtual')
    await line
      .filter({ hasText: `Port ${port} is used by another virtual device (serial no. C-9012).` })
      .waitFor()
    await editor.screenshot('virtual-device-port', editor.dialog)
    const button = line.getByRole('button', { name: /^Use \d+$/ })
    const [, free = ''] = /Use (\d+)/.exec((await button.textContent()) ?? '') ?? []
    await button.press('Enter')
    await line.filter({ hasText: /^$/ }).waitFor({ state: 'attached' })
    ;(await editor.field('Port').inputValue()).should.equal(free)
    Number(free).should.be.within(port + 1, port + 20)
    await editor.close('Done')

    // Another node with the same port that is not deployed.
    const twin = { ...virtual, id: 'twin', d: false, port: Number(free), y: 200, name: 'left' }
    await page.evaluate(`RED.nodes.import(${JSON.stringify([twin])})`)
    await editor.edit('virtual')
    await line.filter({ hasText: `The node "left" in these flows also has port ${free}.` }).waitFor()
    await button.waitFor()
    ;((await button.textContent()) ?? '').should.not.equal(`Use ${free}`)
    await editor.close('Cancel')
  })
})
