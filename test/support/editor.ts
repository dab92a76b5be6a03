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
  /** Of the browser. @default 'en-US' */
  locale?: string
}

/** Milliseconds for a wait in the page, and for a test, whose failure would say less. */
const limits = { wait: 120_000, test: 300_000 }

/** Shared by suites with equal options: loading an editor takes seconds. */
interface SharedPage {
  profile: BrowserContext
  red: NodeRed
  complaints: string[]
  /** Undefined before the first test, and after one that altered it. */
  editor?: Editor | undefined
  diary?: PageDiary
}

const pages = new Map<string, Promise<SharedPage | undefined>>()
/** By Node-RED: a second page would receive events of unknown nodes. */
const open = new Map<NodeRed, SharedPage>()

/** For the tests of this suite, each with its own flows. Console warnings and errors fail the test; failures show the page. */
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
    // Otherwise requests of these flows reach the devices of the next suite.
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
      process.stderr.write(`\n${this.currentTest?.fullTitle() ?? ''}\n${await diary.report(red)}\n`)
    // An editor behind another page is drawn once a second.
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

/** English editors are below a path, where only relative addresses work. */
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

/** Marks dialogs that had the focus. */
const noteFocus = `addEventListener('focusin', ({ target }) =>
  target.closest('.red-ui-tray')?.setAttribute('data-was-focused', ''))`

/** Disables animations: by styles, by timers of 150 and 250 ms, and by jQuery. */
const withoutSliding = `{
  const later = window.setTimeout
  const slides = [150, 250]
  window.setTimeout = (work, after, ...rest) => later(work, slides.includes(after) ? 0 : after, ...rest)
  addEventListener('DOMContentLoaded', () => (jQuery.fx.off = true))
}`

/** Late tooltips must not cover controls. */
const withoutTooltips = `addEventListener('DOMContentLoaded', () => {
  const style = document.createElement('style')
  style.textContent = '.red-ui-popover-size-small { pointer-events: none !important }'
  document.head.append(style)
})`

/** Fully loaded; pages of one profile share the cache. */
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
    // The browser reports every failed request; an absent device is no error here.
    const { url } = message.location()
    if (/\/vision-devices\//.test(url)) return
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} (${url})`)
  })
}
