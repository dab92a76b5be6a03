import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Debian's Chromium with a new profile, or nothing, said loudly, where it is not installed. */
export async function startBrowser(): Promise<Browser | undefined> {
  if (program) return chromium.launch({ executablePath: program, headless: true, args: flags })
  process.stderr.write(
    '\n!!! THE BROWSER TESTS DID NOT RUN: Chromium is missing (apt-get install chromium) !!!\n\n',
  )
  return undefined
}

/** A page with the editor of a Node-RED that has loaded everything. Pages of one context share the browser's cache. */
export async function openEditor(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(url)
  await page.locator('#red-ui-palette .red-ui-palette-node').first().waitFor()
  await page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' })
  return page
}
