import { join } from 'node:path'
import 'should'
import type { ElementHandle, Locator, Page } from 'playwright-core'
import { darkTheme } from './dark-theme'
import { eventually } from './eventually'
import type { NodeRed } from './node-red'
import { checkPicture, recordPicture } from './picture-record'

/** Of the documentation. */
const pictures = join(__dirname, '..', '..', '..', 'docs', 'images')

type StoredNode = Record<string, unknown> | undefined

/** For repeated clicks on a busy machine, ms. */
const patience = 120_000

/** Node-RED's notifications would hide part of the page. */
const style = '#red-ui-notifications { visibility: hidden }'

/** Node-RED 5. */
const ownDarkTheme = 'nr-theme-dark'

/** User actions in an editor. */
export class Editor {
  #dark: ElementHandle | undefined
  /** Not reused by other tests. */
  isAltered = false
  /** Repeated because a busy machine was late. */
  pressedAgain = 0

  constructor(
    readonly page: Page,
    readonly red: NodeRed,
  ) {}

  /** Dark colours until the end of the test. @param isNodeReds Node-RED 5's own dark theme too */
  async darken(isNodeReds = false) {
    if (isNodeReds) await this.page.evaluate(`document.documentElement.classList.add('${ownDarkTheme}')`)
    this.#dark = await this.page.addStyleTag({ content: `:root { ${darkTheme} }` })
  }

  async lighten() {
    if (!this.#dark) return
    await this.#dark.evaluate('(style) => style.remove()')
    await this.page.evaluate(`document.documentElement.classList.remove('${ownDarkTheme}')`)
    this.#dark = undefined
  }

  /** From the palette; opens the dialog. */
  async place(label: string) {
    const from = this.page.locator('.red-ui-palette-node', { hasText: label })
    await from.dragTo(this.page.locator('#red-ui-workspace-chart'), { targetPosition: { x: 300, y: 200 } })
    await this.openedBy(this.page.locator('.red-ui-flow-node-group', { hasText: label }))
  }

  async edit(id: string) {
    await this.page.evaluate(`{
      const node = RED.nodes.node('${id}')
      if (node._def.category === 'config') RED.editor.editConfig('', node.type, node.id)
      else RED.editor.edit(node)
    }`)
    await this.opened()
  }

  /** Node-RED moves the focus into a complete dialog. */
  async opened() {
    await this.page.locator('.red-ui-tray[data-was-focused]').last().waitFor()
  }

  /** Counts repeated clicks. */
  #again() {
    let isSecond = false
    return (presses: number) => {
      if (isSecond) this.pressedAgain += presses
      const was = isSecond
      isSecond = true
      return was
    }
  }

  /** By two clicks, which may be too far apart for a double click on a busy machine. */
  async openedBy(node: Locator) {
    const again = this.#again()
    await eventually(async () => {
      if (!(await this.page.locator('.red-ui-tray').count())) {
        again(2)
        await node.dblclick()
      }
      await this.page.locator('.red-ui-tray').first().waitFor({ timeout: 2000 })
    }, patience)
    await this.opened()
  }

  /** By its visible label. */
  field(label: string) {
    return this.#form.locator(this.#named(label))
  }

  /** Waits until the dialog is closed. */
  async close(button: 'Done' | 'Update' | 'Cancel') {
    await this.button(button).click()
    await this.page.locator('.red-ui-tray').waitFor({ state: 'detached' })
  }

  button(name: string) {
    return this.page.locator('.red-ui-tray-toolbar').getByRole('button', { name })
  }

  async pressEnter(control: Locator) {
    await control.click({ trial: true })
    await control.press('Enter')
  }

  /** Of a typed field. */
  async chooseKind(label: string, kind: string) {
    const button = this.#form.getByRole('button', { name: `${label}: kind of value` })
    // A line below the previous field may move the button.
    await button.focus()
    const choice = this.page.locator('.red-ui-typedInput-options:visible a', { hasText: kind })
    // An answer of the device may close the menu.
    await eventually(async () => {
      if (!(await choice.isVisible())) await button.click({ timeout: 2000 })
      await choice.click({ timeout: 2000 })
    }, patience)
  }

  /** Empty for a valid value. */
  async reason(label: string, text: string) {
    const row = this.#form.locator('.form-row', { has: this.#named(label) })
    const line = row.locator('.vision-reason')
    if (text) await line.filter({ hasText: text }).waitFor()
    ;((await line.textContent()) ?? '').should.equal(text)
    const isMarked = (await this.field(label).getAttribute('aria-invalid')) === 'true'
    isMarked.should.equal(text !== '')
  }

  /** With its buttons. */
  get dialog() {
    return this.page.locator('.red-ui-tray').last()
  }

  /** Of an open pick-list. */
  offers(label: string) {
    return this.page.getByRole('listbox', { name: label }).getByRole('option')
  }

  /** From a pick-list. */
  async pick(label: string, name: string) {
    const button = this.#form.getByRole('button', { name: `${label}: show the names on the device` })
    const offer = this.offers(label).filter({ has: this.page.getByText(name, { exact: true }) })
    // An answer of the device may close the list; an empty list with a reason is loaded again on demand.
    const again = this.#again()
    await eventually(async () => {
      const isOpen = await this.offers(label).first().isVisible()
      const isSecond = again(1)
      if (!isOpen) await button.click({ timeout: 2000 })
      else if (isSecond) await this.offers(label).last().click({ timeout: 2000 })
      await offer.click({ timeout: 4000 })
    }, patience)
  }

  /** What the device lacks; empty: nothing. */
  async remark(label: string, text: string) {
    const row = this.#form.locator('.form-row', { has: this.#named(label) })
    const line = row.locator('.vision-pick-mark')
    if (text) await line.filter({ hasText: text }).waitFor()
    else await line.filter({ hasText: /^$/ }).waitFor({ state: 'attached' })
  }

  /** In the folder `CELLSIGHT_SCREENSHOTS`, if set. */
  async screenshot(name: string, part?: Locator) {
    const folder = process.env['CELLSIGHT_SCREENSHOTS']
    if (folder && folder !== '1') await this.#photograph(join(folder, `${name}.png`), part)
  }

  /** With `CELLSIGHT_SCREENSHOTS=1` also in `docs/images`; fails if a documented dialog has changed. */
  async picture(name: string, part?: Locator) {
    const isMade = process.env['CELLSIGHT_SCREENSHOTS'] === '1'
    const isDialog = (await part?.locator('.vision-dialog').count()) === 1
    if (isMade) await this.#photograph(join(pictures, `${name}.png`), part)
    else await this.screenshot(name, part)
    if (part && isDialog) await (isMade ? recordPicture(name, part) : checkPicture(name, part))
  }

  /** Reproducible: no moving pointer, no blinking cursor. */
  async #photograph(path: string, part?: Locator) {
    await (part ?? this.page).screenshot({ path, animations: 'disabled', caret: 'hide', style })
  }

  async deploy() {
    const answered = this.page.waitForResponse(
      (response) => response.url().endsWith('/flows') && response.ok(),
    )
    await this.page.locator('#red-ui-header-button-deploy').click()
    await answered
  }

  /** First node of each type in the deployed flows. */
  async stored<Types extends string[]>(...types: Types): Promise<{ [Index in keyof Types]: StoredNode }> {
    const flows = await this.red.flows()
    return types.map((type) => flows.find((node) => node['type'] === type)) as {
      [Index in keyof Types]: StoredNode
    }
  }

  /** Controls without accessible name or keyboard access, as HTML. */
  unreachable() {
    return this.page.evaluate<string[]>(`
      [...document.querySelectorAll('.vision-dialog :is(input, select, button, [role=button], summary)')]
        .filter((control) => control.checkVisibility() && !control.ariaHidden)
        .filter((control) => !control.id.startsWith('red-ui-trap'))
        .filter((control) => {
          const labels = [...(control.labels ?? [])].map((label) => label.textContent)
          const name = [control.ariaLabel, ...labels, control.textContent].join('').trim()
          return !name || control.tabIndex !== 0
        })
        .map((control) => control.outerHTML)
    `)
  }

  get #form() {
    return this.page.locator('.red-ui-tray .vision-dialog')
  }

  /** Node-RED 5 appends problems to the name: `Device: property value missing`. */
  #named(label: string) {
    const name = new RegExp(`^\\s*${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(: .*)?\\s*$`)
    return this.page
      .getByLabel(name)
      .and(this.page.locator('input, select, textarea'))
      .filter({ visible: true })
  }
}
