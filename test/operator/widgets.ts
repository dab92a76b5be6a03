import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from '../support/eventually'
import type { NodeRed } from '../support/node-red'
import { nodeRedWithDashboard, openPanel, type PanelPage } from './support/dashboard'
import { dashboardOf, widget } from './support/widgets'

describe("Dashboard's own widgets", () => {
  let device: VirtualDevice
  let red: NodeRed
  let panel: PanelPage

  before(async function () {
    device = await startVirtualDevice({ port: 0, imagePort: 0 })
    red = await nodeRedWithDashboard()
    const at = { z: 'tab', x: 0, y: 0, device: 'device' }
    const parameter = { ...at, type: 'vision-get-parameter', node: 'dev_camera' }
    const [text, gauge] = ['text', 'gauge']
    await red.deploy([
      { id: 'tab', type: 'tab', label: 'widgets' },
      {
        ...{ id: 'device', type: 'vision-device-config', name: '', address: device.url },
        imagePort: device.ports.images?.port,
      },
      { ...at, id: 'ask', type: 'inject', props: [], repeat: '', once: false, wires: [['good', 'bad']] },
      { ...parameter, id: 'good', parameter: 'fps', wires: [[text, gauge]] },
      { ...parameter, id: 'bad', parameter: 'speed', wires: [[]] },
      { ...at, id: 'catch', type: 'catch', scope: ['bad'], wires: [['failure']] },
      { ...at, id: 'look', type: 'inject', props: [], repeat: '', once: false, wires: [['picture']] },
      { ...at, id: 'picture', type: 'vision-acquire', picturesAs: 'dataUrl', wires: [['show']] },
      ...dashboardOf('widgets'),
      widget(text, 'text', { format: '{{msg.payload}}', value: 'vision.text', valueType: 'msg' }),
      widget(gauge, 'gauge', {
        ...{
          value: 'vision.value',
          valueType: 'msg',
          gtype: 'gauge-half',
          gstyle: 'rounded',
          title: 'rate',
          units: 'Hz',
        },
        ...{ min: 0, max: 30, segments: [{ from: '0', color: '#5cd65c' }], width: 3, height: 3 },
      }),
      widget('failure', 'text', { format: '{{msg.payload}}', value: 'vision.text', valueType: 'msg' }),
      widget('show', 'template', {
        ...{ format: '<img alt="picture" :src="msg.payload">', templateScope: 'local' },
        ...{ storeOutMessages: true, passthru: true, resendOnRefresh: true },
      }),
    ])
    const opened = await openPanel(`${red.url}/dashboard/widgets`)
    if (!opened) return this.skip()
    panel = opened
  })
  afterEach(async function () {
    if (this.currentTest?.isFailed()) process.stderr.write(`${await panel.told(red)}\n`)
  })
  after(async () => {
    await panel.close()
    await red.deploy([])
    await device.stop()
  })

  const press = async (id: string) => {
    should((await fetch(`${red.url}/inject/${id}`, { method: 'POST' })).status).equal(200)
  }

  it('show a result as text and as a number, and why something failed', async () => {
    const { page } = panel
    await page.locator('.nrdb-ui-text').first().waitFor()
    await press('ask')
    await page.locator('#nrdb-ui-widget-text', { hasText: 'fps = 25 Hz' }).waitFor()
    await page.locator('#nrdb-ui-widget-gauge', { hasText: '25' }).waitFor()
    await page.locator('#nrdb-ui-widget-failure', { hasText: 'speed' }).waitFor()
  })

  it('show a picture of the camera', async () => {
    const { page } = panel
    await press('look')
    const width = () => page.evaluate<number>(`document.querySelector('img[alt=picture]').naturalWidth`)
    await eventually(async () => void should(await width()).be.above(600))
  })
})
