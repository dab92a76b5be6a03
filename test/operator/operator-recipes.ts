import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../support/eventually'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { dashboardPackage, login, openPanel, screens, type Screen } from './support/dashboard'
import { deface } from './support/deface'
import { runPanel, type RunningPanel } from './support/operator-example'
import { plcPeer, type PlcPeer } from './support/plc-peer'
import { sendRaw } from './support/raw-socket'
import { fitsWidth, forFingers } from './support/touch'
import { usePages } from './support/use-pages'

const ports = [8217, 8218, 1601]
/** The PLC of these tests is the only one. */
const ownPlc = { 'oprec-virtual-plc': { d: true } }
const allowed = { 'oprec-permission': { allowed: true } }

const json = { headers: { 'content-type': 'application/json' } }

const table = (page: Page) => page.locator('#nrdb-ui-widget-oprec-page-table')
const row = (page: Page, job: number) => table(page).locator(`tr[data-job="${job}"]`)
const buttonOf = (page: Page, name: string | RegExp) => table(page).getByRole('button', { name })
const field = (page: Page, name: string) => table(page).locator(`[name="${name}"]`)
const says = (page: Page, text: RegExp | string) =>
  table(page).getByRole('status').filter({ hasText: text }).waitFor()
const shows = (where: Locator, text: RegExp | string) => where.filter({ hasText: text }).waitFor()

/** One Node-RED with the example, a PLC, and pages that tell what they showed if a test fails. */
function useCell(settings: object, fields: Readonly<Record<string, object>>) {
  let red: NodeRed
  let panel: RunningPanel
  let plc: PlcPeer

  before(async () => {
    red = await startNodeRed({ ...dashboardPackage, settings: { ...settings } })
    panel = await runPanel(red, 'operator-recipes', ports, { ...ownPlc, ...fields })
    plc = await plcPeer(panel.port(1601))
    await plc.ready()
    // Regions and grippers are stored at the start.
    await eventually(async () => should((await plc.trigger(1)).code).equal(0))
  })
  after(async () => {
    await plc.close()
    await red.stop()
  })

  const page = usePages({ red: () => red, path: 'recipes', isThere: (page) => row(page, 1).waitFor() })

  return {
    page,
    parameter: async (node: string, name: string): Promise<unknown> => {
      const at = `http://127.0.0.1:${panel.port(8217)}/api/v2/pipelines/0/nodes/${node}/parameters/${name}`
      return ((await (await fetch(at)).json()) as { value: unknown }).value
    },
    service: async (node: string, name: string, args: object): Promise<void> => {
      const at = `http://127.0.0.1:${panel.port(8217)}/api/v2/nodes/${node}/services/${name}`
      await fetch(at, { ...json, method: 'PUT', body: JSON.stringify({ args }) })
    },
    scenario: async (scenario: object): Promise<void> => {
      const at = `http://127.0.0.1:${panel.port(8217)}/virtual/scenario`
      await fetch(at, { ...json, method: 'PUT', body: JSON.stringify(scenario) })
    },
    get red() {
      return red
    },
    get panel() {
      return panel
    },
    get plc() {
      return plc
    },
  }
}

/** Fills in the form, as fingers do. */
async function fill(page: Page, values: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(values)) {
    const input = field(page, name)
    await input.tap()
    if ((await input.evaluate((element) => element.tagName)) === 'SELECT') await input.selectOption(value)
    else await input.fill(value)
  }
}
const change = async (page: Page, job: number, values: Readonly<Record<string, string>>) => {
  await row(page, job).getByRole('button', { name: 'Change' }).tap()
  await fill(page, values)
  await buttonOf(page, 'Save').tap()
}
const exposure = 'dev_camera.exp_value'
const quality = 'dev_stereomatching.quality'

describe('the recipes of the operator as imported', () => {
  const cell = useCell({}, {})

  it('show the products, and which one the PLC has called', async () => {
    const page = await cell.page()
    await shows(row(page, 1), /Cartons 20 × 30.*bin.*two cups.*yes.*0\.005 s.*High.*2 m.*5/s)
    should(await cell.plc.trigger(2)).containEql({ code: 0, jobEcho: 2 })
    await shows(row(page, 2), /last selected by the PLC/)
    should(await row(page, 1).innerText()).not.match(/last selected/)
  })

  it('give the device the parameters of the job that stood there with the trigger', async () => {
    should(await cell.plc.trigger(2, 1)).containEql({ code: 0, jobEcho: 2 })
    should(await cell.parameter('dev_camera', 'exp_value')).equal(0.004)
    should(await cell.parameter('dev_stereomatching', 'quality')).equal('Medium')
    should(await cell.parameter('dev_itempick', 'max_grasps')).equal(1)
    should(await cell.plc.trigger(1, 2)).containEql({ code: 0, jobEcho: 1 })
    should(await cell.parameter('dev_camera', 'exp_auto')).equal(true)
    should(await cell.parameter('dev_stereomatching', 'quality')).equal('High')
  })

  it('look with the region and the gripper of the product', async () => {
    should((await cell.plc.trigger(1)).count).be.above(1)
    for (const [node, service, ids] of [
      ['dev_roi_db', 'delete_regions_of_interest', { region_of_interest_ids: ['bin front'] }],
      ['dev_gripper_db', 'delete_grippers', { gripper_ids: ['one cup'] }],
    ] as const) {
      await cell.service(node, service, ids)
      should((await cell.plc.trigger(2)).code).be.below(0)
      should((await cell.plc.trigger(1)).code).equal(0)
      await cell.panel.press('oprec-once')
      await eventually(async () => should((await cell.plc.trigger(2)).code).equal(0))
    }
  })

  it('tell the PLC that there is no product with that number, and change nothing', async () => {
    await cell.plc.trigger(1)
    should(await cell.plc.trigger(9)).containEql({ code: 11 })
    should(await cell.parameter('dev_stereomatching', 'quality')).equal('High')
  })

  it('have no buttons', async () => {
    const page = await cell.page()
    await shows(table(page), 'Read-only')
    should(await page.getByRole('button').filter({ visible: true }).count()).equal(0)
  })
})

describe('the recipes of the operator in a Node-RED without a login', () => {
  const cell = useCell({}, allowed)

  it('refuse what is sent over the socket, and show no buttons', async () => {
    const page = await cell.page()
    const before = cell.red.output().length
    await sendRaw(`${cell.red.url}/dashboard`, 'widget-send', 'oprec-page-table', {
      ...{ topic: 'delete', payload: { by: '', revision: 0, was: 1 } },
    })
    await eventually(
      () =>
        void cell.red
          .output()
          .slice(before)
          .should.match(/requires no login for its pages/),
    )
    await shows(row(page, 1), 'Cartons')
    should(await page.getByRole('button').filter({ visible: true }).count()).equal(0)
  })
})

describe('the recipes of the operator after a login', () => {
  const cell = useCell(login.settings, allowed)
  const page = (screen: Screen = 'small') => cell.page({ isLoggedIn: true, screen })

  it('refuse a write over the socket of somebody who has not logged in', async () => {
    const open = await page()
    const isIn = await sendRaw(`${cell.red.url}/dashboard`, 'widget-send', 'oprec-page-table', {
      ...{ topic: 'delete', payload: { by: '', revision: 0, was: 1 } },
    })
    should(isIn).be.false()
    await shows(row(open, 1), 'Cartons')
  })

  it('are shown on pages that are opened after somebody without login has sent something', async () => {
    await shows(row(await page(), 1), 'Cartons')
    await deface(`${cell.red.url}/dashboard`, cell.panel.nodes)
    await shows(row(await page(), 1), 'Cartons')
  })

  for (const screen of Object.keys(screens) as Screen[])
    it(`fit the screen, with targets for fingers: ${screen}`, async () => {
      const open = await page(screen)
      const fits = async () => {
        await fitsWidth(open)
        return forFingers(table(open).locator('button, input, select'))
      }
      should(await fits()).equal(3)
      await row(open, 2).getByRole('button', { name: 'Change' }).tap()
      await field(open, 'job').waitFor()
      should(await fits()).equal(14)
    })

  it('check against the device before anything is taken, and say what is wrong', async () => {
    const open = await page()
    const other = await page('phone')
    await change(open, 1, { [exposure]: '0.5' })
    await says(
      open,
      /Exposure time was not accepted\..*exp_value cannot be 0\.5\. It must be between 0\.000066 and 0\.018/,
    )
    await fill(open, { [exposure]: '' })
    await buttonOf(open, 'Save').tap()
    await says(open, /Exposure time has no value/)
    await fill(open, { [exposure]: '0.005', job: '2' })
    await buttonOf(open, 'Save').tap()
    await says(open, /job number 2 already belongs to Bags/)
    await fill(open, { job: '1', name: ' ' })
    await buttonOf(open, 'Save').tap()
    await says(open, /needs a name/)
    await shows(row(other, 1), /Cartons 20 × 30.*0\.005 s/s)
    should(await table(other).getByRole('status').count()).equal(0)
  })

  it('check region and gripper, which may have been deleted on the device', async () => {
    const open = await page()
    await cell.service('dev_gripper_db', 'delete_grippers', { gripper_ids: ['one cup'] })
    await change(open, 2, {})
    await says(open, /no gripper "one cup"\. Choose one of these: two cups/)
    await fill(open, { gripper: 'two cups' })
    await buttonOf(open, 'Save').tap()
    await says(open, 'Bags: saved')
    await cell.panel.press('oprec-once')
    await buttonOf(open, 'Undo: Bags changed').tap()
    await shows(row(open, 2), /one cup/)
    await cell.service('dev_gripper_db', 'delete_grippers', { gripper_ids: ['two cups'] })
    await buttonOf(open, 'Redo: Bags changed').tap()
    await says(open, /no gripper "two cups"/)
    await shows(row(open, 2), /one cup/)
    await cell.panel.press('oprec-once')
    await eventually(async () => should((await cell.plc.trigger(1)).code).equal(0))
  })

  it('are used by the next trigger of the PLC, and as before after undo', async () => {
    const open = await page()
    await change(open, 2, { [exposure]: '0.0025', [quality]: 'Low', region: 'bin' })
    await says(open, 'Bags: saved')
    await shows(row(open, 2), /binone cup.*0\.0025 s.*Low/s)
    should(await cell.plc.trigger(2)).containEql({ code: 0 })
    should(await cell.parameter('dev_camera', 'exp_value')).equal(0.0025)
    should(await cell.parameter('dev_stereomatching', 'quality')).equal('Low')
    await buttonOf(open, 'Undo: Bags changed').tap()
    await says(open, 'The change was undone')
    should(await cell.plc.trigger(2)).containEql({ code: 0 })
    should(await cell.parameter('dev_camera', 'exp_value')).equal(0.004)
    await buttonOf(open, 'Redo: Bags changed').tap()
    await shows(row(open, 2), /0\.0025 s/)
    await buttonOf(open, 'Undo: Bags changed').tap()
    await shows(row(open, 2), /0\.004 s/)
  })

  it('get a new product with the present values of the device, which can be copied and deleted', async () => {
    const open = await page()
    await cell.plc.trigger(2)
    await buttonOf(open, 'New product').tap()
    await fill(open, { job: '7', name: 'Tins', region: 'bin', gripper: 'one cup' })
    await buttonOf(open, 'Use current device values').tap()
    await eventually(async () => should(await field(open, quality).inputValue()).equal('Medium'))
    await buttonOf(open, 'Save').tap()
    await shows(row(open, 7), /Tins.*bin.*one cup.*no.*0\.004 s.*Medium.*1\.5 m.*1/s)
    should(await cell.plc.trigger(7)).containEql({ code: 0, jobEcho: 7 })
    await row(open, 7).getByRole('button', { name: 'Change' }).tap()
    await buttonOf(open, 'Copy').tap()
    await fill(open, { name: 'Jars' })
    await buttonOf(open, 'Save').tap()
    await shows(row(open, 8), /Jars/)
    for (const job of [8, 7]) {
      await row(open, job).getByRole('button', { name: 'Change' }).tap()
      await buttonOf(open, 'Delete').tap()
      await buttonOf(open, 'Really delete').tap()
      // The form hides the table until the product is deleted.
      await row(open, 1).waitFor()
      await row(open, job).waitFor({ state: 'detached' })
    }
    await eventually(async () => should(await cell.plc.trigger(7)).containEql({ code: 11 }))
  })

  it('do not overwrite what another screen has saved in the meantime', async () => {
    const [one, other] = [await page(), await page('wide')]
    await row(one, 1).getByRole('button', { name: 'Change' }).tap()
    await field(one, 'name').waitFor()
    await change(other, 1, { name: 'Cartons 30 × 40' })
    await says(other, 'saved')
    await fill(one, { name: 'Boxes' })
    await buttonOf(one, 'Save').tap()
    await says(one, /changed on another screen in the meantime/)
    await buttonOf(one, 'Cancel').tap()
    await shows(row(one, 1), 'Cartons 30 × 40')
    await buttonOf(one, 'Undo: Cartons 30 × 40 changed').tap()
    await shows(row(other, 1), 'Cartons 20 × 30')
  })

  it('keep what a person is typing while the PLC changes the product', async () => {
    const open = await page()
    await row(open, 1).getByRole('button', { name: 'Change' }).tap()
    await fill(open, { name: 'Half typed' })
    await cell.plc.trigger(1)
    await cell.plc.trigger(2)
    should(await field(open, 'name').inputValue()).equal('Half typed')
    await buttonOf(open, 'Cancel').tap()
    await shows(row(open, 2), /last selected by the PLC/)
  })

  it('leave no product half on the device if it refuses a part of one', async () => {
    const open = await page()
    await change(open, 2, { [quality]: 'Full' })
    await says(open, 'Bags: saved')
    await cell.plc.trigger(1)
    await cell.scenario({ license: { stereo_plus: false } })
    should((await cell.plc.trigger(2)).code).not.equal(0)
    should(await cell.parameter('dev_camera', 'exp_value')).equal(0.005)
    should(await cell.parameter('dev_stereomatching', 'quality')).equal('High')
    await cell.scenario({ license: { stereo_plus: true } })
    await eventually(async () => should((await cell.plc.trigger(2)).code).equal(0))
    await buttonOf(open, 'Undo: Bags changed').tap()
    await shows(row(open, 2), /Medium/)
  })

  it('cannot be changed while the device does not answer', async () => {
    const open = await page()
    await cell.panel.press('oprec-without')
    await shows(table(open), /The device does not answer\./)
    should(await buttonOf(open, 'New product').isDisabled()).be.true()
    await cell.panel.press('oprec-with')
    await eventually(async () => should(await buttonOf(open, 'New product').isEnabled()).be.true())
    await shows(row(open, 1), /0\.005 s/)
  })

  it('speak German when one setting of one node is changed', async () => {
    await cell.panel.change({ 'oprec-recipes': { language: 'de' } })
    const open = await cell.page({ isLoggedIn: true, locale: 'de-DE' })
    await shows(row(open, 1), /0,005 s/)
    await shows(table(open), /Auftrag.*Produkt.*Belichtungszeit/s)
    await row(open, 1).getByRole('button', { name: 'Ändern' }).tap()
    await fill(open, { [exposure]: '0.5' })
    await buttonOf(open, 'Speichern').tap()
    await says(open, /Belichtungszeit wurde nicht angenommen\. .*zwischen/)
    should(await table(open).innerText()).not.match(/\b(Save|Cancel|Product|Region|Gripper|yes|no|must be)\b/)
  })
})

describe('the table of the recipes', () => {
  it('is as it was saved after a Node-RED that was killed; a damaged file stops the cell and says so', async () => {
    const first = await startNodeRed({ ...dashboardPackage, settings: login.settings })
    const panel = await runPanel(first, 'operator-recipes', ports, { ...ownPlc, ...allowed })
    const opened = await openPanel(`${first.url}/dashboard/recipes`, { isLoggedIn: true })
    if (!opened) throw new Error('no browser')
    await eventually(async () => should(await buttonOf(opened.page, 'New product').isEnabled()).be.true())
    await change(opened.page, 1, { name: 'Cartons for Monday' })
    await says(opened.page, 'saved')
    await opened.close()
    await first.kill()

    const second = await startNodeRed({ ...dashboardPackage, userDir: first.userDir })
    const again = await openPanel(`${second.url}/dashboard/recipes`, { isLoggedIn: true })
    if (!again) throw new Error('no browser')
    await shows(row(again.page, 1), 'Cartons for Monday')
    await buttonOf(again.page, 'Undo: Cartons for Monday changed').waitFor()
    await again.close()
    await second.kill()

    const folder = join(first.userDir, 'vision-recipes')
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"revision":1,"recipes":[{}]}')
    const third = await startNodeRed({ ...dashboardPackage, userDir: first.userDir })
    const plc = await plcPeer(panel.port(1601))
    await plc.ready()
    await eventually(async () => should((await plc.trigger(1)).code).equal(299))
    third.output().should.match(/The saved table .* cannot be read/)
    await plc.close()
    await third.stop()
  })
})
