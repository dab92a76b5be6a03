import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor } from '../support/editor'

const inTab = { z: 'tab', x: 300, y: 100, wires: [[]], device: 'device', pipeline: '0', pipelineType: 'str' }
const reader = {
  ...inTab,
  type: 'vision-get-parameter',
  nodeType: 'str',
  parameter: 'fps',
  parameterType: 'str',
}

const virtual = { ...inTab, type: 'vision-virtual-device', host: '127.0.0.1', port: 0 }

describe('the statuses of nodes in an editor in another language than Node-RED', () => {
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0 })
  })
  after(() => device.stop())
  const open = useEditor({ locale: 'de' })
  const flow = () => [
    { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' },
    { id: 'device', type: 'vision-device-config', name: 'links', address: device.url, healthInterval: 0.2 },
    {
      ...inTab,
      id: 'press',
      type: 'inject',
      y: 200,
      repeat: '',
      once: true,
      onceDelay: 0.1,
      props: [],
      wires: [['n']],
    },
    { ...reader, id: 'n', name: 'good', node: 'dev_camera' },
    { ...reader, id: 'x', name: 'bad', node: 'dev_x', y: 300 },
    { ...virtual, id: 'v', y: 400 },
    { ...virtual, id: 'w', y: 500, port: device.port },
  ]

  it('are in the language of the editor, with numbers, names and times, after a reload too', async () => {
    const editor = await open(flow())
    const status = (text: RegExp) =>
      editor.page.locator('.red-ui-flow-node-status-label').filter({ hasText: text }).first()
    for (const reload of [false, true]) {
      if (reload) await editor.page.reload()
      await status(/^fertig \d+ ms \d\d:\d\d:\d\d$/).waitFor()
      await status(/^nicht auf dem Gerät: dev_x$/).waitFor()
      await status(/^127\.0\.0\.1:\d+$/).waitFor()
      await status(/^belegt, \d+ frei$/).waitFor()
    }
    await editor.picture('statuses-de')
    device.setScenario({ offline: true })
    await status(/^nicht erreichbar$/).waitFor()
    device.setScenario({ offline: false })
    await status(/^fertig \d+ ms \d\d:\d\d:\d\d$/).waitFor()
  })
})
