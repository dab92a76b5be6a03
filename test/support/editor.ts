import 'should'
import type { BrowserContext, Page } from 'playwright-core'
import { newProfile } from './browser'
import { Editor } from './editor-page'
import { flowsInPlace, leaveInPlace } from './flows-in-place'
import type { NodeRed, NodeRedOptions } from './node-red'
import { PageDiary } from './page-diary'
import { sharedNodeRed } from './shared-node-red'

export type { Editor }

interface EditorOptions extends Pick<NodeRedOptions, 'settings' | 'palette' | 'environment'> {
  /** Language of the browser. @default 'en-US' */
  locale?: string
}

/**
 * Milliseconds that a busy machine may take: for one wait in the page, and for a whole test, whose failure would say less
 * than that of a wait.
 */
const limits = { wait: 120_000, test: 300_000 }

/** A page, and what it shows, for all suites that need the same options: to load an editor takes seconds. */
interface SharedPage {
  profile: BrowserContext
  red: NodeRed
  complaints: string[]
  /** Undefined before the first test, and after one that spoilt it. */
  editor?: Editor | undefined
  diary?: PageDiary
}

const pages = new Map<string, Promise<SharedPage | undefined>>()
/** The page that is open at each Node-RED: a second one would hear of nodes that it does not know. */
const open = new Map<NodeRed, SharedPage>()

/**
 * An editor for all tests of the enclosing suite; each test opens it with flows of its own. A warning or an error in the
 * browser's console fails the test. A failed test tells what the page showed.
 */
export function useEditor(options: EditorOptions = {}) {
  let page: SharedPage | undefined

  before(async function () {
    this.timeout(limits.test)
    const key = JSON.stringify({ locale: 'en-US', ...options })
    const shared = pages.get(key) ?? preparePage(options)
    pages.set(key, shared)
    page = await shared
    if (!page) return this.skip()
    const other = open.get(page.red)
    if (other !== page) await close(other)
    open.set(page.red, page)
  })
  after(async function () {
    this.timeout(limits.test)
    if (!page) return
    if (page.editor) await leaveInPlace(page.editor)
    // Requests of this suite's flows to their devices must not reach those of the next.
    await page.red.deploy([])
  })
  beforeEach(function () {
    this.currentTest?.timeout(limits.test)
  })
  afterEach(async function () {
    if (!page) return
    const { editor, diary, red, complaints } = page
    const isFailed = this.currentTest?.isFailed() ?? false
    if (isFailed && diary)
      process.stderr.write(`\n${this.currentTest?.fullTitle() ?? ''}\n${await diary.told(red)}\n`)
    // Behind another page, an editor is drawn once a second.
    const others = page.profile.pages().filter((other) => other !== editor?.page)
    await Promise.all(others.map((other) => other.close()))
    if (editor?.isAltered || isFailed) await close(page)
    else await editor?.lighten()
    complaints.splice(0).should.deepEqual([])
  })

  return async (flows: readonly object[]) => {
    if (!page) throw new Error('no browser')
    const { editor, profile, red, complaints } = page
    if (editor) {
      await flowsInPlace(editor, flows)
      return editor
    }
    await red.deploy(flows)
    const opened = await openEditor(profile, red.url)
    listen(opened, complaints)
    page.diary = new PageDiary(opened)
    return (page.editor = new Editor(opened, red))
  }
}

async function close(page: SharedPage | undefined) {
  await page?.editor?.page.close()
  if (page) page.editor = undefined
}

/**
 * English editors are below a path, where only relative addresses work; those of other languages are not. Each has a
 * Node-RED, and stays open.
 */
const settingsFor = (locale: string) => (locale === 'en-US' ? { httpRoot: '/cell' } : {})

async function preparePage({ locale = 'en-US', ...options }: EditorOptions): Promise<SharedPage | undefined> {
  const profile = await newProfile({ locale, viewport: { width: 1400, height: 1000 } })
  if (!profile) return undefined
  await profile.addInitScript(noteFocus)
  await profile.addInitScript(withoutSliding)
  await profile.addInitScript(withoutTooltips)
  const settings = { ...settingsFor(locale), ...options.settings }
  return { profile, red: await sharedNodeRed({ ...options, settings }), complaints: [] }
}

/** Marks a dialog that has had the focus, which the flow may take back from it. */
const noteFocus = `addEventListener('focusin', ({ target }) =>
  target.closest('.red-ui-tray')?.setAttribute('data-was-focused', ''))`

/** Dialogs slide in and out by the styles, and by timers of 150 and 250 ms; lists and sections unfold by jQuery. */
const withoutSliding = `{
  const later = window.setTimeout
  const slides = [150, 250]
  window.setTimeout = (work, after, ...rest) => later(work, slides.includes(after) ? 0 : after, ...rest)
  addEventListener('DOMContentLoaded', () => (jQuery.fx.off = true))
}`

/** A tooltip of Node-RED that opens late, when the mouse has gone on, stays in the way. */
const withoutTooltips = `addEventListener('DOMContentLoaded', () => {
  const style = document.createElement('style')
  style.textContent = '.red-ui-popover-size-small { pointer-events: none !important }'
  document.head.append(style)
})`

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
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
  page.on('console', (message) => {
    // A device that does not answer is not an error here, but the browser reports every failed request.
    const { url } = message.location()
    if (/\/vision-devices\//.test(url)) return
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} (${url})`)
  })
}
