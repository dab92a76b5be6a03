import 'should'
import { eventually } from '../support/eventually'
import { exampleNodes } from '../support/example'
import { freePorts } from '../support/free-ports'
import { useEditor } from '../support/editor'

/** A running cell as its users see it; the picture is at the top of the README. */
describe('a running cell in the editor', () => {
  const open = useEditor()

  it('shows at its nodes that the device is ready, and how long each step took', async () => {
    const [device = 0, plc = 0] = await freePorts(2)
    const nodes = JSON.parse(
      JSON.stringify(exampleNodes('pick-cycle'))
        .replaceAll('8121', String(device))
        .replaceAll('1521', String(plc)),
    ) as object[]
    const editor = await open(nodes)
    const { page } = editor
    const ready = page.locator('.red-ui-flow-node-status-label', { hasText: /^ready$/ })
    await ready.first().waitFor()
    await fetch(`${editor.red.url}/inject/pick-part`, { method: 'POST' })
    await page.evaluate("RED.sidebar.show('debug')")
    await page.locator('.red-ui-debug-msg', { hasText: 'code' }).first().waitFor()
    await page.evaluate(`[...document.querySelectorAll('.red-ui-palette-category')]
      .find((category) => category.textContent.includes('3D vision'))
      .scrollIntoView()`)
    await editor.picture('flow')
    const done = page.locator('.red-ui-flow-node-status-label', { hasText: /^done \d.*\d\d:\d\d:\d\d/ })
    await eventually(async () => (await done.count()).should.be.above(1))
  })
})
