import should from 'should'
import type { Page } from 'playwright-core'
import { newProfile } from '../support/browser'
import { exampleNodes } from '../support/example'
import { freeArmPort, freePorts } from '../support/free-ports'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { dashboardPackage, login, openPanel } from './support/dashboard'

/** Milliseconds: editor and pages share a busy machine. */
const patience = 60_000

const examples = {
  'operator-panel': [8211, 8212, 1611],
  'operator-calibration': [8201, 8219],
  'operator-recipes': [8217, 8218, 1601],
  'operator-devices': [8213, 8214, 8215, 8216],
} as const

/** Text of an example that listens on free ports only, with its buttons. */
async function textOf(name: keyof typeof examples): Promise<string> {
  const written: readonly number[] = examples[name]
  const free = await freePorts(written.length)
  const arm = await freeArmPort()
  const nodes = exampleNodes(name).map((node) => {
    if (node.type === 'vision-operator-permission') return { ...node, allowed: true }
    if (node.id === 'opcal-virtual') return { ...node, armPort: String(arm) }
    if (node.id !== 'opcal-robot') return node
    return { ...node, dashboardPort: arm, primaryPort: arm + 2, rtdePort: arm + 5 }
  })
  return JSON.stringify(nodes).replace(new RegExp(`\\b(${written.join('|')})\\b`, 'g'), (number) =>
    String(free[written.indexOf(Number(number))]),
  )
}

/** Imports a flow as a person does, as a copy where Node-RED asks. */
async function imported(page: Page, flow: string): Promise<void> {
  await page.evaluate(`RED.actions.invoke('core:show-import-dialog')`)
  const text = page.locator('#red-ui-clipboard-dialog-import-text')
  await text.fill(flow)
  // The dialog checks its text when a key is released.
  await text.press('End')
  await page.locator('#red-ui-clipboard-dialog-ok').click()
  await page.locator('#red-ui-clipboard-dialog-ok').waitFor({ state: 'hidden' })
  const copy = page.getByRole('button', { name: 'Import copy' })
  const done = page.locator('.red-ui-notification', { hasText: 'Imported' })
  await copy.or(done).first().waitFor()
  if (await copy.isVisible()) await copy.click()
}

describe('the examples for operators in one Node-RED', function () {
  this.timeout(6 * patience)
  let red: NodeRed

  before(async () => {
    red = await startNodeRed({ ...dashboardPackage, settings: login.settings })
  })
  after(() => red.stop())

  it('share one dashboard, imported one after the other', async () => {
    const profile = await newProfile({ viewport: { width: 1400, height: 900 }, locale: 'en-US' })
    if (!profile) throw new Error('no browser')
    const page = await profile.newPage()
    page.setDefaultTimeout(patience)
    await page.goto(red.url)
    await page.locator('.red-ui-palette-node').first().waitFor()
    for (const name of Object.keys(examples) as (keyof typeof examples)[]) {
      await imported(page, await textOf(name))
      await page.evaluate(`RED.actions.invoke('core:deploy-flows')`)
      await page.locator('.red-ui-notification', { hasText: 'Successfully deployed' }).first().waitFor()
      await page.locator('.red-ui-notification', { hasText: 'Successfully deployed' }).waitFor({
        state: 'hidden',
      })
    }
    await profile.close()
    const flows = await red.flows()
    for (const type of ['ui-base', 'ui-theme'])
      should(flows.filter((node) => node['type'] === type).length).equal(1, type)
    should(flows.filter((node) => node['type'] === 'ui-page').length).equal(4)
  })

  for (const [path, text] of [
    ['cell', 'Last result'],
    ['calibration', '1 Prepare'],
    ['recipes', 'Cartons'],
    ['devices', 'cell 2'],
  ] as const)
    it(`show their pages: ${path}`, async () => {
      const opened = await openPanel(`${red.url}/dashboard/${path}`, { isLoggedIn: true })
      if (!opened) throw new Error('no browser')
      await opened.page.getByText(text).first().waitFor({ timeout: patience })
      await opened.close()
    })

  it('get each order once', async () => {
    const opened = await openPanel(`${red.url}/dashboard/calibration`, { isLoggedIn: true })
    if (!opened) throw new Error('no browser')
    const before = red.output().length
    await opened.page.getByRole('button', { name: 'Check view' }).tap()
    await opened.page.getByText('The camera sees the whole grid').waitFor({ timeout: patience })
    // The second of two equal orders would be refused.
    should(red.output().slice(before)).not.match(/vision-operator-calibration.*not possible|under way/)
    await opened.close()
  })
})
