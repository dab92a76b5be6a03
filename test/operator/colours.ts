import should from 'should'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { readable, shownTexts, type ShownText } from '../support/shown-texts'
import { freeArmPort } from '../support/free-ports'
import {
  dashboardPackage,
  login,
  openPanel,
  photograph,
  type PanelPage,
  type Screen,
} from './support/dashboard'
import { runPanel, type RunningPanel } from './support/operator-example'

/** Milliseconds: pictures are drawn slowly on a busy machine. */
const patience = 60_000

/** Dashboard's own dark colours. */
const dark = {
  surface: '#18191b',
  primary: '#0d74ce',
  bgPage: '#111113',
  groupBg: '#212225',
  groupOutline: '#363a3f',
}
const themes = { light: {}, dark: { 'vision-ui-theme': { colors: dark } } } as const
type Theme = keyof typeof themes

/** The pages, and what each shows when it is complete. */
const pages = {
  'operator-panel': {
    ports: [8211, 8212, 1611],
    path: 'cell',
    node: 'oppanel-node',
    permission: 'oppanel-permission',
    fields: { 'oppanel-part': { repeat: '', once: false } },
    press: ['oppanel-part', 'oppanel-out'],
    shows: /The device does not answer/,
  },
  'operator-calibration': {
    ports: [8201, 8219],
    path: 'calibration',
    node: 'opcal-page-node',
    permission: 'opcal-permission',
    fields: {},
    press: [],
    shows: /1 Prepare/,
  },
  'operator-recipes': {
    ports: [8217, 8218, 1601],
    path: 'recipes',
    node: 'oprec-recipes',
    permission: 'oprec-permission',
    fields: {},
    press: [],
    shows: /Cartons/,
  },
  'operator-devices': {
    ports: [8213, 8214, 8215, 8216],
    path: 'devices',
    node: 'opdev-node',
    permission: 'none',
    fields: {},
    press: ['opdev-look'],
    shows: /cell 2/,
  },
} as const

/** Texts that are hard to read. */
const faint = async (page: Page): Promise<ShownText[]> => {
  const texts = await page.evaluate<ShownText[]>(shownTexts('.nrdb-ui-group *'))
  should(texts.length).be.above(3)
  return texts.filter(({ contrast }) => contrast < readable)
}

for (const [name, { ports, path, node, permission, fields, press, shows }] of Object.entries(pages))
  for (const theme of Object.keys(themes) as Theme[])
    describe(`the colours of ${name} on a ${theme} page`, function () {
      this.timeout(6 * patience)
      let red: NodeRed
      let panel: RunningPanel

      before(async () => {
        const arm = await freeArmPort()
        red = await startNodeRed({ ...dashboardPackage, settings: login.settings })
        panel = await runPanel(red, name, ports, {
          ...themes[theme],
          ...fields,
          [node]: { theme },
          [permission]: { allowed: true },
          'opcal-virtual': { armPort: String(arm) },
          'opcal-robot': { dashboardPort: arm, primaryPort: arm + 2, rtdePort: arm + 5 },
        })
      })
      after(() => red.stop())

      for (const screen of ['small', 'phone'] as Screen[])
        it(`can be read: ${screen}`, async () => {
          const opened: PanelPage | undefined = await openPanel(`${red.url}/dashboard/${path}`, {
            isLoggedIn: true,
            screen,
          })
          if (!opened) throw new Error('no browser')
          const { page } = opened
          for (const id of press) await panel.press(id)
          await page
            .locator('.nrdb-ui-group')
            .filter({ hasText: shows })
            .first()
            .waitFor({ timeout: patience })
          await photograph(page, `${path}-${theme}-${screen}`)
          await eventually(async () => should(await faint(page)).deepEqual([]), 5000)
          const look = page.getByRole('button', { name: 'Check view' })
          if (await look.isVisible()) {
            await look.tap()
            await page.locator('.vision-view').waitFor({ timeout: patience })
            await page.getByRole('button', { name: 'Start' }).tap()
            await page.getByText('Compare with the pendant').waitFor({ timeout: patience })
            await photograph(page, `${path}-asks-${theme}-${screen}`)
            should(await faint(page)).deepEqual([])
            await page.getByRole('button', { name: 'STOP' }).tap()
            await look.waitFor({ timeout: patience })
          }
          const change = page.getByRole('button', { name: 'Change' }).first()
          if (await change.isVisible()) {
            await change.tap()
            await page.locator('form').waitFor()
            await photograph(page, `${path}-form-${theme}-${screen}`)
            should(await faint(page)).deepEqual([])
          }
          await opened.close()
        })
    })
