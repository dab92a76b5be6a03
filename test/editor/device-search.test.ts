import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import should from 'should'
import { discoveryPort, discoveryReply, discoveryRequestIn } from '../../lib/codec/discovery'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor, type Editor } from '../support/editor'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
/** Where no virtual device of another test listens. */
const range = '127.0.77.1-20'

describe('the search for devices in the dialog of a device', () => {
  let device: VirtualDevice
  let other: Socket
  before(async () => {
    device = await startVirtualDevice({ port: 0, host: '127.0.77.7', serial: 'cell-7', discovery: true })
    other = createSocket('udp4')
    other.bind(discoveryPort, '127.0.77.8')
    await once(other, 'listening')
    other.on('message', (bytes, { address, port }) => {
      const identity = {
        ...{ mac: '00:01:02:03:04:05', address: '127.0.77.8', mask: '255.0.0.0', gateway: '0.0.0.0' },
        ...{
          manufacturer: 'Other',
          model: '<b>Line camera</b>',
          version: '1',
          details: 'http=9',
          serial: 'L8',
          name: '',
        },
      }
      other.send(discoveryReply(identity, discoveryRequestIn(bytes)?.id ?? 1), port, address)
    })
  })
  after(async () => {
    other.close()
    await device.stop()
  })

  const searched = async (editor: Editor, names: { search: string; stop: string; range: string }) => {
    const { dialog } = editor
    const button = dialog.locator('.vision-find')
    should((await button.textContent())?.trim()).equal(names.search)
    await button.click()
    should((await button.textContent())?.trim()).equal(names.stop)
    await dialog.getByLabel(names.range).fill(range)
    await dialog.getByLabel(names.range).press('Enter')
    await dialog.locator('.vision-found-device', { hasText: 'cell-7' }).waitFor()
    await dialog.getByLabel(names.range).waitFor()
  }

  describe('in English', () => {
    const open = useEditor()

    it('lists what answers, and enters the address that is clicked', async () => {
      const editor = await open([tab])
      await editor.place('get parameter')
      await editor.pressEnter(editor.page.getByRole('button', { name: 'Device: add a new one' }))
      await searched(editor, { search: 'Search', stop: 'Stop', range: 'Range' })
      const ours = editor.dialog.locator('.vision-found-device', { hasText: 'cell-7' })
      should(await ours.textContent()).match(/vision-single · cell-7.*127\.0\.77\.7:\d+.*ready · v/)
      const stranger = editor.dialog.locator('.vision-found-device', { hasText: 'L8' })
      should(await stranger.textContent()).match(/<b>Line camera<\/b> · L8.*not a vision device/)
      should(await stranger.getAttribute('class')).match(/vision-found-other/)
      await editor.picture('device-search', editor.dialog)
      await ours.click()
      ;(await editor.field('Address').inputValue()).should.equal(`127.0.77.7:${device.port}`)
    })

    it('says what is wrong with a range, and searches nothing', async () => {
      const editor = await open([tab])
      await editor.place('get parameter')
      await editor.pressEnter(editor.page.getByRole('button', { name: 'Device: add a new one' }))
      const { dialog } = editor
      await dialog.locator('.vision-find').click()
      await dialog.getByLabel('Range').fill('8.8.8.0/24')
      await dialog.getByLabel('Range').press('Enter')
      await dialog.getByText('Only private networks are searched').waitFor()
      ;(await dialog.locator('.vision-found-device').count()).should.equal(0)
    })
  })

  describe('in German', () => {
    const open = useEditor({ locale: 'de' })

    it('says the same', async () => {
      const editor = await open([tab])
      await editor.place('Parameter lesen')
      await editor.pressEnter(editor.page.getByRole('button', { name: 'Gerät: neu anlegen' }))
      await searched(editor, { search: 'Suchen', stop: 'Anhalten', range: 'Bereich' })
    })
  })
})
