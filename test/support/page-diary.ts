import { setTimeout as wait } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import type { NodeRed } from './node-red'

/** For a page that may be busy forever, ms. */
const patience = 10_000
/** Entries of each kind. */
const most = 30
/** Characters of a dialog, and of Node-RED's output. */
const longest = 3000

/** Records what happens in a page, to explain rare failures. */
export class PageDiary {
  readonly #page: Page
  readonly #console: string[] = []
  readonly #failed: string[] = []
  readonly #open = new Map<Request, number>()

  constructor(page: Page) {
    this.#page = page
    page.on('console', (message) => this.#console.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => this.#console.push(`uncaught: ${error.message}`))
    page.on('request', (request) => this.#open.set(request, Date.now()))
    page.on('requestfinished', (request) => this.#open.delete(request))
    page.on('requestfailed', (request) => {
      this.#open.delete(request)
      this.#failed.push(`${named(request)}: ${request.failure()?.errorText ?? ''}`)
    })
    page.on('response', (response) => {
      if (response.status() < 400) return
      const answered = `${named(response.request())}: ${response.status()}`
      response.text().then(
        (text) => this.#failed.push(`${answered} ${text.slice(0, 300)}`),
        () => this.#failed.push(answered),
      )
    })
  }

  /** Screen, earlier problems, pending requests. */
  async report(red: NodeRed): Promise<string> {
    const shown = await Promise.race([
      this.#page.evaluate<Record<string, string>>(shownTexts),
      wait(patience, { page: `no answer within ${patience} ms` }, { ref: false }),
    ]).catch((error: unknown) => ({ page: String(error) }))
    const now = Date.now()
    const parts: Record<string, string> = {
      ...Object.fromEntries(Object.entries(shown).map(([part, text]) => [part, text.slice(0, longest)])),
      console: this.#console.slice(-most).join('\n'),
      'failed requests': this.#failed.slice(-most).join('\n'),
      'requests without an answer': [...this.#open]
        .map(([request, since]) => `${named(request)}: for ${now - since} ms`)
        .slice(-most)
        .join('\n'),
      'Node-RED': red.output().slice(-longest),
    }
    return Object.entries(parts)
      .filter(([, text]) => text.trim())
      .map(([part, text]) => `--- ${part}\n${text.trim()}`)
      .join('\n')
  }
}

const named = (request: Request) => `${request.method()} ${request.url()}`

/** With the values of fields. */
const shownTexts = `(() => {
  const text = (element) => element.innerText.replace(/\\n{2,}/g, '\\n')
  const fields = [...document.querySelectorAll('.red-ui-tray :is(input, select, textarea)')]
    .filter((field) => field.checkVisibility() && field.type !== 'password')
    .map((field) => (field.ariaLabel || field.labels?.[0]?.textContent.trim() || field.id) + ' = ' + field.value)
  return {
    dialog: [...document.querySelectorAll('.red-ui-tray')].map(text).join('\\n---\\n'),
    fields: fields.join('\\n'),
    notifications: [...document.querySelectorAll('.red-ui-notification')].map(text).join('\\n'),
    'vision devices': [...document.querySelectorAll('.vision-sidebar')].filter((part) => part.checkVisibility()).map(text).join('\\n'),
    focus: document.activeElement?.outerHTML.slice(0, 200) ?? '',
  }
})()`
