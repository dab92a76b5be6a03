import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core'

/** The headless shell takes a sixth less processor time. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser']
const program = programs.find((path) => existsSync(path))

const flags = [
  // Pages live too briefly for compiling ahead or optimising.
  '--js-flags=--max-lazy,--no-opt',
  '--no-sandbox',
  // Drawing in the browser's own process; sites share one.
  '--no-zygote',
  '--disable-gpu',
  '--in-process-gpu',
  '--num-raster-threads=1',
  '--disable-site-isolation-trials',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** These signals end the run, and the browser with it; Playwright's handlers would only end the browser. */
const withoutHandlers = { handleSIGTERM: false, handleSIGHUP: false }

/** Shared by all test files. */
let browser: Promise<Browser> | undefined
after(async () => (await browser)?.close())

/** In Debian's Chromium, without animations; closed by the caller. Undefined, with a loud message, if not installed. */
export async function newProfile(options: BrowserContextOptions = {}): Promise<BrowserContext | undefined> {
  if (!program) {
    process.stderr.write(
      '\n!!! THE BROWSER TESTS DID NOT RUN: Chromium is missing (apt-get install chromium) !!!\n\n',
    )
    return undefined
  }
  browser ??= chromium.launch({ executablePath: program, headless: true, args: flags, ...withoutHandlers })
  const profile = await (await browser).newContext(options)
  await profile.addInitScript(withoutMotion)
  return profile
}

const withoutMotion = `addEventListener('DOMContentLoaded', () => {
  const style = document.createElement('style')
  style.textContent = '*, ::before, ::after { transition: none !important; animation: none !important }'
  document.head.append(style)
})`
