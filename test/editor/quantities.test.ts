import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor, type Editor } from '../support/editor'
import { Sidebar } from '../support/sidebar'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const inTab = { id: 'n', z: 'tab', x: 300, y: 100, wires: [[]], device: 'device' }

describe('numbers with units', () => {
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
    // A busy computer makes no device silent.
    deadline: 60,
  })
  const flow = (type: string, fields: object = {}) => [
    tab,
    config(),
    { ...inTab, type: `vision-${type}`, ...fields },
  ]

  describe('in English', () => {
    const open = useEditor()

    it('are converted in the fields of a dialog, which store the number in their own unit', async () => {
      const editor = await open(flow('hand-eye-calibration', { gridUnit: 'm' }))
      await editor.edit('n')
      const units = () =>
        editor.dialog.locator('.form-row:has([data-unit-from]) .vision-unit').allTextContents()
      should(await units()).eql(['m', 'm'])
      await editor.field('Grid in').selectOption('mm')
      should(await units()).eql(['mm', 'mm'])
      await editor.field('Grid in').selectOption('m')
      await type(editor, 'Grid width', '260 mm')
      await said(editor, '260 mm = 0.26 m')
      should(await editor.field('Grid width').inputValue()).equal('0.26')
      await type(editor, 'Grid height', '1,234')
      await editor.reason('Grid height', '"1,234" can mean 1.234 or 1234. Enter one of these.')
      await type(editor, 'Grid height', '0,18')
      await editor.reason('Grid height', '')
      await said(editor, '0,18 = 0.18 m')
      await type(editor, 'Settling time', '5 kg')
      await editor.reason(
        'Settling time',
        '"kg" is not a unit of this field. Possible units: s, ms, µs, min, h',
      )
      // Not left by a click, because Node-RED has a key for Done.
      await editor.field('Settling time').pressSequentially('x', { delay: 0 })
      await editor.field('Settling time').fill('')
      await editor.field('Settling time').pressSequentially('250 ms')
      await editor.screenshot('quantities-dialog', editor.dialog)
      await editor.page.keyboard.press('Control+Enter')
      await editor.page.locator('.red-ui-tray').waitFor({ state: 'detached' })
      await editor.deploy()
      const [stored] = await editor.stored('vision-hand-eye-calibration')
      should(stored).have.properties({ gridWidth: 0.26, gridHeight: 0.18, settling: 0.25 })
    })

    it('are converted to the unit of a parameter, with a remark if they have no effect', async () => {
      const fields = { node: 'dev_camera', parameter: 'exp_value', value: '0.005', valueType: 'num' }
      const editor = await open(flow('set-parameter', fields))
      await editor.edit('n')
      await editor.page.getByText('No effect at present: exp_auto is true.', { exact: true }).waitFor()
      await type(editor, 'Value', '1.234,5 ms')
      await editor.reason('Value', '"1.234,5 ms" can mean 1234.5 ms or 1.2345 ms. Enter one of these.')
      await type(editor, 'Value', '5 ms')
      await said(editor, '5 ms = 0.005 s')
      await editor.reason('Value', '')
      should(await editor.field('Value').inputValue()).equal('0.005')
      await type(editor, 'Value', '20 ms')
      await editor.reason('Value', 'This must be from 0.000066 to 0.018 s.')
      await type(editor, 'Value', '700 µs')
      await said(editor, '700 µs = 0.0007 s')
      await editor.screenshot('quantities-parameter', editor.dialog)
      await editor.close('Done')
      await editor.deploy()
      const [stored] = await editor.stored('vision-set-parameter')
      should(stored).have.properties({ value: '0.0007', valueType: 'num' })
    })

    it('are converted in the table of several parameters', async () => {
      const value = JSON.stringify({ exp_value: 0.005 })
      const editor = await open(
        flow('set-parameter', { node: 'dev_camera', which: 'several', value, valueType: 'json' }),
      )
      await editor.edit('n')
      await editor.page.getByText('No effect at present: exp_auto is true.').waitFor()
      await type(editor, 'exp_value', '2 ms')
      await said(editor, '2 ms = 0.002 s')
      await editor.close('Done')
      await editor.deploy()
      const [stored] = await editor.stored('vision-set-parameter')
      should(stored).have.property('value', '{"exp_value":0.002}')
    })

    it('are converted in the arguments of a service', async () => {
      const service = { pipeline: '', node: 'dev_roi_db', service: 'set_region_of_interest' }
      const editor = await open(flow('call-service', service))
      await editor.edit('n')
      await type(editor, 'region_of_interest.box.x', '400 mm')
      await said(editor, '400 mm = 0.4 m')
      await type(editor, 'region_of_interest.box.y', '30°')
      await editor.page
        .getByText('"°" is not a unit of this field. Possible units: m, cm, mm, µm', { exact: true })
        .waitFor()
      await type(editor, 'region_of_interest.box.y', '30cm')
      await type(editor, 'Answer within', '500 ms')
      await editor.screenshot('quantities-service', editor.dialog)
      await editor.close('Done')
      await editor.deploy()
      const [stored] = await editor.stored('vision-call-service')
      should(stored).have.property('deadline', 0.5)
      should(JSON.parse(String(stored?.['args']))).deepEqual({
        region_of_interest: { box: { x: 0.4, y: 0.3 } },
      })
    })

    it('are converted in the inputs of an operation', async () => {
      const editor = await open(flow('device-request', { operation: 'putRobotCalibration' }))
      await editor.edit('n')
      await type(editor, 'grid_width', '260 mm')
      await said(editor, '260 mm = 0.26 m')
      await type(editor, 'tcp_rotation_axis', '1 m')
      await editor.page
        .getByText('Enter the number without "m": this field has no unit.', { exact: true })
        .waitFor()
      await editor.close('Cancel')
    })

    it('are converted in a record, whatever the unit of its lengths', async () => {
      const editor = await open(flow('database', { recordId: 'bin', form: '{}' }))
      await editor.edit('n')
      await type(editor, 'Edges x', '0.02 m')
      await said(editor, '0.02 m = 20 mm')
      should(await editor.field('Edges x').inputValue()).equal('20')
      await type(editor, 'Edges y', '1,234')
      await editor.page
        .getByText('"1,234" can mean 1.234 or 1234. Enter one of these.', { exact: true })
        .waitFor()
      await type(editor, 'Edges y', '30,5')
      await type(editor, 'Edges z', '4 cm')
      await said(editor, '0.02 m = 20 mm; 30,5 = 30.5 mm; 4 cm = 40 mm')
      await type(editor, 'Rotation z', '90°')
      await editor.screenshot('quantities-record', editor.dialog)
      await editor.field('Lengths in').selectOption('metres')
      should(await editor.field('Edges x').inputValue()).equal('0.02')
      await editor.page.getByText('0.02 m = 20 mm').waitFor({ state: 'detached' })
      await editor.close('Done')
      await editor.deploy()
      const [stored] = await editor.stored('vision-database')
      should(JSON.parse(String(stored?.['form']))).match({ box: { x: 0.02, y: 0.0305, z: 0.04 } })
    })

    it('are converted in the sidebar, with a remark if they have no effect', async () => {
      const editor = await open([tab, config()])
      const sidebar = await new Sidebar(editor).show()
      await sidebar.open('Cell 1', 'Pipeline 0', 'dev_camera', 'Parameters')
      await sidebar.shows('exp_value', 'no effect')
      const control = await sidebar.edit('exp_value')
      const line = sidebar.line('exp_value')
      await line.getByText('No effect at present: exp_auto is true.').waitFor()
      await control.fill('1,234 ms')
      await control.press('Enter')
      await line.getByText('"1,234 ms" can mean 1.234 ms or 1234 ms.').waitFor()
      await control.fill('4 ms')
      await line.getByText('4 ms = 0.004 s').waitFor()
      await line.getByText('can mean').waitFor({ state: 'detached' })
      await editor.screenshot('quantities-sidebar', sidebar.part)
      await control.press('Enter')
      await sidebar.answered('exp_value', 'The device now has 0.004 s.')
      should(device.parameter('dev_camera', 'exp_value')).equal(0.004)
    })
  })

  describe('whose effect depends on another node, or on a call', () => {
    const open = useEditor()
    const set = (node: string, parameter: string, value: string) =>
      fetch(`${device.url}/api/v2/pipelines/0/nodes/${node}/parameters?${parameter}=${value}`, {
        method: 'PUT',
      })
    before(async () => {
      await set('dev_camera', 'exp_auto', 'false')
      await set('dev_stereomatching', 'acquisition_mode', 'SingleFrame')
    })
    after(() => set('dev_camera', 'exp_auto', 'true'))
    const waits = 'No effect at present: dev_camera exp_control is Manual.'
    const collides = 'No effect at present, unless the call names a gripper: check_collisions is false.'

    it('say so in the dialog and in the sidebar', async () => {
      const fields = { parameter: 'exposure_adapt_timeout', value: '1', valueType: 'num' }
      const editor = await open(flow('set-parameter', { ...fields, node: 'dev_stereomatching' }))
      const { page } = editor
      await editor.edit('n')
      await page.getByText(waits, { exact: true }).waitFor()
      await editor.close('Cancel')

      const sidebar = await new Sidebar(editor).show()
      await sidebar.open('Cell 1', 'Pipeline 0', 'dev_stereomatching', 'Parameters')
      await sidebar.shows('exposure_adapt_timeout', 'no effect')
      await sidebar.edit('exposure_adapt_timeout')
      await sidebar.line('exposure_adapt_timeout').getByText(waits).waitFor()
      await set('dev_camera', 'exp_auto', 'true')
      await sidebar
        .line('exposure_adapt_timeout')
        .getByText('no effect', { exact: true })
        .waitFor({ state: 'detached' })
    })

    it('say so in a table of several parameters', async () => {
      await set('dev_camera', 'exp_auto', 'false')
      const value = JSON.stringify({ exposure_adapt_timeout: 1 })
      const table = { node: 'dev_stereomatching', which: 'several', value, valueType: 'json' }
      const editor = await open(flow('set-parameter', table))
      await editor.edit('n')
      await editor.page.getByText(waits).waitFor()
      await editor.close('Cancel')
    })

    it('say so if calls differ', async () => {
      const check = { node: 'dev_cadmatch', parameter: 'check_collisions_with_matches' }
      const editor = await open(flow('set-parameter', { ...check, value: 'true', valueType: 'bool' }))
      await editor.edit('n')
      await editor.page.getByText(collides, { exact: true }).waitFor()
      await editor.close('Cancel')
    })
  })

  describe('in German', () => {
    const open = useEditor({ locale: 'de' })

    it('are explained in German', async () => {
      const fields = { node: 'dev_camera', parameter: 'exp_value', value: '0.005', valueType: 'num' }
      const editor = await open(flow('set-parameter', fields))
      await editor.edit('n')
      await editor.page.getByText('Derzeit ohne Wirkung: exp_auto ist true.', { exact: true }).waitFor()
      await type(editor, 'Wert', '1,234')
      await editor.reason('Wert', '„1,234“ kann 1.234 oder 1234 bedeuten. Geben Sie eines davon ein.')
      await type(editor, 'Wert', '5 kg')
      await editor.reason(
        'Wert',
        '„kg“ ist keine Einheit dieses Felds. Mögliche Einheiten: s, ms, µs, min, h',
      )
      await type(editor, 'Wert', '1,5 ms')
      await said(editor, '1,5 ms = 0.0015 s')
      await editor.close('Abbrechen' as 'Cancel')
    })
  })
})

/** Fills in a field and leaves it, as a person does. */
async function type(editor: Editor, label: string, text: string) {
  await editor.field(label).fill(text)
  await editor.field(label).blur()
}

const said = (editor: Editor, text: string) =>
  editor.page.locator('.vision-understood').getByText(text, { exact: true }).waitFor()
