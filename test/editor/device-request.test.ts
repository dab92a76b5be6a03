import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor, type Editor } from '../support/editor'
import { eventually } from '../support/eventually'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const inTab = {
  id: 'n',
  z: 'tab',
  x: 300,
  y: 100,
  wires: [[]],
  device: 'device',
  type: 'vision-device-request',
}

describe('the dialog of device-request', () => {
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0, variant: 'multi' })
  })
  after(() => device.stop())
  const config = () => ({
    id: 'device',
    type: 'vision-device-config',
    name: 'Cell 1',
    address: device.url,
  })

  describe('in English', () => {
    const open = useEditor()

    it("offers every operation, and the device's names for its inputs", async () => {
      const editor = await open([tab, config(), inTab])
      await editor.edit('n')
      const operation = editor.field('Operation')
      await operation.focus()
      await operation.fill('getlo')
      await operation.blur()
      await editor.page.locator('.vision-pick-mark', { hasText: 'This operation does not exist.' }).waitFor()
      await operation.fill('')
      await operation.pressSequentially('etlo')
      await editor.offers('Operation').filter({ hasText: 'GET /logs/{log}' }).click()
      await said(editor, 'Read a log: its latest entries, or the whole log as text · GET /logs/{log}')
      await editor.pick('log', 'api.log')
      await editor.field('limit').fill('0')
      await editor.field('limit').blur()
      await editor.page.getByText('This must be at least 1.', { exact: true }).waitFor()
      await editor.field('limit').fill('2')
      await editor.field('format').selectOption('raw')
      ;(await editor.unreachable()).should.deepEqual([])
      await editor.screenshot('request-log')
      await editor.close('Done')
      await editor.deploy()
      const [stored] = await editor.stored('vision-device-request')
      should(stored).match({
        operation: 'getLog',
        input: '{"log":"api.log","format":"raw","limit":2}',
        inputType: 'json',
      })
    })

    it('offers files, lists and the confirmation, and runs as filled in', async () => {
      const flow = { id: 'go', type: 'inject', z: 'tab', x: 100, y: 100, wires: [['n']], name: '', props: [] }
      const timing = {
        repeat: '',
        crontab: '',
        once: false,
        onceDelay: 0.1,
        topic: '',
        payload: '',
        payloadType: 'date',
      }
      const editor = await open([tab, config(), { ...flow, ...timing }, inTab])
      await editor.edit('n')
      await editor.pick('Operation', 'putGripperElement')
      await editor.field('id').fill('palm')
      should(await editor.field('file').getAttribute('placeholder')).equal('path of a file')
      await editor.screenshot('request-file')
      await editor.pick('Operation', 'reboot')
      await editor.page.getByText('This operation takes no inputs.').waitFor()
      await editor.field('Confirm').waitFor()
      await editor.pick('Operation', 'setNtp')
      await editor.field('Confirm').waitFor({ state: 'hidden' })
      await editor.page.getByRole('button', { name: 'Add to manual_ntp_servers' }).click()
      await editor.field('manual_ntp_servers[1]').fill('clock.local')
      await editor.field('manual_ntp_servers[1]').blur()
      await editor.screenshot('request-list')
      await editor.close('Done')
      await editor.deploy()
      await eventually(async () => {
        const { ok } = await fetch(`${editor.red.url}/inject/go`, { method: 'POST' })
        ok.should.be.true()
      })
      await eventually(() => {
        const call = device.calls().findLast(({ operation }) => operation === 'setNtp')
        should(call).match({ status: 200, input: { manual_ntp_servers: ['clock.local'] } })
      })
    })
  })

  describe('in German', () => {
    const open = useEditor({ locale: 'de' })

    it('explains the operations in German', async () => {
      const editor = await open([tab, config(), { ...inTab, operation: 'getTemplate' }])
      await editor.edit('n')
      await said(editor, 'Objektvorlage lesen: oder ihre Datei · GET /templates/{node}/{id}')
      await editor.page.getByText('Name, unter dem die Datei gespeichert wird').waitFor()
      await editor.screenshot('request-german')
      await editor.close('Abbrechen' as 'Cancel')
    })
  })
})

const said = (editor: Editor, text: string) =>
  editor.page.locator('[data-about-operation]', { hasText: text }).waitFor()
