import should from 'should'
import type { Locator } from 'playwright-core'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor } from '../support/editor'
import { Hand } from '../support/hand'
import { readable, shownTexts, type ShownText } from '../support/shown-texts'
import { eventually } from '../support/eventually'

const tab = { id: 'tab', type: 'tab', label: 'Flow 1', disabled: false, info: '' }

/** The most that a calibration from an empty flow may take; a double click counts as two. */
const most = 20

describe('a calibration by a robot that drives itself, from an empty flow', function () {
  this.timeout(300_000)
  const open = useEditor()
  let device: VirtualDevice
  before(async () => {
    device = await startVirtualDevice({ port: 0, imagePort: 0, arm: 'ur5e', armPort: 0 })
  })
  after(() => device.stop())

  /** Motions of the arm so far, and whether it moves. */
  const arm = async () =>
    (await (await fetch(`${device.url}/virtual/arm`)).json()) as { motions: number; moves: boolean }

  it('takes few clicks and one address per machine, and each movement is confirmed in the dialog', async () => {
    const editor = await open([tab])
    editor.isAltered = true
    const { page } = editor
    const { rtde, primary, dashboard } = device.ports['arm']?.parts ?? {}
    // Tests use no port that a program on this computer may have, and drive as fast as the limits allow.
    await page.evaluate(`{
      RED.nodes.getType('vision-device-config').defaults.imagePort.value = ${device.ports.images?.port}
      const { defaults } = RED.nodes.getType('vision-robot-config')
      const chosen = { rtdePort: ${rtde}, primaryPort: ${primary}, dashboardPort: ${dashboard}, speed: 250, acceleration: 2000 }
      for (const [name, value] of Object.entries(chosen)) defaults[name].value = value
    }`)
    const hand = await new Hand(editor).begin()
    const node = await hand.drop('vision-hand-eye-calibration', 200, 200)
    await hand.open(node)
    await page.getByRole('button', { name: 'Device: add a new one' }).click()
    await hand.type(editor.field('Address'), device.url)
    await editor.button('Add').click()
    await editor.field('Robot moves').selectOption('robot')
    await page.getByRole('button', { name: 'Robot: add a new one' }).click()
    await hand.type(editor.field('Address'), '127.0.0.1')
    await editor.field('May move').click()
    await editor.button('Add').click()
    await hand.type(editor.field('Grid width'), '260')
    await hand.type(editor.field('Grid height'), '180')
    await editor.close('Done')
    await editor.deploy()
    await hand.open(node)
    const panel = page.locator('.vision-calibration')
    const button = (name: string) => panel.getByRole('button', { name, exact: true })
    await button('Start').click()
    const question = panel.getByRole('group', { name: 'Confirmation required' })
    await question.getByText(/^Compare with the pendant/).waitFor()
    should((await arm()).motions).equal(0)
    await button('Confirm').click()
    await question.getByText(/^Pose 2 \(first movement/).waitFor()
    const before = await hand.acts()
    should(await arm()).match({ motions: 0, moves: false })

    let confirmed = 0
    let helped = 0
    let isPictured = false
    const saved = panel.getByText(/; saved on the device$/)
    await eventually(async () => {
      if (await saved.isVisible()) return
      if (confirmed === 6 && !isPictured && (await question.isVisible())) {
        isPictured = true
        await page.setViewportSize({ width: 1366, height: 1600 })
        await editor.picture('hand-eye-drive', panel)
      }
      if (await confirmedNow(panel)) confirmed += 1
      // On a busy computer the enable signal may come too late, and the robot brakes: then a person helps.
      else if (await helpedNow(button)) helped += 1
      throw new Error('not saved yet')
    }, 240_000)
    await panel.getByRole('img', { name: 'Residual of each pose, millimetres' }).waitFor()
    await editor.screenshot('hand-eye-drive-result', panel)
    const { clicks, typed } = await hand.acts()
    should(clicks - before.clicks).equal(confirmed + helped)
    should(typed).eql([device.url, '127.0.0.1', '260', '180'])
    should(before.clicks - editor.pressedAgain).be.belowOrEqual(most)
    // The camera looks from the start, then after each movement.
    if (!helped) await panel.getByText(`${confirmed + 1} with the grid, 0 without`).waitFor()
    await editor.darken()
    await page.waitForFunction(
      `decodeURIComponent(document.querySelector('.vision-plot:not([hidden])').src).includes('#e6e6e6')`,
    )
    await editor.screenshot('hand-eye-drive-dark', panel)
    const texts = await page.evaluate<ShownText[]>(shownTexts('.vision-calibration *'))
    should(texts.filter(({ contrast }) => contrast < readable)).eql([])
    await editor.close('Cancel')
  })

  /** Goes on after a fault. @returns whether there was one */
  async function helpedNow(button: (name: string) => Locator): Promise<boolean> {
    for (const name of ['Reset', 'Continue'])
      if (await button(name).isVisible()) {
        await button(name).click()
        await button(name).waitFor({ state: 'hidden' })
        return true
      }
    return false
  }

  /** Confirms what is asked now. @returns whether something was */
  async function confirmedNow(panel: Locator): Promise<boolean> {
    // By its class: while nothing is asked it has no role.
    const question = panel.locator('.vision-drive-question')
    const asked = await question.locator('p').textContent()
    if (!asked || !(await question.isVisible())) return false
    await question.getByRole('button', { name: 'Confirm', exact: true }).click()
    await eventually(async () => should(await question.locator('p').textContent()).not.equal(asked))
    return true
  }
})
