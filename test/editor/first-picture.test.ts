import should from 'should'
import { documents } from '../docs/documents'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { useEditor } from '../support/editor'
import { Hand } from '../support/hand'
import { Sidebar } from '../support/sidebar'

const tab = { id: 'tab', type: 'tab', label: 'Flow 1', disabled: false, info: '' }
const guide = documents.find(({ path }) => path === 'docs/first-acquisition.md')?.text ?? ''

/** Mouse clicks that the guide promises to be sufficient; a double click counts as two. */
const promised = Number(/minutes, (\d+) clicks/.exec(guide)?.[1])
/** The most that a guide for beginners may take. */
const most = 20

describe('the guide "The first acquisition"', () => {
  const open = useEditor()

  it('ends with a picture on the screen, in few clicks and without a refusal', async () => {
    const [port = 0] = await freePorts(1)
    const editor = await open([tab])
    editor.isAltered = true
    const { page } = editor
    // Tests use no port that a program on this computer may have.
    await page.evaluate(`RED.nodes.getType('vision-virtual-device').defaults.port.value = ${port}`)
    const step = async (number: number) => editor.screenshot(`first-picture-${number}`)
    const status = (id: string, text: RegExp) =>
      page.locator(`[id="${id}"] .red-ui-flow-node-status-label`, { hasText: text })

    const hand = await new Hand(editor).begin()
    const device = await hand.drop('vision-virtual-device', 150, 60)
    await editor.deploy()
    await status(device, new RegExp(`:${port}`)).waitFor()
    await step(2)
    const button = await hand.drop('inject', 150, 160)
    const acquire = await hand.drop('vision-acquire', 400, 160)
    await hand.wire(button, acquire)
    await step(3)
    await hand.open(acquire)
    await page.getByRole('button', { name: 'Device: add a new one' }).click()
    const address = `127.0.0.1:${port}`
    await hand.type(editor.field('Address'), address)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.locator('.vision-answer .vision-test-good').waitFor()
    await step(4)
    await editor.button('Add').click()
    await editor.close('Done')
    await editor.deploy()
    await status(acquire, /^ready$/).waitFor()
    await page.locator(`[id="${button}"] .red-ui-flow-node-button-button`).click()
    await status(acquire, /^done \d/).waitFor()
    await step(5)

    await hand.show('vision-devices', '.vision-sidebar')
    const sidebar = new Sidebar(editor)
    await sidebar.open(address, 'Picture')
    const picture = page.getByRole('img', { name: /^Left image, / })
    await picture.waitFor()
    await eventually(async () => {
      const shown = await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.width])
      should(shown[0]).equal(1280)
      should(shown[1]).be.above(100)
    })
    await step(6)
    const { clicks, typed } = await hand.acts()
    should(typed).eql([address])
    should(clicks - editor.pressedAgain).be.belowOrEqual(promised)
    promised.should.be.belowOrEqual(most)
  })
})
