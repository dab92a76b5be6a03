import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor } from '../support/editor'
import { eventually } from '../support/eventually'
import { closedAddress } from '../support/misbehaving-server'
import { Sidebar } from '../support/sidebar'

const count = 30
const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }

describe('the sidebar with thirty devices', () => {
  let device: VirtualDevice
  let broken: VirtualDevice
  /** Its log is shorter than what is shown of it. */
  let quiet: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0 })
    broken = await startVirtualDevice({ port: 0 })
    quiet = await startVirtualDevice({ port: 0 })
  })
  after(() => Promise.all([device.stop(), broken.stop(), quiet.stop()]))

  const open = useEditor()

  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  /** All of them are the same virtual device, except for the given one. */
  const flows = (other: number, address: string) => [
    tab,
    ...numbers.flatMap((number) => [
      {
        ...{
          id: `device${number}`,
          type: 'vision-device-config',
          name: `Cell ${number}`,
          healthInterval: 0.5,
        },
        address: number === other ? address : device.url,
      },
      {
        ...{ id: `n${number}`, type: 'vision-get-parameter', z: 'tab', x: 100, y: 40 * number, wires: [[]] },
        ...{ device: `device${number}`, pipeline: '0', node: 'dev_camera', parameter: 'fps' },
      },
    ]),
  ]
  const opened = async (other: number, address: string) => {
    const editor = await open(flows(other, address))
    // The order does not change while mouse or keyboard are among the lines.
    await editor.page.mouse.move(5, 5)
    const sidebar = await new Sidebar(editor).show()
    await sidebar.search.focus()
    return sidebar
  }
  const summary = (sidebar: Sidebar, text: string) =>
    sidebar.editor.page.getByRole('status').filter({ hasText: text }).waitFor()

  it('lists the problem first, the others in natural order, each with its address on one line', async () => {
    const sidebar = await opened(17, await closedAddress())
    await summary(sidebar, '29 of 30 ready')
    const expected = [
      'Cell 17',
      ...numbers.filter((number) => number !== 17).map((number) => `Cell ${number}`),
    ]
    await eventually(async () => should(await sidebar.names()).eql(expected))
    await sidebar.shows('Cell 2 ', device.url.slice('http://'.length))
    await sidebar.problems.getByText(/^Cell 17: /).waitFor()
    const heights = await sidebar.editor.page.evaluate<number[]>(
      `[...document.querySelectorAll('.vision-tree > [role=treeitem] > .vision-row')].map((row) => row.offsetHeight)`,
    )
    new Set(heights).size.should.equal(1)
    await sidebar.editor.screenshot('sidebar-thirty')
    await sidebar.problems.getByRole('button', { name: /^Cell 17/ }).click()
    await sidebar.editor.page.locator('[role=treeitem]:focus', { hasText: 'Cell 17' }).waitFor()
  })

  it('finds devices, addresses, nodes and parameters', async () => {
    const address = broken.url.slice('http://'.length)
    const sidebar = await opened(4, broken.url)
    await summary(sidebar, '30 of 30 ready')
    await sidebar.search.fill('cell 12')
    await eventually(async () => should(await sidebar.names()).eql(['Cell 12']))
    await sidebar.search.fill(address)
    await eventually(async () => should(await sidebar.names()).eql(['Cell 4']))
    await sidebar.search.fill('stereom')
    await eventually(async () => {
      const names = await sidebar.names()
      names.should.have.length(count)
      new Set(names).should.deepEqual(new Set(['dev_stereomatching']))
    })
    await sidebar.search.fill('cell 4 fps')
    await sidebar.shows('dev_camera', 'Cell 4')
    await sidebar.shows('fps', '25 Hz')
    await sidebar.editor.screenshot('sidebar-found', sidebar.part)
    await sidebar.search.fill('nothing of that name')
    await sidebar.line('Nothing found.').waitFor()
    await sidebar.search.press('Escape')
    await sidebar.line('Cell 30').waitFor()
    await sidebar.search.press('ArrowDown')
    await sidebar.editor.page.locator('[role=treeitem]:focus', { hasText: 'Cell 1' }).waitFor()
  })

  it('moves no line under the mouse, whatever happens to the others', async () => {
    const sidebar = await opened(9, broken.url)
    await summary(sidebar, '30 of 30 ready')
    const inOrder = numbers.map((number) => `Cell ${number}`)
    await eventually(async () => should(await sidebar.names()).eql(inOrder))
    await sidebar.line('Cell 6').locator('> .vision-row').hover()
    const before = await sidebar.top('Cell 6')
    broken.setScenario({ offline: true })
    await sidebar.shows('Cell 9', 'not reachable')
    await sidebar.problems.getByText(/^Cell 9: /).waitFor()
    should(await sidebar.top('Cell 6')).equal(before)
    should((await sidebar.names()).indexOf('Cell 9')).equal(8)
    await sidebar.search.hover()
    await eventually(async () => should((await sidebar.names())[0]).equal('Cell 9'))
    await sidebar.line('Cell 6').locator('> .vision-row').hover()
    const next = await sidebar.top('Cell 6')
    broken.setScenario({ offline: false })
    await summary(sidebar, '30 of 30 ready')
    should(await sidebar.top('Cell 6')).equal(next)
  })

  it('drags the line that was under the mouse, even if padding above holds it in place', async () => {
    const sidebar = await opened(1, device.url)
    const { page } = sidebar.editor
    await summary(sidebar, '30 of 30 ready')
    await sidebar.open('Cell 1', 'Logs')
    const held = sidebar.line('camera.log')
    await held.locator('> .vision-row').hover()
    // As after lines above it were removed.
    await page.locator('.vision-tree').evaluate((lines: Element) => {
      lines.parentElement?.setAttribute('style', 'padding-top: 60px')
    })
    // The mouse leaves in one step.
    await sidebar.drag('camera.log', { x: 300, y: 300 })
    const dropped = () =>
      page.evaluate<string[]>(`RED.nodes.filterNodes({ type: 'vision-log-watch' }).map(({ log }) => log)`)
    await eventually(async () => should(await dropped()).eql(['camera.log']))
    // Nothing is held any more.
    const style = await page
      .locator('.vision-tree')
      .evaluate((lines: Element) => lines.parentElement?.getAttribute('style'))
    should(style ?? '').equal('')
  })

  it('keeps the line under the mouse in place while lines above it are added and removed', async () => {
    const sidebar = await opened(1, quiet.url)
    await summary(sidebar, '30 of 30 ready')
    await sidebar.open('Cell 1', 'Logs', 'api.log')
    await sidebar.line('api.log').getByRole('treeitem').first().waitFor()
    await sidebar.line('Cell 3').locator('> .vision-row').hover()
    const before = await sidebar.top('Cell 3')
    const lines = () => sidebar.line('api.log').getByRole('treeitem').count()
    const shown = await lines()
    await fetch(`${quiet.url}/api/v2/pipelines/0/nodes/dev_camera/parameters/fps`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ value: 5 }),
    })
    await eventually(async () => should(await lines()).be.above(shown))
    should(await sidebar.top('Cell 3')).be.approximately(before, 1)
  })

  it('opens a line with a single and with a double click', async () => {
    const sidebar = await opened(1, device.url)
    const isOpen = async (name: string) => (await sidebar.line(name).getAttribute('aria-expanded')) === 'true'
    const row = sidebar.line('Cell 2 ').locator('> .vision-row')
    await row.click()
    ;(await isOpen('Cell 2 ')).should.be.true()
    await sidebar.line('Pipeline 0').waitFor()
    await row.click({ delay: 600 })
    await eventually(async () => (await isOpen('Cell 2 ')).should.be.false())
    await sidebar.line('Cell 3').locator('> .vision-row').dblclick()
    ;(await isOpen('Cell 3')).should.be.true()
    should(await sidebar.editor.page.locator('.red-ui-tray').count()).equal(0)
  })

  it('can be opened with a key and from the menu if its tab is hidden', async () => {
    const editor = await open([tab])
    const { page } = editor
    editor.isAltered = true
    const sidebar = new Sidebar(editor)
    await page.setViewportSize({ width: 1024, height: 600 })
    await page.evaluate(`RED.sidebar.show('info')`)
    await page.keyboard.press('Control+g')
    await page.keyboard.press('k')
    await sidebar.editor.page.locator('.vision-sidebar').waitFor()
    await page.evaluate(`RED.sidebar.show('info')`)
    await page.locator('.vision-sidebar').waitFor({ state: 'hidden' })
    const entry = page.locator('#menu-item-view-menu-vision-devices')
    should(await entry.count()).equal(1)
    should(await entry.textContent()).match(/^Vision devices.*K$/i)
    await page.evaluate(`document.querySelector('#menu-item-view-menu-vision-devices').click()`)
    await page.locator('.vision-sidebar').waitFor()
    const actions = await page.evaluate<{ id: string; label: string }[]>(`RED.actions.list()`)
    should(actions.find(({ id }) => id === 'vision:show-devices')).match({ label: 'Vision devices' })
  })
})
