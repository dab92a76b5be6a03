import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { newProfile } from '../../support/browser'
import { type NodeRed, type NodeRedOptions } from '../../support/node-red'
import { PageDiary } from '../../support/page-diary'
import { root } from '../../support/root'
import { sharedNodeRed } from '../../support/shared-node-red'

/** Where `scripts/stages-with-packages.mjs` has installed Dashboard. */
export const palette = process.env['CELLSIGHT_TEST_PALETTE'] ?? ''

/** Two touch panels and a phone. */
export const screens = {
  small: { width: 1024, height: 768 },
  wide: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const
export type Screen = keyof typeof screens

/** Name and password of Node-RED's pages, as a browser sends them; the hash is that of `look`. */
export const login = {
  username: 'operator',
  password: 'look',
  settings: {
    httpNodeAuth: {
      user: 'operator',
      pass: '$2b$04$ICO6O1ZO85SKmpSWPEzaOu5mmQGzVCAoKychDlQOGKk1TYO81pLc6',
    },
  },
}

/** The package of Dashboard in a Node-RED. */
export const dashboardPackage = { palette: ['@flowfuse/node-red-dashboard'], paletteFolder: palette }

/** A Node-RED with Dashboard, shared by all test files that need the same settings. */
export const nodeRedWithDashboard = (options: NodeRedOptions = {}): Promise<NodeRed> =>
  sharedNodeRed({ ...dashboardPackage, ...options })

/** A page of a dashboard, touched by fingers. */
export interface PanelPage {
  page: Page
  /** What the page showed, if a test fails. */
  told: (red: NodeRed) => Promise<string>
  close: () => Promise<void>
}

/** Milliseconds for one wait in the page. */
const patience = 30_000

export interface PageOptions {
  screen?: Screen
  /** With name and password. */
  isLoggedIn?: boolean
  locale?: string
}

/** Opens a page of Dashboard; undefined without a browser. */
export async function openPanel(
  url: string,
  { screen = 'small', isLoggedIn = false, locale = 'en-US' }: PageOptions = {},
): Promise<PanelPage | undefined> {
  const { username, password } = login
  const profile: BrowserContext | undefined = await newProfile({
    ...{ viewport: screens[screen], hasTouch: true, locale },
    ...(isLoggedIn && { httpCredentials: { username, password } }),
  })
  if (!profile) return undefined
  const page = await profile.newPage()
  page.setDefaultTimeout(patience)
  const diary = new PageDiary(page)
  await page.goto(url)
  const told = async (red: NodeRed) => {
    const text = await page.evaluate<string>('document.body.innerText').catch(String)
    return `--- page\n${text}\n${await diary.report(red)}`
  }
  return { page, told, close: () => profile.close() }
}

/** Where pictures are saved: `1` is the documentation. */
const pictures = () => {
  const { CELLSIGHT_SCREENSHOTS: folder } = process.env
  return folder === '1' ? join(root, 'docs', 'images') : folder
}

/** Saves the flow of a tab as the editor shows it, where `CELLSIGHT_SCREENSHOTS` says so. */
export async function photographFlow(url: string, tab: string): Promise<void> {
  const place = pictures()
  const profile = place
    ? await newProfile({ viewport: { width: 1280, height: 1150 }, locale: 'en-US' })
    : undefined
  if (!place || !profile) return
  const page = await profile.newPage()
  await page.goto(`${url}/#flow/${tab}`)
  await page.locator('.red-ui-flow-group').first().waitFor()
  await page.evaluate('RED.sidebar.show && RED.actions.invoke("core:toggle-sidebar")')
  await page.addStyleTag({ content: '#red-ui-notifications { visibility: hidden }' })
  const chart = page.locator('#red-ui-workspace-chart')
  await chart.screenshot({
    path: join(place, 'operator-flow.png'),
    animations: 'disabled',
    caret: 'hide',
  })
  await profile.close()
}

/**
 * Saves what a page shows, where `CELLSIGHT_SCREENSHOTS` says so.
 * @param height pixels from the top. @default all that is visible
 */
export async function photograph(page: Page, name: string, height?: number): Promise<void> {
  const place = pictures()
  if (!place) return
  const { width } = page.viewportSize() ?? { width: 0 }
  const clip = height === undefined ? {} : { clip: { x: 0, y: 0, width, height } }
  await page.screenshot({
    path: join(place, `${name}.png`),
    animations: 'disabled',
    caret: 'hide',
    ...clip,
  })
}
