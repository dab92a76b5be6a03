import { readFileSync } from 'node:fs'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor } from '../support/editor'
import { eventually } from '../support/eventually'
import { closedAddress } from '../support/misbehaving-server'
import { readable, shownTexts, type ShownText } from '../support/shown-texts'
import { Sidebar } from '../support/sidebar'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const far = { z: 'tab', x: 2500, y: 2500, wires: [[]], device: 'device' }
const reader = { ...far, type: 'vision-get-parameter', pipeline: '0', node: 'dev_camera', parameter: 'fps' }
const isTab = (node: object) => 'type' in node && node.type === 'tab'
const trigger = { node: 'dev_stereomatching', service: 'acquisition_trigger' }

describe('the sidebar "Vision devices"', () => {
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0 })
  })
  after(() => device.stop())
  const config = (address = device.url) => ({
    id: 'device',
    type: 'vision-device-config',
    name: 'Cell 1',
    address,
    healthInterval: 0.5,
  })
  /** The device's answers except health checks. */
  const asked = () =>
    device.calls().flatMap(({ operation }) => (operation === 'getSystem' ? [] : [operation]))
  const setRate = (value: number) =>
    fetch(`${device.url}/api/v2/pipelines/0/nodes/dev_camera/parameters/fps`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ value }),
    })
  const camera = ['Cell 1', 'Pipeline 0', 'dev_camera']

  describe('in English', () => {
    const open = useEditor()
    const opened = async (flows: object[]) =>
      new Sidebar(await open([...(flows.some(isTab) ? [] : [tab]), config(), ...flows])).show()

    it('shows every device with its health, and queries none before it is opened', async () => {
      const gone = { ...config(await closedAddress()), id: 'gone', name: 'Cell 2' }
      const unused = { ...config(), id: 'unused', name: 'Cell 3' }
      const before = asked().length
      const sidebar = await opened([
        { ...reader, id: 'n' },
        gone,
        unused,
        { ...reader, id: 'm', device: 'gone' },
      ])
      await sidebar.shows('Cell 1', 'ready')
      await sidebar.shows('Cell 2', /not reachable|connecting/)
      await sidebar.shows('Cell 3', 'not used')
      // The nodes of the flow check once whether the device has their names.
      const inFlow = ['listNodes', 'listGlobalNodes']
      const found = asked().slice(before)
      found.filter((id, at) => !inFlow.includes(id) || found.indexOf(id) !== at).should.eql([])
      await sidebar.open('Cell 1')
      await sidebar.shows('Serial number', /\d{5}/)
      await sidebar.open('Cell 2')
      await sidebar.problems
        .getByText(/^Cell 2: /)
        .first()
        .waitFor()
      // Only what is used on the device is requested.
      const kinds = new Set(device.calls().map(({ operation }) => operation))
      kinds.has('listServices').should.be.false()
      kinds.has('listLogs').should.be.false()
    })

    it('leads to the first device by mouse, and to the next by keyboard', async () => {
      const editor = await open([tab])
      const sidebar = await new Sidebar(editor).show()
      const first = editor.page.locator('.vision-first')
      await first.getByText('No devices yet.').waitFor()
      await editor.screenshot('sidebar-empty', sidebar.part)
      await editor.darken()
      await editor.screenshot('sidebar-empty-dark', sidebar.part)
      await first.getByRole('button', { name: 'Add a device' }).click()
      await editor.opened()
      await editor.field('Name').fill('Cell 1')
      await editor.field('Address').fill(device.url)
      await editor.close('Add' as 'Done')
      await sidebar.shows('Cell 1', 'not deployed')
      await first.waitFor({ state: 'hidden' })
      await editor.page
        .locator('.red-ui-sidebar-footer, #red-ui-sidebar')
        .getByRole('button', { name: 'Add a device' })
        .last()
        .press('Enter')
      // A dialog gets the focus last, and would take Enter away from its button.
      await editor.opened()
      await editor.field('Name').fill('Cell 2')
      await editor.field('Address').fill(device.url)
      await editor.button('Add').press('Enter')
      await sidebar.shows('Cell 2', 'not deployed')
      await editor.deploy()
      const flows = await editor.red.flows()
      const added = flows.filter(({ type }) => type === 'vision-device-config').map(({ name }) => name)
      should(added.sort()).eql(['Cell 1', 'Cell 2'])
    })

    it('shows a device that is not deployed with its present settings', async () => {
      const sidebar = await opened([])
      const { editor } = sidebar
      await editor.edit('device')
      await editor.field('Name').fill('Cell 9')
      await editor.close('Update')
      await sidebar.shows('Cell 9', 'not deployed')
      await sidebar.open('Cell 9')
      await sidebar.shows('Serial number', /\d{5}/)
    })

    it('shows live values while it is visible, and queries nothing while it is not', async () => {
      const sidebar = await opened([])
      await sidebar.open(...camera, 'Parameters')
      await sidebar.shows('fps', '25 Hz')
      await setRate(5)
      await sidebar.shows('fps', '5 Hz')
      await sidebar.open('Status values')
      await sidebar.shows('temp_left', /\d/)
      await sidebar.hide()
      let last = -1
      await eventually(() => {
        const now = device.calls().length
        const isQuiet = now === last
        last = now
        isQuiet.should.be.true()
      })
      await setRate(25)
      await sidebar.show()
      await sidebar.shows('fps', '25 Hz')
    })

    it('changes a value within its limits, and shows what the device has accepted', async () => {
      const sidebar = await opened([])
      await sidebar.open(...camera, 'Parameters')
      const rate = await sidebar.edit('fps')
      await rate.fill('99')
      await rate.press('Enter')
      await sidebar
        .line('fps')
        .getByRole('alert')
        .filter({ hasText: 'This must be from 1 to 25 Hz.' })
        .waitFor()
      await sidebar.editor.screenshot('sidebar-limits', sidebar.part)
      await rate.fill('12,5')
      await rate.press('Enter')
      await sidebar.answered('fps', 'The device now has 12.5 Hz.')
      should(device.parameter('dev_camera', 'fps')).equal(12.5)
      const control = await sidebar.edit('exp_control')
      should(await control.locator('option').allTextContents()).eql(['Manual', 'Auto', 'HDR'])
      await control.selectOption('HDR')
      await control.press('Tab')
      await sidebar.editor.page.keyboard.press('Enter')
      await sidebar.answered('exp_control', 'The device now has HDR.')
      await (await sidebar.edit('exp_control')).selectOption('Auto')
      await sidebar.editor.page.keyboard.press('Tab')
      await sidebar.editor.page.keyboard.press('Enter')
      await sidebar.answered('exp_control', 'The device now has Auto.')
      const left = await sidebar.edit('fps')
      await left.fill('3')
      await left.press('Escape')
      should(device.parameter('dev_camera', 'fps')).equal(12.5)
      await setRate(25)
    })

    it('shows the newest lines of a log, and the destinations of streams', async () => {
      const sidebar = await opened([])
      await setRate(24)
      await sidebar.open('Cell 1', 'Data streams', 'Logs', 'api.log')
      await sidebar.shows('pose ', 'no destination')
      await sidebar.line('api.log').getByRole('treeitem').filter({ hasText: 'fps set to 24' }).waitFor()
      await setRate(25)
      const first = sidebar.line('api.log').getByRole('treeitem').first()
      await first.filter({ hasText: 'fps set to 25' }).waitFor()
      await sidebar.editor.screenshot('sidebar-log', sidebar.part)
    })

    it('adds configured nodes to the flow, by mouse and by keyboard', async () => {
      const sidebar = await opened([])
      await sidebar.open(...camera, 'Parameters', 'Services')
      await sidebar.drag('fps', { x: 200, y: 100 })
      await sidebar.choose('fps', 'Add to the flow: set parameter')
      await sidebar.drag('reset_defaults', { x: 200, y: 300 })
      await sidebar.open('Status values')
      await sidebar.drag('temp_left', { x: 200, y: 400 })
      await sidebar.open('dev_camera')
      await sidebar.line('dev_camera').press('ArrowLeft')
      await sidebar.line('Pipeline 0').press('ArrowLeft')
      await sidebar.open('Data streams')
      await sidebar.drag('pose ', { x: 200, y: 500 })
      await sidebar.open('Logs')
      await sidebar.drag('api.log', { x: 200, y: 600 })
      await sidebar.editor.screenshot('sidebar-dropped')
      await sidebar.editor.deploy()
      const place = { device: 'device', pipeline: '0', node: 'dev_camera' }
      const [read, write, call, status, stream, log] = await sidebar.editor.stored(
        'vision-get-parameter',
        'vision-set-parameter',
        'vision-call-service',
        'vision-get-status',
        'vision-stream-receive',
        'vision-log-watch',
      )
      should(read).match({ ...place, which: 'one', parameter: 'fps', y: 100 })
      should(read?.['x']).be.within(150, 300)
      should(write).match({ ...place, parameter: 'fps', value: '25', valueType: 'num' })
      should(call).match({ ...place, service: 'reset_defaults' })
      should(status).match({ ...place, which: 'one', value: 'temp_left' })
      should(stream).match({ device: 'device', stream: 'pose' })
      should(log).match({ device: 'device', log: 'api.log' })
    })

    it('shows missing names in subflows too, whose devices and names come from their environment', async () => {
      const inSubflow = { ...reader, z: 'subflow', device: '${DEVICE}' }
      const instance = { ...{ z: 'tab', x: 100, y: 100, wires: [] }, type: 'subflow:subflow' }
      const chosen = (value: string) => ({ name: 'DEVICE', type: 'conf-type', value })
      const text = (name: string, value: string) => ({ name, type: 'str', value })
      const group = { type: 'group', z: 'tab', x: 0, y: 0, w: 10, h: 10, style: { label: true } }
      const sidebar = await opened([
        { ...tab, env: [text('CELL', 'device'), text('NODE', 'dev_of_tab'), text('RATE', 'rate_of_tab')] },
        { ...config(), id: 'other', name: 'Cell 2' },
        {
          ...{ id: 'subflow', type: 'subflow', name: 'cycle', in: [], out: [] },
          env: [
            { name: 'DEVICE', type: 'vision-device-config', value: 'device', ui: { type: 'conf-types' } },
            text('NODE', 'dev_camera'),
          ],
        },
        { ...inSubflow, id: 'named', node: '${NODE}', name: 'rate' },
        { ...inSubflow, id: 'typed', parameter: 'RATE', parameterType: 'env', name: 'other rate' },
        { ...instance, id: 'here', name: 'left', env: [text('NODE', 'dev_left')] },
        { ...instance, id: 'there', name: 'right', env: [chosen('other'), text('NODE', 'dev_right')] },
        {
          ...instance,
          id: 'grouped',
          name: 'middle',
          g: 'inner',
          env: [{ ...text('NODE', 'CELL_NODE'), type: 'env' }],
        },
        { ...group, id: 'inner', g: 'outer', nodes: ['grouped'], env: [text('RATE', 'fps')] },
        { ...group, id: 'outer', nodes: ['inner'], env: [text('CELL_NODE', 'dev_of_group')] },
        { ...reader, id: 'in-tab', device: '${CELL}', node: '${NODE}' },
        { ...reader, id: 'nobody', device: '${NOBODY}', node: 'dev_nobody' },
      ])
      await sidebar.open('Cell 1')
      await sidebar.shows('Missing on the device', '4')
      await sidebar.problems.getByText(/^Cell 1: The device does not have: .*dev_left/).waitFor()
      await sidebar.open('Missing on the device')
      await sidebar.shows('dev_left', 'left › rate')
      await sidebar.shows('rate_of_tab', 'left › other rate')
      await sidebar.shows('dev_of_group', 'middle › rate')
      await sidebar.shows('dev_of_tab', 'node')
    })

    it('shows what the flows use but the device lacks, and leads to it', async () => {
      const sidebar = await opened([
        { ...reader, id: 'camera', node: 'dev_kamera' },
        { ...reader, id: 'rate', which: 'several', parameter: 'fbs, fps' },
        { ...reader, id: 'fine', node: 'xy_camera' },
        { ...reader, id: 'unknown', parameterType: 'msg', parameter: 'nothing' },
        { ...reader, id: 'service', type: 'vision-call-service', service: 'trigger' },
        {
          ...{ ...reader, id: 'table', type: 'vision-set-parameter', which: 'several' },
          ...{ value: '{"fps":5,"exposure":{"$msg":"payload"}}', valueType: 'form' },
        },
        {
          ...{ ...reader, id: 'nodes', type: 'vision-set-parameter', which: 'nodes', valueType: 'json' },
          value: '{"xy_camera":{"fps":5,"gian":1},"dev_projector":{}}',
        },
        { ...reader, id: 'stream', type: 'vision-stream-receive', stream: 'poses' },
        {
          ...{ ...reader, id: 'by node', which: 'nodes', nodeType: 'json' },
          node: '{"xy_camera":["fps","gein"],"dev_stereo":"quality","dev_stereomatching":{"qualty":1}}',
        },
        { ...reader, id: 'in list', which: 'nodes', nodeType: 'json', node: '["dev_camera","dev_rgb"]' },
      ])
      await sidebar.open('Cell 1')
      await sidebar.shows('Missing on the device', '11')
      await sidebar.open('Missing on the device')
      await sidebar.shows('dev_kamera', 'node')
      await sidebar.shows('fbs', 'parameter')
      await sidebar.shows('exposure', 'parameter')
      for (const name of ['gian', 'gein', 'qualty']) await sidebar.shows(name, 'parameter')
      for (const name of ['dev_stereo', 'dev_rgb']) await sidebar.shows(name, 'node')
      await sidebar.shows('dev_projector', 'node')
      await sidebar.shows('trigger', 'service')
      await sidebar.shows('poses', 'data stream')
      await sidebar.line('fbs').press('Enter')
      const { page } = sidebar.editor
      await eventually(async () =>
        should(await page.evaluate(`document.querySelector('#red-ui-workspace-chart').scrollTop`)).be.above(
          1000,
        ),
      )
    })

    it('shows that a device is gone, and continues by itself when it is back', async () => {
      const cell = await startVirtualDevice({ port: 0 })
      try {
        const sidebar = new Sidebar(await open([tab, config(cell.url), { ...reader, id: 'n' }]))
        await sidebar.show()
        await sidebar.open(...camera, 'Parameters')
        await sidebar.shows('fps', '25 Hz')
        await cell.stop()
        await sidebar.shows('Cell 1', 'not reachable')
        await sidebar.problems
          .getByText(/^Cell 1: /)
          .first()
          .waitFor()
        await sidebar.line('fps').waitFor()
        await sidebar.editor.screenshot('sidebar-gone', sidebar.part)
        const back = await startVirtualDevice({ port: cell.port, scenario: {} })
        try {
          await sidebar.shows('Cell 1', 'ready')
          await sidebar.problems.getByText('No problems.').waitFor()
          await sidebar.shows('fps', '25 Hz')
        } finally {
          await back.stop()
        }
      } finally {
        await cell.stop()
      }
    })

    it('saves a diagnostics file', async () => {
      const sidebar = await opened([{ ...reader, id: 'n' }])
      const { page } = sidebar.editor
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save a diagnostics file' }).click(),
      ])
      download.suggestedFilename().should.match(/^vision-diagnostics-.*\.json$/)
      const file = JSON.parse(readFileSync(await download.path(), 'utf8')) as { devices: object[] }
      should(file.devices).match([{ id: 'device', uses: [{ id: 'n' }] }])
    })

    it('can be used by keyboard alone, and has names and roles', async () => {
      // Only the newest lines are shown: those from the start may no longer be among them.
      await setRate(23)
      await setRate(25)
      const sidebar = await opened([{ ...reader, id: 'n' }])
      const { keyboard } = sidebar.editor.page
      const focusIsOn = (name: RegExp) =>
        eventually(async () => {
          const focused = await sidebar.editor.page.evaluate<string>(
            `document.getElementById(document.activeElement.getAttribute('aria-labelledby'))?.textContent ?? ''`,
          )
          focused.should.match(name)
        })
      await sidebar.line('Cell 1').focus()
      await keyboard.press('ArrowRight')
      await sidebar.line('Pipeline 0').waitFor()
      await keyboard.press('ArrowRight')
      await focusIsOn(/Model/)
      await sidebar.line('Logs').waitFor()
      await keyboard.press('End')
      await focusIsOn(/Logs/)
      await keyboard.press('ArrowRight')
      await sidebar.line('api.log').waitFor()
      await keyboard.press('ArrowRight')
      await keyboard.press('ArrowRight')
      await sidebar.line('fps set to 23').waitFor()
      await keyboard.press('ArrowLeft')
      await keyboard.press('ArrowLeft')
      await focusIsOn(/Logs/)
      await keyboard.press('Home')
      await focusIsOn(/Cell 1/)
      const reached = await sidebar.tree.locator('[role=treeitem][tabindex="0"]').count()
      reached.should.equal(1)
      await sidebar.choose('Cell 1', 'Settings of the device')
      await sidebar.editor.field('Address').waitFor()
      await sidebar.editor.close('Cancel')
    })

    it('exists once, and follows the colours of a dark theme', async () => {
      const near = { ...reader, x: 200, wires: [] }
      const sidebar = await opened([
        { ...near, id: 'rate', y: 100 },
        { ...near, id: 'camera', y: 180, node: 'dev_kamera' },
        { ...near, id: 'trigger', y: 260, type: 'vision-call-service', ...trigger },
        { ...near, id: 'pose', y: 340, type: 'vision-stream-receive', stream: 'pose', wires: [[], []] },
      ])
      const { page } = sidebar.editor
      await page.setViewportSize({ width: 1100, height: 820 })
      should(await page.locator('.vision-sidebar').count()).equal(1)
      await sidebar.open(...camera, 'Parameters', 'Missing on the device')
      await sidebar.shows('dev_kamera', 'node')
      await sidebar.shows('fps', '25 Hz')
      await sidebar.line('fps').focus()
      await sidebar.editor.picture('sidebar')
      await sidebar.editor.darken()
      await sidebar.editor.picture('sidebar-dark', sidebar.part)
      const colours = await page.evaluate<string[]>(`[
        getComputedStyle(document.querySelector('.vision-sidebar')).backgroundColor,
        getComputedStyle(document.querySelector('.vision-row-label')).color,
      ]`)
      should(colours).eql(['rgb(42, 42, 42)', 'rgb(220, 220, 220)'])
      await sidebar.problems.getByText('Cell 1: The device does not have: dev_kamera').waitFor()
      const texts = await page.evaluate<ShownText[]>(shownTexts('.vision-sidebar *'))
      should(texts.length).be.above(10)
      should(texts.filter(({ contrast }) => contrast < readable)).eql([])
    })
  })

  describe('in German', () => {
    const open = useEditor({ locale: 'de' })

    it('is German throughout', async () => {
      const sidebar = new Sidebar(await open([tab, config(), { ...reader, id: 'n', node: 'dev_kamera' }]))
      await sidebar.show()
      await sidebar.shows('Cell 1', 'bereit')
      await sidebar.open(
        'Cell 1',
        'Fehlt auf dem Gerät',
        'Pipeline 0',
        'dev_camera',
        'Statuswerte',
        'Parameter',
      )
      await sidebar.shows('dev_kamera', 'Knoten')
      await sidebar.shows('fps', '25 Hz')
      const english = /\b(Missing|Services|Logs|ready|Serial)\b/
      ;((await sidebar.tree.textContent()) ?? '').should.not.match(english)
      await sidebar.editor.screenshot('sidebar-german')
    })
  })
})
