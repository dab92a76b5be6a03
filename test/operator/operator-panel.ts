import should from 'should'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually'
import type { NodeRed } from '../support/node-red'
import { startNodeRed } from '../support/node-red'
import { cellOf } from './support/cell-registers'
import {
  dashboardPackage,
  login,
  openPanel,
  photograph,
  photographFlow,
  screens,
  type Screen,
} from './support/dashboard'
import { deface } from './support/deface'
import { runPanel, type RunningPanel } from './support/operator-example'
import { sendRaw } from './support/raw-socket'
import { usePages } from './support/use-pages'

const ports = [8211, 8212, 1611]
/** The PLC triggers when the test says so. */
const byTest = { repeat: '', once: false }
/** A connection that is down becomes an alarm after three seconds. */
const patience = 30_000

const widget = (page: Page, id: string) => page.locator(`#nrdb-ui-widget-oppanel-${id}`)
const shows = (page: Page, id: string, text: RegExp | string) =>
  widget(page, id).filter({ hasText: text }).waitFor({ timeout: patience })
/** The row of an alarm, which tells its state. */
const alarm = (page: Page, text: string, state: RegExp | string = '') =>
  widget(page, 'alarms').locator('tbody tr', { hasText: text }).filter({ hasText: state }).first()
const noAnswer = 'The device does not answer'
const alarmShows = (page: Page, state?: RegExp | string) =>
  alarm(page, noAnswer, state).waitFor({ timeout: patience })
const buttonOf = (page: Page, name: string | RegExp) => widget(page, 'buttons').getByRole('button', { name })

/** One Node-RED with the example, and pages on it that tell what they showed if a test fails. */
function usePanel(settings: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, object>>) {
  let red: NodeRed
  let panel: RunningPanel

  before(async () => {
    red = await startNodeRed({ ...dashboardPackage, settings })
    panel = await runPanel(red, 'operator-panel', ports, { 'oppanel-part': byTest, ...fields })
    // The virtual PLC connects with its first trigger.
    await panel.press('oppanel-part')
  })
  after(() => red.stop())

  const page = usePages({ red: () => red, path: 'cell', isThere: (page) => widget(page, 'state').waitFor() })
  return {
    page,
    get red() {
      return red
    },
    get panel() {
      return panel
    },
  }
}

describe('the operator panel as imported', () => {
  const run = usePanel({}, {})

  it('shows done with a picture when the PLC raises its trigger, and what was found', async () => {
    const page = await run.page()
    await shows(page, 'state', 'Ready')
    await run.panel.press('oppanel-part')
    await shows(page, 'last', /Last result: done, \d+ found/)
    await shows(page, 'results', /done, \d+ found · [\d,]+ ms/)
    const view = () =>
      page.evaluate<number[]>(`(() => {
        const image = document.querySelector('.vision-view img')
        const svg = atob(image.src.split(',')[1])
        return [image.naturalWidth, svg.split('data-kind="grasp"').length - 1, svg.includes('data:image/png') ? 1 : 0]
      })()`)
    await eventually(async () => {
      const [width = 0, grasps = 0, pictures] = await view()
      width.should.be.above(600)
      grasps.should.be.above(0)
      should(pictures).equal(1)
    })
    await shows(page, 'counters', /Good\s*[12]/)
    await shows(page, 'counters', /Cycle time, median\s*[\d,]+ ms/)
  })

  it('says in words that the device is gone, raises an alarm, and ends it when it is back', async () => {
    const page = await run.page()
    await run.panel.press('oppanel-out')
    await shows(page, 'state', 'Not ready')
    await shows(page, 'reason', /Check its power and network cable/)
    await alarmShows(page, /active/)
    await run.panel.press('oppanel-in')
    await shows(page, 'state', 'Ready')
    await alarmShows(page, /gone \d\d:\d\d:\d\d, not acknowledged/)
  })

  it('shows the same after a reload', async () => {
    const page = await run.page()
    await shows(page, 'last', /done/)
    await shows(page, 'results', /done/)
    const before = await widget(page, 'results').innerText()
    await page.reload()
    await shows(page, 'last', /done/)
    await eventually(async () => should(await widget(page, 'results').innerText()).equal(before), patience)
    await page.locator('.vision-view img').waitFor()
  })

  it('has no buttons', async () => {
    const page = await run.page()
    await shows(page, 'state', 'Ready')
    should(await page.getByRole('button').filter({ visible: true }).count()).equal(0)
  })

  for (const screen of Object.keys(screens) as Screen[])
    it(`shows everything in the width of the screen: ${screen}`, async () => {
      const page = await run.page({ screen })
      await shows(page, 'last', /done/)
      await page.locator('.vision-plot').nth(1).waitFor()
      const { width } = screens[screen]
      for (const id of [
        'state',
        'reason',
        'view',
        'alarms',
        'results',
        'counters',
        'time-line',
        'cycle-times',
      ]) {
        const box = await widget(page, id).boundingBox()
        should(box?.x).be.within(0, width)
        should((box?.x ?? 0) + (box?.width ?? width + 1)).be.within(0, width)
      }
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
      should(wide).be.belowOrEqual(width)
    })

  it('speaks German when one setting of one node is changed', async () => {
    await run.panel.change({ 'oppanel-node': { language: 'de' } })
    const page = await run.page()
    await run.panel.press('oppanel-part')
    await shows(page, 'state', 'Bereit')
    await shows(page, 'last', /Letztes Ergebnis: fertig, \d+ gefunden/)
    await shows(page, 'alarms', /Zustand/)
    await shows(page, 'counters', /Zyklusdauer, Median/)
    // What was raised in English stays as it was written.
    const words = /\b(Ready|Good|Missed|Result|Since|State)\b/
    for (const id of ['state', 'reason', 'last', 'results', 'counters'])
      should(await widget(page, id).innerText()).not.match(words)
  })
})

describe('the picture of the operator panel', () => {
  const run = usePanel(login.settings, { 'oppanel-permission': { allowed: true } })

  it('is that of the documentation', async () => {
    const page = await run.page({ isLoggedIn: true, screen: 'wide' })
    for (let part = 1; part <= 3; part++) {
      await run.panel.press('oppanel-part')
      await shows(page, 'counters', new RegExp(`Good\\s*${part + 1}`))
    }
    await run.panel.press('oppanel-out')
    await alarmShows(page, /active/)
    await run.panel.press('oppanel-in')
    await alarmShows(page, /gone/)
    await shows(page, 'state', 'Ready')
    await photograph(page, 'operator-panel')
    await photographFlow(run.red.url, 'oppanel')
  })
})

describe('the operator panel in a Node-RED without a login', () => {
  const run = usePanel({}, { 'oppanel-permission': { allowed: true } })

  it('refuses what is sent over the socket, and says why', async () => {
    const page = await run.page()
    await shows(page, 'state', 'Ready')
    const before = run.red.output().length
    await sendRaw(`${run.red.url}/dashboard`, 'widget-send', 'oppanel-buttons', { topic: 'trigger' })
    await eventually(
      () =>
        void run.red
          .output()
          .slice(before)
          .should.match(/requires no login for its pages/),
    )
    should(await widget(page, 'results').innerText()).not.match(/by hand/)
    should(await page.getByRole('button').filter({ visible: true }).count()).equal(0)
  })
})

describe('the operator panel in a Node-RED with a login', () => {
  const run = usePanel(login.settings, { 'oppanel-permission': { allowed: true } })
  const registers = () => cellOf(run.panel.port(1611))
  const refused = async (message: object, event = 'widget-send', cookie = '') =>
    should(await sendRaw(`${run.red.url}/dashboard`, event, 'oppanel-buttons', message, cookie)).be.false()

  it('shows nothing without name and password', async () => {
    for (const path of ['/dashboard/cell', '/dashboard/_setup'])
      should((await fetch(run.red.url + path)).status).equal(401)
  })

  it('refuses a write over the socket of somebody who has not logged in, whatever it pretends', async () => {
    const page = await run.page({ isLoggedIn: true })
    await shows(page, 'state', 'Ready')
    const order = { topic: 'trigger' }
    await refused(order)
    await refused(order, 'widget-action')
    await refused({ ...order, _client: { socketId: 'x', 'opened with a login': true } })
    await refused(order, 'widget-send', `vision-operator-000000000000=${'0'.repeat(64)}`)
    should(await widget(page, 'results').innerText()).not.match(/by hand/)
  })

  it('shows everything on pages that are opened after somebody without login has sent something', async () => {
    const before = await run.page({ isLoggedIn: true })
    await run.panel.press('oppanel-out')
    await alarmShows(before)
    await run.panel.press('oppanel-in')
    await shows(before, 'state', 'Ready')
    await run.panel.press('oppanel-part')
    await shows(before, 'last', /done, \d+ found/)
    await deface(`${run.red.url}/dashboard`, run.panel.nodes)
    const page = await run.page({ isLoggedIn: true })
    for (const each of [before, page]) {
      await shows(each, 'state', /Ready|Done/)
      await shows(each, 'last', /done, \d+ found/)
      await shows(each, 'results', /done, \d+ found/)
      await shows(each, 'counters', /Good\s*\d/)
      await alarmShows(each)
      await each.locator('.vision-view figcaption', { hasText: 'Picture of' }).waitFor()
      await each.locator('.vision-plot').nth(1).waitFor()
      await buttonOf(each, 'Trigger by hand').waitFor()
      should(await each.locator('body').innerText()).not.match(/forged/)
    }
  })

  it('triggers by hand for a finger, where the PLC allows it; the PLC gets nothing of it', async () => {
    const page = await run.page({ isLoggedIn: true })
    const plc = await registers()
    await plc.allowManual(false)
    await shows(page, 'buttons', /The PLC does not allow triggers by hand/)
    should(await buttonOf(page, 'Trigger by hand').isDisabled()).be.true()
    await plc.allowManual(true)
    await eventually(async () => should(await buttonOf(page, 'Trigger by hand').isEnabled()).be.true())
    const before = await plc.answer()
    await buttonOf(page, 'Trigger by hand').tap()
    await shows(page, 'results', /by hand: done, \d+ found/)
    await eventually(async () => should(await plc.answer()).deepEqual(before), patience)
    await plc.close()
  })

  it('has an alarm raised, acknowledged with a finger on one screen and seen on the other, and gone', async () => {
    const page = await run.page({ isLoggedIn: true })
    const other = await run.page({ isLoggedIn: true, screen: 'phone' })
    await run.panel.press('oppanel-out')
    await alarmShows(page, /active/)
    await alarmShows(other, /active/)
    await buttonOf(page, 'Acknowledge all alarms').tap()
    await alarmShows(page, 'active, acknowledged')
    await alarmShows(other, 'active, acknowledged')
    await run.panel.press('oppanel-in')
    await alarmShows(other, /gone \d\d:\d\d:\d\d(?!, not)/)
    await eventually(async () =>
      should(await buttonOf(page, 'Acknowledge all alarms').isDisabled()).be.true(),
    )
  })

  it('has one of two alarms acknowledged in its row, on a phone too', async () => {
    const page = await run.page({ isLoggedIn: true })
    const other = await run.page({ isLoggedIn: true, screen: 'phone' })
    const notDone = 'A trigger was not executed'
    const acknowledge = (on: Page, text: string) =>
      alarm(on, text).getByRole('button', { name: 'Acknowledge' })
    await run.panel.press('oppanel-out')
    await acknowledge(other, noAnswer).waitFor()
    await run.panel.press('oppanel-part')
    await acknowledge(page, notDone).waitFor()
    await acknowledge(other, noAnswer).tap()
    await alarmShows(page, 'active, acknowledged')
    await acknowledge(page, noAnswer).waitFor({ state: 'detached' })
    const { width = 0, height = 0 } = (await acknowledge(page, notDone).boundingBox()) ?? {}
    should(Math.min(width, height)).be.aboveOrEqual(44)
    await run.panel.press('oppanel-in')
    await buttonOf(page, 'Acknowledge all alarms').tap()
    await eventually(async () => should(await widget(page, 'alarms').getByRole('button').count()).equal(0))
  })

  for (const screen of Object.keys(screens) as Screen[])
    it(`has buttons for fingers: ${screen}`, async () => {
      const page = await run.page({ isLoggedIn: true, screen })
      await buttonOf(page, 'Trigger by hand').waitFor()
      const buttons = await page.getByRole('button').filter({ visible: true }).all()
      should(buttons.length).be.aboveOrEqual(2)
      for (const button of buttons) {
        const { width = 0, height = 0 } = (await button.boundingBox()) ?? {}
        should(Math.min(width, height)).be.aboveOrEqual(44)
      }
    })

  it('takes a reload in the middle of a cycle', async () => {
    await run.panel.press('oppanel-in')
    const page = await run.page({ isLoggedIn: true })
    await shows(page, 'state', /Ready|Done/)
    await run.panel.press('oppanel-part')
    await page.reload()
    await shows(page, 'last', /done, \d+ found/)
    await shows(page, 'state', 'Ready')
    await buttonOf(page, 'Trigger by hand').waitFor()
  })
})

describe('the alarms of the operator panel', () => {
  it('survive a Node-RED that is killed', async () => {
    const first = await startNodeRed(dashboardPackage)
    const panel = await runPanel(first, 'operator-panel', ports, { 'oppanel-part': byTest })
    await panel.press('oppanel-part')
    const opened = await openPanel(`${first.url}/dashboard/cell`)
    if (!opened) throw new Error('no browser')
    await shows(opened.page, 'state', 'Ready')
    await panel.press('oppanel-out')
    await alarmShows(opened.page, /active/)
    const since =
      /\d\d\/\d\d, \d\d:\d\d:\d\d/.exec(await widget(opened.page, 'alarms').innerText())?.[0] ?? ''
    since.should.not.be.empty()
    await opened.close()
    await first.kill()
    const second = await startNodeRed({ ...dashboardPackage, userDir: first.userDir })
    const again = await openPanel(`${second.url}/dashboard/cell`)
    if (!again) throw new Error('no browser')
    await shows(again.page, 'alarms', since)
    await again.close()
    await second.stop()
  })
})
