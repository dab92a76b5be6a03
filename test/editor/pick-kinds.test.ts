import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor } from '../support/editor'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }

/** What the virtual device offers for each kind of pick-list. */
const offered = {
  pipeline: '0',
  node: 'dev_boxpick',
  'global-node': 'dev_roi_db',
  parameter: 'line_sensitivity',
  service: 'detect_items',
  stream: 'pose_rt',
  log: 'camera.log',
  template: 'carton',
} as const
const kinds = Object.keys(offered) as (keyof typeof offered)[]
const fieldOf = (kind: string) => kind.replace('global-node', 'globalNode')

describe('pick-lists of plain fields', () => {
  const open = useEditor()
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0 })
  })
  after(() => device.stop())

  it('offer every kind of thing on a device', async () => {
    const file = new FormData()
    file.set('file', new Blob(['a template']), 'carton')
    await fetch(`${device.url}/api/v2/templates/dev_boxpick/carton`, { method: 'PUT', body: file })
    const config = { id: 'device', type: 'vision-device-config', name: 'Cell 1', address: device.url }
    const editor = await open([tab, config])
    const rows = kinds.map(
      (kind) =>
        `<div class="form-row"><input type="text" id="node-input-${fieldOf(kind)}" data-pick="${kind}"></div>`,
    )
    const form = `<input id="node-input-name"><input type="text" id="node-input-device">${rows.join('')}`
    const defaults = Object.fromEntries(kinds.map((kind) => [fieldOf(kind), { value: offered[kind] }]))
    // A node with all of them: its form replaces another one in this page.
    editor.isAltered = true
    await editor.page.evaluate(`{
      const type = 'vision-get-parameter'
      $('script[data-template-name="' + type + '"]').text(${JSON.stringify(form)})
      const definition = RED.nodes.getType(type)
      const { name, device } = definition.defaults
      definition.defaults = { name, device, ...${JSON.stringify(defaults)} }
      const values = ${JSON.stringify(Object.fromEntries(kinds.map((kind) => [fieldOf(kind), offered[kind]])))}
      RED.nodes.import([{ id: 'all', type, z: 'tab', x: 200, y: 100, device: 'device', wires: [[]], ...values }])
    }`)
    await editor.edit('all')
    for (const kind of kinds) {
      const field = editor.page.locator(`#node-input-${fieldOf(kind)}`)
      await field.focus()
      await field.press('ArrowDown')
      const offers = editor.page.locator('.vision-picks [role=option]')
      await offers.filter({ has: editor.page.getByText(offered[kind], { exact: true }) }).waitFor()
      const active = editor.page.locator('.vision-pick-current .vision-pick-name')
      should(await active.textContent()).equal(offered[kind])
      await field.press('Escape')
    }
    should(await editor.page.locator('.vision-pick-mark:not(:empty)').count()).equal(0)
  })
})
