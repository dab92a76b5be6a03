import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor } from '../support/editor'
import { eventually } from '../support/eventually'
import { closedAddress } from '../support/misbehaving-server'
import { readable, shownTexts, type ShownText } from '../support/shown-texts'
import { Sidebar } from '../support/sidebar'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const reader = {
  ...{ id: 'n', type: 'vision-get-parameter', z: 'tab', x: 200, y: 100, wires: [[]], device: 'device' },
  ...{ pipeline: '0', node: 'dev_camera', parameter: 'fps' },
}

describe('the picture of a camera in the sidebar', () => {
  let device: VirtualDevice
  beforeEach(async () => {
    device = await startVirtualDevice({ port: 0, imagePort: 0 })
  })
  afterEach(() => device.stop())
  const config = (fields: object = {}) => ({
    ...{ id: 'device', type: 'vision-device-config', name: 'Cell 1', healthInterval: 0.5 },
    ...{ address: device.url, imagePort: device.ports.images?.port },
    ...fields,
  })
  const setMode = (node: string, value: string) =>
    fetch(`${device.url}/api/v2/pipelines/0/nodes/${node}/parameters/acquisition_mode`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ value }),
    })
  const triggers = () =>
    device.calls().filter(({ operation }) => operation === 'callService' || operation === 'setParameter')

  describe('in English', () => {
    const open = useEditor()
    const opened = async (fields: object = {}) => {
      const sidebar = await new Sidebar(await open([tab, config(fields), reader])).show()
      await sidebar.open('Cell 1', 'Picture')
      const view = sidebar.editor.page.locator('.vision-view')
      const part = view.getByRole('combobox', { name: 'Picture' })
      // The line may still show the device of another test, which had the same id.
      await view.getByRole('checkbox', { name: 'Live' }).uncheck()
      await part.selectOption('Left image')
      await view.getByRole('button', { name: 'Show picture' }).click()
      return { sidebar, view, part }
    }

    it('comes when the line is opened: left, depth, confidence, with time and size', async () => {
      const { sidebar, view, part } = await opened()
      const { page } = sidebar.editor
      await page.setViewportSize({ width: 1366, height: 768 })
      await view.getByRole('img', { name: /^Left image, / }).waitFor()
      await view.getByText(/^\d\d:\d\d:\d\d · 1280 × 960 px$/).waitFor()
      await sidebar.editor.screenshot('sidebar-picture', sidebar.part)
      await part.selectOption('Depth in colours')
      await view.getByRole('img', { name: /^Depth in colours, / }).waitFor()
      await view.getByText(/ · 640 × 480 px$/).waitFor()
      await sidebar.editor.picture('sidebar-depth', sidebar.part)
      await part.selectOption('Confidence')
      await view.getByRole('img', { name: /^Confidence, / }).waitFor()
      await sidebar.editor.darken()
      await sidebar.editor.screenshot('sidebar-picture-dark', sidebar.part)
      const texts = await page.evaluate<ShownText[]>(shownTexts('.vision-view *'))
      should(texts).not.be.empty()
      should(texts.filter(({ contrast }) => contrast < readable)).eql([])
      should(triggers()).eql([])
    })

    it('comes as soon as a slow device sends one, without another click', async () => {
      device.setScenario({ drop_images: 1 })
      const { view } = await opened()
      await view.getByText(/^No picture since \d\d:\d\d:\d\d\.$/).waitFor()
      device.setScenario({ drop_images: 0 })
      await view.getByRole('img', { name: /^Left image, / }).waitFor()
      await view.getByText(/^No picture since/).waitFor({ state: 'detached' })
    })

    it('is live at most twice a second while it can be seen, and asks nothing otherwise', async () => {
      const { sidebar, view } = await opened()
      const { page } = sidebar.editor
      const asked: number[] = []
      page.on('request', (request) => {
        if (request.url().includes('/picture?')) asked.push(performance.now())
      })
      const image = view.getByRole('img', { name: /^Left image, / })
      await image.waitFor()
      const first = await image.getAttribute('src')
      await view.getByRole('checkbox', { name: 'Live' }).check()
      await eventually(async () => should(await image.getAttribute('src')).not.equal(first))
      await eventually(() => asked.length.should.be.above(3))
      // The timers of the page tick every 250 ms; a stopped page only asks later.
      const span = (asked.at(-1) ?? 0) - (asked[0] ?? 0)
      should(span / (asked.length - 1)).be.aboveOrEqual(400)
      await sidebar.hide()
      const before = asked.length
      // A request that was under way may end; a second one would show that it goes on.
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 1500))')
      should(asked.length).be.belowOrEqual(before + 1)
    })

    it('says that nothing was triggered, shows what another triggers, and of when the last picture is', async () => {
      await setMode('dev_stereomatching', 'SingleFrame')
      const { sidebar, view, part } = await opened()
      await part.selectOption('Depth in colours')
      const why = /^No picture since \d\d:\d\d:\d\d\. dev_stereomatching is in the mode SingleFrame: /
      await view.getByText(why).waitFor()
      await sidebar.editor.screenshot('sidebar-no-picture', sidebar.part)
      await view.getByRole('checkbox', { name: 'Live' }).check()
      const image = view.getByRole('img', { name: /^Depth in colours, / })
      const trigger = `${device.url}/api/v2/pipelines/0/nodes/dev_stereomatching/services/acquisition_trigger`
      await fetch(trigger, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' })
      await image.waitFor()
      await view.getByText(/^The last picture is from \d\d:\d\d:\d\d\. dev_stereomatching is in /).waitFor()
      await sidebar.editor.screenshot('sidebar-last-picture', sidebar.part)
    })

    it('says in words that the image port is closed', async () => {
      const { sidebar, view } = await opened({ imagePort: Number(new URL(await closedAddress()).port) })
      await view.getByText(/^Cell 1: cannot receive images, because port \d+ could not be reached/).waitFor()
      await sidebar.editor.screenshot('sidebar-picture-closed', sidebar.part)
    })

    it('says that a licence is missing', async () => {
      device.setScenario({ license: { stereo: false } })
      const { view, part } = await opened()
      await part.selectOption('Depth in colours')
      await view.getByText(/^Cell 1: the device sends no images, because a licence is missing/).waitFor()
    })

    it('is that of the deployed device only', async () => {
      const { sidebar, view } = await opened()
      await view.getByRole('img', { name: /^Left image, / }).waitFor()
      await sidebar.editor.edit('device')
      await sidebar.editor.field('Name').fill('Cell 1b')
      await sidebar.editor.close('Update')
      await view.getByRole('button', { name: 'Show picture' }).click()
      await view.getByText('Deploy the device first').waitFor()
    })
  })

  describe('in German, of a device with several pipelines', () => {
    const open = useEditor({ locale: 'de' })

    it('is chosen by pipeline', async () => {
      await device.stop()
      device = await startVirtualDevice({ port: 0, imagePort: 0, variant: 'multi' })
      const sidebar = await new Sidebar(await open([tab, config(), reader])).show()
      await sidebar.open('Cell 1', 'Bild')
      const view = sidebar.editor.page.locator('.vision-view')
      await view.getByRole('img', { name: /^Linkes Bild, / }).waitFor()
      await view.getByRole('combobox', { name: 'Pipeline' }).selectOption('Pipeline 1')
      await view.getByRole('img', { name: /^Linkes Bild, / }).waitFor()
      await sidebar.editor.screenshot('sidebar-picture-german', sidebar.part)
    })
  })
})
