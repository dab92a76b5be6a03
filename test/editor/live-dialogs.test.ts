import should from 'should'
import type { Page } from 'playwright-core'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor, type Editor } from '../support/editor'
import { closedAddress } from '../support/misbehaving-server'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const inTab = { z: 'tab', x: 200, y: 100, wires: [[]] }

describe('dialogs that ask the device', function () {
  this.timeout(30_000)
  const open = useEditor()
  let device: VirtualDevice
  let config: Record<string, unknown>
  before(async () => {
    device = await startVirtualDevice({ port: 0, variant: 'multi' })
    config = { id: 'device', type: 'vision-device-config', name: 'Cell 1', address: device.url }
  })
  after(() => device.stop())

  describe('Test connection', () => {
    it('tells what a device is before it is saved anywhere, or why there is none', async () => {
      const editor = await open([tab])
      await editor.place('get parameter')
      await editor.pressEnter(editor.page.getByRole('button', { name: 'Device: add a new one' }))
      await editor.field('Address').fill(device.url)
      await test(editor)
      const facts = await editor.page.locator('.vision-answer dl').textContent()
      should(facts)
        .match(/Serial number\d+/)
        .and.match(/Firmware\S+/)
        .and.match(/Variantmulti/)
      should(facts).match(/Answers in[\d.]+ ms$/)
      await shot(editor.page, 'test-connection')
      await editor.field('Address').fill(await closedAddress())
      should(await editor.page.locator('.vision-answer').textContent()).equal('')
      await test(editor)
      should(await editor.page.locator('.vision-answer').textContent()).match(
        /127.0.0.1:\d+ refuses connections/,
      )
      await editor.field('Address').fill('')
      await test(editor)
      should(await editor.page.locator('.vision-answer').textContent()).match(/address is empty/)
      device
        .calls()
        .some(({ operation }) => operation === 'getSystem')
        .should.be.true()
    })
  })

  describe('pick-lists', () => {
    it('offer everything of a device that was never deployed, and no name is typed', async () => {
      const editor = await open([tab])
      await editor.place('get parameter')
      await editor.pressEnter(editor.page.getByRole('button', { name: 'Device: add a new one' }))
      await editor.field('Address').fill(device.url)
      await editor.button('Add').click()
      await choose(editor, 'Pipeline', '0')
      await choose(editor, 'Node', 'dev_camera')
      await choose(editor, 'Parameter', 'fps')
      const present = editor.page.locator('[data-present]')
      await present.filter({ hasText: 'Now 25 Hz; 1 to 25 Hz; default 25 Hz' }).waitFor()
      await shot(editor.page, 'picked')
      await editor.close('Done')
      await editor.deploy()
      const [reader] = await editor.stored('vision-get-parameter')
      should(reader).match({ pipeline: '0', node: 'dev_camera', parameter: 'fps', parameterType: 'str' })
    })

    it('are used by keyboard alone', async () => {
      const editor = await open([
        tab,
        config,
        { ...inTab, id: 'n', type: 'vision-call-service', device: 'device' },
      ])
      await editor.edit('n')
      const node = editor.field('Node')
      // Node-RED moves the focus once more when the dialog has slid in.
      await node.click({ trial: true })
      await node.focus()
      await node.press('ArrowDown')
      await options(editor, 'Node').first().waitFor()
      should(await node.getAttribute('aria-expanded')).equal('true')
      await node.press('Escape')
      await options(editor, 'Node').first().waitFor({ state: 'detached' })
      should(await node.getAttribute('aria-expanded')).equal('false')
      await node.pressSequentially('hand_eye')
      await node.press('ArrowDown')
      const active = editor.page.locator(`#${String(await node.getAttribute('aria-activedescendant'))}`)
      should(await active.getAttribute('role')).equal('option')
      await node.press('Enter')
      should(await node.inputValue()).equal('dev_hand_eye_calibration')
      const service = editor.field('Service')
      await service.focus()
      await service.press('ArrowUp')
      await options(editor, 'Service').first().waitFor()
      await shot(editor.page, 'services')
      await options(editor, 'Service').filter({ hasText: 'get_poses' }).waitFor()
    })
  })
})

async function test(editor: Editor) {
  const button = editor.page.getByRole('button', { name: 'Test connection' })
  await button.click()
  await editor.page.locator('.vision-answer div').first().waitFor()
}

const options = (editor: Editor, label: string) =>
  editor.page.getByRole('listbox', { name: `${label}: show what the device offers` }).getByRole('option')

async function choose(editor: Editor, label: string, name: string) {
  await editor.page.getByRole('button', { name: `${label}: show what the device offers` }).click()
  await options(editor, label)
    .filter({ has: editor.page.getByText(name, { exact: true }) })
    .click()
  should(await editor.field(label).inputValue()).equal(name)
}

async function shot(page: Page, name: string) {
  await page.screenshot({ path: `/tmp/editor-${name}.png` })
}
