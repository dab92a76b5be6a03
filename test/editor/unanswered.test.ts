import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor, type Editor } from '../support/editor'
import { Sidebar } from '../support/sidebar'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const inTab = { id: 'n', z: 'tab', x: 300, y: 100, wires: [[]], device: 'device' }

describe('dialogs of a device that does not answer', () => {
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0, variant: 'multi' })
  })
  after(() => device.stop())
  let editor: Editor
  afterEach(() => editor.page.unrouteAll())
  const open = useEditor()

  const opened = async (type: string, fields: object) => {
    const config = {
      id: 'device',
      type: 'vision-device-config',
      name: 'Cell 1',
      address: device.url,
      deadline: 60,
    }
    editor = await open([tab, config, { ...inTab, type: `vision-${type}`, ...fields }])
  }
  /** From now on, these requests end with this refusal; with none, they are answered again. */
  async function refuse(path: string, refusal?: { code: string; message: string }) {
    await editor.page.unrouteAll()
    if (refusal)
      await editor.page.route(`**/vision-devices/${path}`, (route) =>
        route.fulfill({ status: 502, json: refusal }),
      )
  }
  const services = 'device/read/listGlobalServices?*'
  const silent = { code: 'UNREACHABLE', message: 'Cell 1 could not be reached.' }
  const refused = { code: 'UNAUTHORIZED', message: 'Cell 1 refuses the login.' }
  const trouble = (text: string) =>
    editor.page.locator('.vision-trouble').getByText(text, { exact: true }).waitFor()
  const noTrouble = () => editor.page.locator('.vision-trouble').waitFor({ state: 'hidden' })
  const again = () =>
    editor.page.locator('.vision-trouble').getByRole('button', { name: 'Query the device again' })
  const setRegion = { pipeline: '', node: 'dev_roi_db', service: 'set_region_of_interest' }

  it('say why, and show the form of a service once the device answers', async () => {
    await opened('call-service', setRegion)
    await refuse(services, silent)
    await editor.edit('n')
    await trouble(silent.message)
    await editor.screenshot('unanswered', editor.dialog)
    should(await editor.unreachable()).deepEqual([])
    await refuse(services)
    await editor.field('region_of_interest.box.x').fill('1')
    await noTrouble()
    await editor.close('Cancel')
  })

  it('show the form after an answer that is late', async () => {
    await opened('call-service', setRegion)
    const held = new Promise<() => Promise<void>>((resolve) => {
      void editor.page.route(`**/vision-devices/${services}`, (route) => resolve(() => route.continue()))
    })
    await editor.edit('n')
    const release = await held
    await editor.field('Answer within').fill('2')
    await editor.field('Answer within').blur()
    await release()
    await editor.field('region_of_interest.box.x').waitFor()
    await editor.close('Cancel')
  })

  it('ignore an answer that comes after they were closed', async () => {
    await opened('set-parameter', { node: 'dev_camera', parameter: 'fps', value: '1', valueType: 'num' })
    const held = new Promise<() => Promise<void>>((resolve) => {
      void editor.page.route('**/vision-devices/device/read/getParameters?*', (route) =>
        resolve(() => route.continue()),
      )
    })
    await editor.edit('n')
    const release = await held
    await editor.close('Cancel')
    const answered = editor.page.waitForResponse(/getParameters/)
    await release()
    await (await answered).finished()
    // An error of the page would fail the test.
    await editor.page.evaluate('new Promise((resolve) => setTimeout(resolve))')
  })

  it('ask again on demand if only somebody can help', async () => {
    await opened('call-service', setRegion)
    await refuse(services, refused)
    await editor.edit('n')
    await trouble(refused.message)
    await again().click()
    await trouble(refused.message)
    await refuse(services)
    await again().click()
    await editor.field('region_of_interest.box.x').waitFor()
    await noTrouble()
    await editor.close('Cancel')
  })

  it('keep what they show if the device falls silent', async () => {
    await opened('call-service', setRegion)
    await editor.edit('n')
    await editor.field('region_of_interest.box.x').fill('0.4')
    await refuse(services, silent)
    await editor.page.evaluate(`RED.events.emit('deploy')`)
    await editor.field('Answer within').fill('2')
    await editor.field('Answer within').blur()
    await trouble(silent.message)
    should(await editor.field('region_of_interest.box.x').inputValue()).equal('0.4')
    await refuse(services)
    await noTrouble()
    should(await editor.field('region_of_interest.box.x').inputValue()).equal('0.4')
    await editor.close('Cancel')
  })

  it('show the remark and the choices of a parameter once the device answers', async () => {
    await opened('set-parameter', {
      node: 'dev_camera',
      parameter: 'exp_value',
      value: '0.005',
      valueType: 'num',
    })
    await refuse('device/read/getParameters?*', silent)
    await editor.edit('n')
    await trouble(silent.message)
    await refuse('device/read/getParameters?*')
    await editor.page.getByText('No effect at present: exp_auto is true.', { exact: true }).waitFor()
    await noTrouble()
    await editor.close('Cancel')
  })

  it('mark no name while the device is not running', async () => {
    await opened('get-parameter', { pipeline: '0', node: 'dev_kamera', parameter: 'fps' })
    const stopped = { code: 'NOT_FOUND', message: 'There is no running device.' }
    await refuse('device/read/*', stopped)
    await editor.edit('n')
    await trouble(stopped.message)
    await editor.remark('Node', '')
    await refuse('device/read/*')
    await editor.remark('Node', 'The device does not have: dev_kamera')
    await noTrouble()
    await editor.close('Cancel')
  })

  it('show the form of an operation once Node-RED answers', async () => {
    await opened('device-request', { operation: 'putRobotCalibration' })
    // The operations are cached by the page.
    editor.isAltered = true
    await refuse('operations', { code: 'failed', message: 'Out of memory.' })
    await editor.page.reload()
    await editor.page.locator('#red-ui-palette .red-ui-palette-node').first().waitFor()
    await editor.page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' })
    await editor.edit('n')
    await trouble('Out of memory.')
    await refuse('operations')
    await editor.field('grid_width').fill('1')
    await noTrouble()
    await editor.close('Cancel')
  })

  it('search a device in the sidebar again after a failure', async () => {
    await opened('get-parameter', { pipeline: '0', node: 'dev_camera', parameter: 'fps' })
    const sidebar = await new Sidebar(editor).show()
    await refuse('device/read/listNodes?*', silent)
    await sidebar.search.fill('exp_auto_mode')
    await sidebar.part.getByText('Nothing found.').waitFor()
    await refuse('device/read/listNodes?*')
    await sidebar.line('exp_auto_mode').waitFor()
  })
})
