import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core'

/** The one without windows takes a sixth less of the processor. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser']
const program = programs.find((path) => existsSync(path))

const flags = [
  // Pages live too short for it to pay that functions are compiled before they are called, or again to be faster.
  '--js-flags=--max-lazy,--no-opt',
  '--no-sandbox',
  // What draws runs in the browser's own process, and sites share one.
  '--no-zygote',
  '--disable-gpu',
  '--in-process-gpu',
  '--num-raster-threads=1',
  '--disable-site-isolation-trials',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A run that gets these signals ends, and the browser with it. Handlers of Playwright would only end the browser. */
const withoutHandlers = { handleSIGTERM: false, handleSIGHUP: false }

/** One for all test files: starts with the first that needs it, and ends with the run. */
let browser: Promise<Browser> | undefined
after(async () => (await browser)?.close())

/**
 * A new profile in Debian's Chromium, to be closed by the caller; undefined, with a loud message, if it is not
 * installed. Animations are disabled.
 */
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
