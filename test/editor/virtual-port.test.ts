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

describe('the page of a virtual device', () => {
  const open = useEditor()

  it('is a link in its dialog, where this computer can reach it', async () => {
    const virtual = { id: 'virtual', type: 'vision-virtual-device', z: 'tab', x: 200, y: 100, wires: [[]] }
    const editor = await open([tab, { ...virtual, port: 8123, d: true }])
    await editor.edit('virtual')
    const link = editor.page.locator('.vision-dialog .vision-page a')
    const leads = () => link.getAttribute('href')
    ;((await leads()) ?? '').should.equal('http://127.0.0.1:8123/virtual/')
    ;((await link.getAttribute('rel')) ?? '').should.containEql('noopener')
    await editor.screenshot('virtual-device-page', editor.dialog)
    const places: [string, string, string][] = [
      ['0.0.0.0', '8080', 'http://127.0.0.1:8080/virtual/'],
      ['localhost', '8080', 'http://127.0.0.1:8080/virtual/'],
      ['127.0.0.9', '8080', 'http://127.0.0.9:8080/virtual/'],
      ['::1', '8080', 'http://[::1]:8080/virtual/'],
      ['192.168.0.7', '8080', ''],
      ['127.0.0.1', '0', ''],
      ['127.0.0.1', 'x', ''],
    ]
    for (const [host, port, url] of places) {
      await editor.field('Listen on').fill(host)
      await editor.field('Port').fill(port)
      ;((await leads()) ?? '').should.equal(url, `${host} ${port}`)
      ;(await link.isVisible()).should.equal(url !== '')
    }
    await editor.close('Cancel')
  })
})
