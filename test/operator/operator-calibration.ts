import should from 'should'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually'
import { freeArmPort } from '../support/free-ports'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { hasRead } from '../support/reading'
import { dashboardPackage, login, screens, type Screen } from './support/dashboard'
import { deface } from './support/deface'
import { pendantOf } from './support/pendant'
import { runPanel, type RunningPanel } from './support/operator-example'
import { sendRaw } from './support/raw-socket'
import { forFingers } from './support/touch'
import { usePages } from './support/use-pages'

const ports = [8201, 8219]
/** Pictures are drawn slowly on a busy machine, milliseconds. */
const patience = 60_000

const widget = (page: Page, id: string) => page.locator(`#nrdb-ui-widget-opcal-${id}`)
const shows = (page: Page, id: string, text: RegExp | string) =>
  widget(page, id).filter({ hasText: text }).waitFor({ timeout: patience })
const buttonOf = (page: Page, name: string) =>
  widget(page, 'buttons').getByRole('button', { name, exact: true })
const instruction = (page: Page) => page.locator('.vision-instruction').innerText()

/** One Node-RED with the example, and pages on it that tell what they showed if a test fails. */
function usePanel(settings: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, object>>) {
  let red: NodeRed
  let panel: RunningPanel

  let arm = 0

  before(async () => {
    arm = await freeArmPort()
    red = await startNodeRed({ ...dashboardPackage, settings })
    panel = await runPanel(red, 'operator-calibration', ports, {
      'opcal-virtual': { armPort: String(arm) },
      'opcal-robot': { dashboardPort: arm, primaryPort: arm + 2, rtdePort: arm + 5 },
      ...fields,
    })
  })
  after(() => red.stop())

  const page = usePages({
    red: () => red,
    path: 'calibration',
    isThere: (page) => widget(page, 'state').waitFor(),
  })
  const url = () => `http://127.0.0.1:${panel.port(8201)}`
  return {
    page,
    red: () => red,
    nodes: () => panel.nodes,
    url,
    pendant: () => pendantOf(url(), arm + 2),
    /** Deploys other fields of the page alone: the cell goes on. */
    changePage: async (fields: object) => {
      const flows = (await red.flows()).map((node) =>
        node['id'] === 'opcal-page-node' ? { ...node, ...fields } : node,
      )
      const before = red.output().length
      await fetch(`${red.url}/flows`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'node-red-deployment-type': 'nodes' },
        body: JSON.stringify(flows),
      })
      await eventually(
        () =>
          void red
            .output()
            .slice(before)
            .should.match(/Started modified nodes/),
      )
    },
    arm: async () =>
      (await (await fetch(`${url()}/virtual/arm`)).json()) as { motions: number; moves: boolean },
    /** What a person does at the cell: covers the grid, knocks the camera. */
    scenario: (changes: object) =>
      fetch(`${url()}/virtual/scenario`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(changes),
      }),
  }
}

/** Saves a picture of the page where the documentation's are saved. */
async function screenshot(page: Page, name: string) {
  const folder = process.env['CELLSIGHT_SCREENSHOTS']
  if (folder && folder !== '1') await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

/** Presses a button until the page shows the text: a finger that came too early is refused. */
async function pressed(page: Page, name: string, text: RegExp): Promise<void> {
  await eventually(async () => {
    const button = buttonOf(page, name)
    if (await button.isVisible()) await button.tap()
    await widget(page, 'state').filter({ hasText: text }).waitFor({ timeout: 5000 })
  }, patience)
}

/** Presses a button that answers a question, once a person has read it. */
async function answered(page: Page, name: string): Promise<void> {
  await buttonOf(page, name).waitFor()
  await hasRead()
  await buttonOf(page, name).tap()
}

/** What the robot asks before it moves. */
const question = /Confirm only if everything matches|Confirm when the path is clear/

/**
 * Answers what the robot asks with a finger, until the page shows the text. Text and buttons are widgets of their own: a button
 * that is there before its text is not pressed, or a question would be gone before it is read.
 */
async function confirmed(page: Page, until: RegExp): Promise<void> {
  let before = ''
  await eventually(async () => {
    // On a busy computer the enable signal may come too late, and the robot brakes: then a person goes on.
    const visible: string[] = []
    for (const name of ['Confirm', 'Reset', 'Continue'])
      if (await buttonOf(page, name).isVisible()) visible.push(name)
    const asked = await instruction(page)
    if (until.test(await widget(page, 'state').innerText())) return
    const isRead = visible[0] === 'Confirm' ? question.test(asked) : asked === before
    before = asked
    if (visible[0] && isRead) {
      await answered(page, visible[0])
      // A finger that came too late is refused, and taps again.
      await eventually(async () => should(await instruction(page)).not.equal(asked), 10_000)
    }
    throw new Error(`not ${String(until)}: ${asked}`)
  }, 8 * patience)
}

describe('the operator calibration as imported', function () {
  this.timeout(3 * patience)
  const run = usePanel({}, {})

  it('says what is to be prepared, and has no buttons', async () => {
    const page = await run.page()
    await shows(page, 'state', /Fix the calibration grid.*Check the view, then start\./)
    await shows(page, 'state', /1 Prepare/)
    should(await page.getByRole('button').filter({ visible: true }).count()).equal(0)
    await screenshot(page, 'calibration-imported')
  })

  it('moves nothing for anybody on the network', async () => {
    const before = run.red().output().length
    await sendRaw(`${run.red().url}/dashboard`, 'widget-send', 'opcal-buttons', { topic: 'start' })
    await eventually(
      () =>
        void run
          .red()
          .output()
          .slice(before)
          .should.match(/FORBIDDEN|orders/i),
    )
    should(await run.arm()).containEql({ motions: 0, moves: false })
  })

  it('shows everything on pages that are opened after somebody on the network has sent something', async () => {
    await deface(`${run.red().url}/dashboard`, run.nodes())
    const page = await run.page()
    await shows(page, 'state', /1 Prepare/)
    await shows(page, 'state', /Fix the calibration grid/)
    should(await page.locator('body').innerText()).not.match(/forged/)
  })
})

describe('the operator calibration in a Node-RED with a login', function () {
  this.timeout(10 * patience)
  const run = usePanel(login.settings, { 'opcal-permission': { allowed: true } })

  it('shows the picture with the recognised grid, before anything moves', async () => {
    const page = await run.page({ isLoggedIn: true })
    await run.scenario({ grid_visible: false })
    await buttonOf(page, 'Check view').tap()
    await shows(page, 'state', /does not see the whole grid\. Jog the robot/)
    await run.scenario({ grid_visible: true })
    await buttonOf(page, 'Check view').tap()
    await shows(page, 'state', /The camera sees the whole grid\./)
    await eventually(async () => {
      const corners = await page.evaluate<number>(
        `atob(document.querySelector('.vision-view').src.split(',')[1]).split('data-kind="grid"').length - 1`,
      )
      // Inner corners of 13 x 9 squares.
      should(corners).equal(96)
    })
    await screenshot(page, 'calibration-look')
    should((await run.arm()).motions).equal(0)
  })

  it('calibrates by fingers alone, each movement confirmed, and asks before it saves', async () => {
    const page = await run.page({ isLoggedIn: true })
    await buttonOf(page, 'Start').tap()
    await shows(page, 'state', /Compare with the pendant/)
    should((await run.arm()).motions).equal(0)
    await answered(page, 'Confirm')
    await shows(page, 'state', /Pose 2 \(first movement.*Confirm when the path is clear/)
    should((await run.arm()).motions).equal(0)
    await buttonOf(page, 'STOP').waitFor()
    await screenshot(page, 'calibration-confirm')
    // What the robot says between two questions may be gone in a moment; the table stays.
    await confirmed(page, /Poses left\s+\d/)
    await screenshot(page, 'calibration-plan')
    await confirmed(page, /within the limits\. Save it, or discard it/)
    await shows(page, 'state', /Result \(1 σ\)/)
    should(await page.locator('.vision-plots img').count()).equal(3)
    await screenshot(page, 'calibration-result')
    await pressed(page, 'Touch-up point', /Jog the tip of the tool to the corner of the grid that is marked/)
    await answered(page, 'Decline')
    await shows(page, 'state', /No point was touched\. The calibration is unchanged/)
    await eventually(async () => {
      // A finger that came too late is refused, and taps again.
      const save = buttonOf(page, 'Save')
      if (await save.isVisible()) await save.tap()
      should(await instruction(page)).match(/The calibration is saved on the device/)
    }, patience)
  })

  it('tells at a point that the robot touches how far camera and robot are apart, in words and figures', async () => {
    const page = await run.page({ isLoggedIn: true })
    const pendant = await run.pendant()
    const touchedAt = async (off: number) => {
      await pressed(page, 'Touch-up point', /Press “Confirm” when the tip is on the corner/)
      const { x, y, z } = await pendant.corner()
      await screenshot(page, 'calibration-touch')
      await pendant.jog({ x: x + off, y, z })
      await answered(page, 'Confirm')
      await shows(page, 'state', /the calibration is off by [\d.]+ mm/)
      const said = await instruction(page)
      await pendant.back()
      return { said, millimetres: Number(/off by ([\d.]+) mm/.exec(said)?.[1]) }
    }
    const fine = await touchedAt(0)
    fine.said.should.match(
      /Corner by camera and calibration: X -?[\d.]+, Y -?[\d.]+, Z -?[\d.]+ mm\. Tip: X .*which is within 2 mm/,
    )
    should(fine.millimetres).be.below(2)
    await screenshot(page, 'calibration-touched')
    const beside = await touchedAt(0.005)
    beside.said.should.match(/more than 2 mm\. Check the robot's tool/)
    should(beside.millimetres).be.within(3, 7)
    await run.scenario({ grid_visible: false })
    await buttonOf(page, 'Touch-up point').tap()
    await shows(page, 'state', /does not see the whole grid, so there is no point to touch/)
    await run.scenario({ grid_visible: true })
    await eventually(async () => {
      // Somebody else has moved the robot meanwhile.
      if (await buttonOf(page, 'Reset').isVisible()) await buttonOf(page, 'Reset').tap()
      should(await buttonOf(page, 'Start').isVisible()).be.true()
    }, patience)
  })

  it('touches up in German, too', async () => {
    await run.changePage({ language: 'de' })
    const page = await run.page({ isLoggedIn: true })
    const pendant = await run.pendant()
    await buttonOf(page, 'Punkt antasten').tap()
    await shows(page, 'state', /Drücken Sie „Bestätigen“, wenn die Spitze auf der Ecke ist/)
    await pendant.jog(await pendant.corner())
    await answered(page, 'Bestätigen')
    await shows(page, 'state', /weicht die Kalibrierung um [\d.]+ mm ab; erlaubt sind 2 mm/)
    await pendant.back()
    await run.changePage({ language: 'en-US' })
  })

  it('tells with three looks whether the camera was knocked', async () => {
    const page = await run.page({ isLoggedIn: true })
    await buttonOf(page, 'Check the camera').tap()
    await confirmed(page, /The calibration is still good/)
  })

  it('stops at every moment, on any screen, and goes on after a reload', async () => {
    const page = await run.page({ isLoggedIn: true })
    await buttonOf(page, 'Start').tap()
    await shows(page, 'state', /Confirm when the path is clear|Compare with the pendant/)
    const phone = await run.page({ isLoggedIn: true, screen: 'phone' })
    await shows(phone, 'state', /Confirm when the path is clear|Compare with the pendant/)
    await confirmed(page, /Pose 3 /)
    await buttonOf(phone, 'STOP').tap()
    await shows(page, 'state', /was stopped, and the robot is at rest/)
    await page.reload()
    await shows(page, 'state', /was stopped, and the robot is at rest/)
    const { motions } = await run.arm()
    await buttonOf(page, 'Continue').tap()
    await confirmed(page, /Pose [34] /)
    should((await run.arm()).motions).be.belowOrEqual(motions + 1)
    await buttonOf(page, 'STOP').tap()
    await shows(phone, 'state', /was stopped/)
  })

  for (const screen of Object.keys(screens) as Screen[])
    it(`fits the screen, with buttons for fingers: ${screen}`, async () => {
      const page = await run.page({ isLoggedIn: true, screen })
      await buttonOf(page, 'Start').waitFor()
      const { width } = screens[screen]
      for (const id of ['state', 'view', 'plots', 'buttons']) {
        const box = await widget(page, id).boundingBox()
        should((box?.x ?? 0) + (box?.width ?? 0)).be.belowOrEqual(width)
      }
      should(await forFingers(page.getByRole('button'))).be.above(0)
      await screenshot(page, `calibration-${screen}`)
    })
})

describe('the operator calibration in German', function () {
  this.timeout(3 * patience)
  const run = usePanel(login.settings, {
    'opcal-permission': { allowed: true },
    'opcal-page-node': { language: 'de' },
  })

  it('speaks German by one setting, the robot too', async () => {
    const page = await run.page({ isLoggedIn: true })
    await shows(page, 'state', /Befestigen Sie das Kalibriergitter/)
    await buttonOf(page, 'Starten').tap()
    await shows(page, 'state', /Vergleichen Sie mit dem Handbediengerät|Vergleichen/)
    await answered(page, 'Bestätigen')
    await shows(page, 'state', /Pose 2 \(erste Bewegung.*Bestätigen Sie, wenn der Weg frei ist/)
    await screenshot(page, 'calibration-de')
    await buttonOf(page, 'STOPP').tap()
    await shows(page, 'state', /wurde angehalten, und der Roboter steht/)
  })
})
