import type { BrowserContext, Page } from 'playwright-core'
import { newProfile } from '../../support/browser'
import { type NodeRed, type NodeRedOptions } from '../../support/node-red'
import { PageDiary } from '../../support/page-diary'
import { sharedNodeRed } from '../../support/shared-node-red'

/** Where `scripts/operator.mjs` has installed Dashboard. */
export const palette = process.env['CELLSIGHT_TEST_PALETTE'] ?? ''

/** The screens of the issue: two touch panels and a phone. */
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

interface PageOptions {
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
    return `--- page\n${text}\n${await diary.told(red)}`
  }
  return { page, told, close: () => profile.close() }
}
