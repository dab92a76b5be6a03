import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import type { Page } from 'playwright-core'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { animatedPng } from '../support/animated-png'
import { useEditor } from '../support/editor'
import { root } from '../support/root'
import { Sidebar } from '../support/sidebar'

const size = { width: 1060, height: 720 }
const button = '[id="trigger"] .red-ui-flow-node-button-button'

const nodes = (device: VirtualDevice) => [
  { id: 'tab', type: 'tab', label: 'Robot cell', disabled: false, info: '' },
  {
    ...{ id: 'device', type: 'vision-device-config', name: 'Camera above the bin' },
    ...{ address: device.url, imagePort: device.ports.images?.port, healthInterval: 1 },
  },
  {
    ...{
      id: 'note',
      type: 'comment',
      z: 'tab',
      name: 'Press the button: the depth image appears beside the flow',
    },
    ...{ info: '', x: 280, y: 140, wires: [] },
  },
  {
    ...{ id: 'trigger', type: 'inject', z: 'tab', name: 'take a picture', props: [], topic: '' },
    ...{ repeat: '', crontab: '', once: false, onceDelay: 0.1, x: 160, y: 220, wires: [['acquire']] },
  },
  {
    ...{ id: 'acquire', type: 'vision-acquire', z: 'tab', name: '', device: 'device', pipeline: '0' },
    ...{ x: 380, y: 220, wires: [['debug'], []] },
  },
  {
    ...{ id: 'debug', type: 'debug', z: 'tab', name: 'picture', active: false, complete: 'payload' },
    ...{ x: 570, y: 200, wires: [] },
  },
]

/** What the README shows: the button is pressed, and the depth appears beside the flow. */
describe('the depth image beside the flow', () => {
  // A browser and a Node-RED of its own: the editor remembers the hidden palette and the open sidebar.
  const open = useEditor({ environment: { CELLSIGHT_ANIMATION: '1' } })
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0, imagePort: 0 })
  })
  after(() => device.stop())

  it('appears when the button of the flow is pressed', async () => {
    const isFilmed = process.env['CELLSIGHT_SCREENSHOTS'] === '1'
    const editor = await open(nodes(device))
    editor.isAltered = true
    const { page } = editor
    if (isFilmed) await page.setViewportSize(size)
    const film = new Film(page, isFilmed)
    const mode = `${device.url}/api/v2/pipelines/0/nodes/dev_stereomatching/parameters/acquisition_mode`
    await fetch(mode, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"value":"SingleFrame"}',
    })
    const togglePalette = () => page.evaluate('RED.actions.invoke("core:toggle-palette")')
    await togglePalette()
    try {
      const sidebar = await new Sidebar(editor).show()
      await sidebar.open('Camera above the bin', 'Picture')
      const view = page.locator('.vision-view')
      await view.getByRole('combobox', { name: 'Picture' }).selectOption('Depth in colours')
      await view.getByRole('checkbox', { name: 'Live' }).check()
      await view.getByText(/^No picture since /).waitFor()
      const image = view.getByRole('img', { name: /^Depth in colours, / })
      should(await image.count()).equal(0)

      const box = await page.locator(button).boundingBox()
      if (!box) throw new Error('no button')
      const target = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      await film.pointer({ x: 420, y: 400 })
      await film.take(1_200)
      for (let part = 1; part <= 10; part += 1) {
        await film.pointer({
          x: 420 + ((target.x - 420) * part) / 10,
          y: 400 + ((target.y - 400) * part) / 10,
        })
        await film.take(50)
      }
      await film.take(400)
      await page.locator(button).click()
      while (isFilmed && (await image.count()) === 0) await film.take(150)
      await image.waitFor()
      await page.locator('[id="acquire"] .red-ui-flow-node-status-label', { hasText: /^done \d/ }).waitFor()
      await film.take(300)
      await film.take(4_500)
    } finally {
      // The browser remembers it for the next test.
      await togglePalette()
    }
    film.save('first-picture')
  })
})

/** Frames of a page, with a drawn pointer: a screenshot has none. */
class Film {
  readonly #frames: { png: Buffer; shownFor: number }[] = []

  constructor(
    private readonly page: Page,
    private readonly isFilmed: boolean,
  ) {}

  async pointer({ x, y }: { x: number; y: number }) {
    if (!this.isFilmed) return
    await this.page.evaluate(`{
      const id = 'film-pointer'
      const pointer = document.getElementById(id) ?? document.body.appendChild(document.createElement('div'))
      pointer.id = id
      pointer.style.cssText = 'position:fixed;z-index:9999;pointer-events:none;left:${x}px;top:${y}px'
      pointer.innerHTML = '<svg width="20" height="26"><path d="M1 1v19l5-5 3.5 8.5 3-1.3-3.5-8.2h7z" fill="#000" stroke="#fff" stroke-width="1.5"/></svg>'
    }`)
  }

  /** @param shownFor milliseconds */
  async take(shownFor: number) {
    if (!this.isFilmed) return
    const png = await this.page.screenshot({
      animations: 'disabled',
      caret: 'hide',
      style: '#red-ui-notifications { visibility: hidden }',
    })
    this.#frames.push({ png, shownFor })
  }

  save(name: string) {
    if (this.#frames.length)
      writeFileSync(join(root, 'docs', 'images', `${name}.png`), animatedPng(this.#frames))
  }
}
