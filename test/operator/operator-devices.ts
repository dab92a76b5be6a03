import { eventually } from '../support/eventually'
import { startNodeRed, type NodeRed } from '../support/node-red'
import {
  dashboardPackage,
  openPanel,
  photograph,
  screens,
  type PanelPage,
  type Screen,
} from './support/dashboard'
import { deface } from './support/deface'
import { runPanel, type RunningPanel } from './support/operator-example'
import { fitsWidth } from './support/touch'

const ports = [8213, 8214, 8215, 8216]
const byTest = { repeat: '', once: false }

describe('the operator devices', () => {
  let red: NodeRed
  let panel: RunningPanel
  let opened: PanelPage | undefined

  before(async () => {
    red = await startNodeRed(dashboardPackage)
    panel = await runPanel(red, 'operator-devices', ports, { 'opdev-look': byTest })
  })
  afterEach(async function () {
    if (this.currentTest?.isFailed() && opened) process.stderr.write(`${await opened.told(red)}\n`)
    await opened?.close()
    opened = undefined
  })
  after(() => red.stop())

  const open = async (screen: Screen = 'small') => {
    opened = await openPanel(`${red.url}/dashboard/devices`, { screen })
    if (!opened) throw new Error('no browser')
    const table = opened.page.locator('#nrdb-ui-widget-opdev-table')
    await table.waitFor()
    return { page: opened.page, table }
  }
  /** Looks until the table says so: a device may still be starting. */
  const looked = (table: Awaited<ReturnType<typeof open>>['table'], text: RegExp) =>
    eventually(async () => {
      await panel.press('opdev-look')
      await table.filter({ hasText: text }).waitFor({ timeout: 3000 })
    })

  it('have a row for each device, and name what has changed since', async () => {
    const { page, table } = await open()
    await looked(table, /cell 1\s*ready\s*[\d.]+ °C\s*v[\d.]+\s*valid[^]*nothing since[^]*cell 2\s*ready/)
    await panel.press('opdev-fps')
    await looked(table, /dev_camera\.fps: 25 → 10/)
    await photograph(page, 'operator-devices', 210)
  })

  it('say of a device that is gone that it does not answer', async () => {
    const { table } = await open()
    await panel.press('opdev-out')
    await looked(table, /cell 2\s*does not answer/)
    await panel.press('opdev-in')
    await looked(table, /cell 2\s*ready/)
  })

  it('are shown on pages that are opened after somebody on the network has sent something', async () => {
    const before = await open()
    await looked(before.table, /cell 1\s*ready/)
    await deface(`${red.url}/dashboard`, panel.nodes)
    await opened?.close()
    const { table } = await open()
    await table.filter({ hasText: /cell 1\s*ready[^]*cell 2/ }).waitFor()
  })

  it('speak German when one setting of one node is changed', async () => {
    await panel.change({ 'opdev-node': { language: 'de' } })
    const { table } = await open()
    await looked(table, /Geändert seit gestern[^]*cell 1\s*bereit/)
  })

  for (const screen of Object.keys(screens) as Screen[])
    it(`need no more than the width of the screen: ${screen}`, async () => {
      const { page, table } = await open(screen)
      await table.filter({ hasText: 'cell 1' }).waitFor()
      await fitsWidth(page)
    })
})
