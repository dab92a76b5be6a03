import type { Locator, Page } from 'playwright-core'
import type { Editor } from './editor'

interface Acts {
  /** Mouse presses (drag: one, double click: two) and keys, without typing. */
  clicks: number
  /** In order. */
  typed: string[]
}

/** Builds a flow with the mouse; the browser counts the actions. */
export class Hand {
  constructor(readonly editor: Editor) {}

  /** Starts counting. */
  async begin() {
    await this.#page.evaluate(counter)
    return this
  }

  acts() {
    return this.#page.evaluate<Acts>('window.acts')
  }

  /** From the palette. @returns the id */
  async drop(type: string, x: number, y: number): Promise<string> {
    const from = this.#page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`)
    await from.dragTo(this.#page.locator('#red-ui-workspace-chart'), { targetPosition: { x, y } })
    return this.#page.evaluate<string>('RED.view.selection().nodes[0].id')
  }

  async open(id: string) {
    await this.editor.openedBy(this.#node(id))
  }

  async type(field: Locator, text: string) {
    await field.click()
    await field.fill(text)
  }

  /** From a first output to an input. */
  async wire(from: string, to: string) {
    await this.#port(from, 'output').hover()
    await this.#page.mouse.down()
    await this.#port(to, 'input').hover()
    await this.#page.mouse.up()
  }

  /** It may be visible already (Node-RED 5), or behind an arrow (4.1). */
  async show(tab: string, content = `.red-ui-${tab}-content`) {
    const isShown = `document.querySelector(${JSON.stringify(content)})?.checkVisibility() ?? false`
    if (await this.#page.evaluate<boolean>(isShown)) return
    const button = this.#page.locator(`#red-ui-tab-${tab}-link-button, button[data-tab-id=${tab}]`)
    if (await button.isVisible()) return button.click()
    await this.#page.locator('.red-ui-tab-link-button-menu:visible').last().click()
    await this.#page.locator(`#red-ui-tabs-menu-option-${tab}`).click()
  }

  #port = (id: string, side: 'input' | 'output') =>
    this.#node(id).locator(`.red-ui-flow-port-${side} .red-ui-flow-port`).first()

  #node = (id: string) => this.#page.locator(`[id="${id}"]`)

  get #page(): Page {
    return this.editor.page
  }
}

/** A native select takes two clicks, which a headless browser does not register. */
const counter = `
  window.acts = { clicks: 0, typed: [] }
  const count = (event) => { if (event.isTrusted) window.acts.clicks++ }
  addEventListener('mousedown', count, true)
  addEventListener('keydown', count, true)
  addEventListener('input', ({ target }) => {
    if (target.localName === 'select') window.acts.clicks += 2
    else if (target.type !== 'checkbox') window.acts.typed.push(target.value)
  }, true)`

/** From the menu. */
export async function importExample(page: Page, name: string): Promise<void> {
  await page.locator('#red-ui-header-button-sidemenu').click()
  await page.locator('#menu-item-import').click()
  await page.locator('.red-ui-clipboard-dialog-tabs li', { hasText: 'Examples' }).click()
  const entry = (text: string) => page.locator('.red-ui-treeList-label:visible', { hasText: text })
  await entry('@cellsight/node-red-vision').click()
  await entry(name).click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
}
