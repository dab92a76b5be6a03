import 'should'
import type { BrowserContext, Page } from 'playwright-core'
import { newProfile } from './browser'
import { Editor } from './editor-page'
import { flowsInPlace } from './flows-in-place'
import type { NodeRed, NodeRedOptions } from './node-red'
import { PageDiary } from './page-diary'
import { sharedNodeRed } from './shared-node-red'

export type { Editor }

interface EditorOptions extends Pick<NodeRedOptions, 'settings' | 'palette'> {
  /** Language of the browser. @default 'en-US' */
  locale?: string
}

/**
 * Milliseconds that a busy machine may take: for one wait in the page, and for a whole test, whose failure would say less
 * than that of a wait.
 */
const limits = { wait: 120_000, test: 300_000 }

/**
 * An editor in a browser profile of its own for all tests of the enclosing suite; each test opens it with flows of its
 * own. A warning or an error in the browser's console fails the test. A failed test tells what the page showed.
 */
export function useEditor({ locale = 'en-US', ...options }: EditorOptions = {}) {
  let red: NodeRed | undefined
  let profile: BrowserContext | undefined
  let editor: Editor | undefined
  let diary: PageDiary | undefined
  const complaints: string[] = []

  before(async function () {
    this.timeout(limits.test)
    profile = await newProfile({ locale, viewport: { width: 1400, height: 1000 } })
    if (!profile) return this.skip()
    await profile.addInitScript(noteFocus)
    red = await sharedNodeRed(options)
  })
  after(async () => {
    await profile?.close()
    // Requests of this suite's flows to their devices must not reach those of the next.
    await red?.deploy([])
  })
  beforeEach(function () {
    this.currentTest?.timeout(limits.test)
  })
  afterEach(async function () {
    if (this.currentTest?.isFailed() && diary && red)
      process.stderr.write(`\n${this.currentTest.fullTitle()}\n${await diary.told(red)}\n`)
    const isSpoilt = editor?.isAltered || this.currentTest?.isFailed()
    if (isSpoilt) {
      await editor?.page.close()
      editor = undefined
    }
    complaints.splice(0).should.deepEqual([])
  })

  return async (flows: readonly object[]) => {
    if (!profile || !red) throw new Error('no browser')
    if (editor) await flowsInPlace(editor, flows)
    else {
      await red.deploy(flows)
      editor = new Editor(await openEditor(profile, red.url), red)
      listen(editor.page, complaints)
      diary = new PageDiary(editor.page)
    }
    return editor
  }
}

/** Marks a dialog that has had the focus, which the flow may take back from it. */
const noteFocus = `addEventListener('focusin', ({ target }) =>
  target.closest('.red-ui-tray')?.setAttribute('data-was-focused', ''))`

/** A page with the fully loaded editor of a Node-RED. Pages of one profile share the browser's cache. */
async function openEditor(profile: BrowserContext, url: string): Promise<Page> {
  const page = await profile.newPage()
  page.setDefaultTimeout(limits.wait)
  await page.goto(url)
  await page.locator('#red-ui-palette .red-ui-palette-node').first().waitFor()
  await page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' })
  return page
}

function listen(page: Page, complaints: string[]) {
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A device that does not answer is not an error here, but the browser reports every failed request.
    const { url } = message.location()
    if (/\/vision-devices\//.test(url)) return
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} (${url})`)
  })
}
