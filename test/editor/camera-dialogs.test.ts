import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor, type Editor } from '../support/editor'
import { readable, shownTexts, type ShownText } from '../support/shown-texts'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const onTab = { z: 'tab', x: 200, y: 100, wires: [[]], device: 'device', pipeline: '0' }

describe('dialogs with the picture of the camera', () => {
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0, imagePort: 0, scenario: { image_view: 'scene' } })
  })
  after(() => device.stop())
  const config = () => ({
    ...{ id: 'device', type: 'vision-device-config', name: 'Cell 1', address: device.url, deadline: 60 },
    imagePort: device.ports.images?.port,
  })
  const caller = (node: string, service: string, args: object) => ({
    ...{ ...onTab, id: 'n', type: 'vision-call-service', node, service, args: JSON.stringify(args) },
    argsType: 'json',
  })
  const put = (path: string, body: object) =>
    fetch(`${device.url}/api/v2/${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const tried = async (editor: Editor, yes = 'Call it', name = 'Try it now') => {
    await editor.page.getByRole('button', { name }).click()
    await editor.page.getByRole('button', { name: yes }).click()
    return editor.page.locator('.vision-view')
  }

  describe('in English', () => {
    const open = useEditor()
    const opened = async (node: object) => {
      const editor = await open([tab, config(), node])
      await editor.page.setViewportSize({ width: 1366, height: 768 })
      await editor.edit('n')
      return editor
    }

    it('draw what a service has found over it', async () => {
      const detect = caller('dev_april_tag_detect', 'detect', { tags: [], pose_frame: 'camera' })
      const editor = await opened(detect)
      const view = await tried(editor)
      await view.getByRole('img', { name: /^Left image, / }).waitFor()
      await view.getByText(/^Tags: \d+$/).waitFor()
      const drawing = (await view.locator('.vision-view-drawing').getAttribute('src')) ?? ''
      const svg = decodeURIComponent(drawing.slice(drawing.indexOf(',') + 1))
      should(svg.match(/data-kind="tag"/g)?.length).be.aboveOrEqual(4)
      await view.scrollIntoViewIfNeeded()
      await editor.picture('dialog-overlay', view)
      await view.getByRole('combobox', { name: 'Picture' }).selectOption('Depth in colours')
      await view.getByRole('img', { name: /^Depth in colours, / }).waitFor()
      await view.locator('.vision-view-drawing:visible').waitFor()
      await editor.darken()
      await editor.screenshot('dialog-overlay-dark', editor.dialog)
      const texts = await editor.page.evaluate<ShownText[]>(shownTexts('.vision-view *'))
      should(texts.filter(({ contrast }) => contrast < readable)).eql([])
      await editor.close('Cancel')
    })

    it('draw poses in the external frame by the saved hand-eye calibration, and say what is missing', async () => {
      const calibration = 'pipelines/0/nodes/dev_hand_eye_calibration/services'
      await put('nodes/dev_load_carrier_db/services/set_load_carrier', {
        args: {
          load_carrier: {
            id: 'bin',
            outer_dimensions: { x: 0.6, y: 0.4, z: 0.2 },
            inner_dimensions: { x: 0.56, y: 0.36, z: 0.19 },
          },
        },
      })
      const pose = { position: { x: 0.3, y: 0, z: 0.9 }, orientation: { w: 0, x: 1, y: 0, z: 0 } }
      await put(`${calibration}/set_calibration`, { args: { pose, robot_mounted: false } })
      const args = { pose_frame: 'external', load_carrier_ids: ['bin'] }
      const editor = await opened(caller('dev_load_carrier', 'detect_load_carriers', args))
      const view = await tried(editor)
      await view.getByText('Load carriers: 1').waitFor()
      await view.locator('.vision-view-drawing:visible').waitFor()
      await view.scrollIntoViewIfNeeded()
      await editor.screenshot('dialog-overlay-external', editor.dialog)
      await put(`${calibration}/remove_calibration`, {})
      await view.getByRole('combobox', { name: 'Picture' }).selectOption('Depth in colours')
      await view.getByText(/no hand-eye calibration is saved on the device/).waitFor()
      await editor.close('Cancel')
    })

    it('show it in acquire and image-receive by a button', async () => {
      for (const type of ['vision-acquire', 'vision-image-receive']) {
        const editor = await opened({ ...onTab, id: 'n', type, wires: [[], []] })
        await editor.page.getByRole('button', { name: 'Show picture' }).click()
        const image = editor.page.getByRole('img', { name: /^Left image, / })
        await image.waitFor()
        await image.scrollIntoViewIfNeeded()
        await editor.screenshot(`dialog-picture-${type}`, editor.dialog)
        await editor.close('Cancel')
      }
    })
  })

  describe('in German', () => {
    const open = useEditor({ locale: 'de' })

    it('are German', async () => {
      const editor = await open([
        tab,
        config(),
        caller('dev_april_tag_detect', 'detect', { tags: [], pose_frame: 'camera' }),
      ])
      await editor.edit('n')
      const view = await tried(editor, 'Aufrufen', 'Jetzt ausprobieren')
      await view.getByText(/^Tags: \d+$/).waitFor()
      await view.scrollIntoViewIfNeeded()
      await editor.screenshot('dialog-overlay-german', editor.dialog)
      await editor.close('Abbrechen' as 'Cancel')
    })
  })
})
