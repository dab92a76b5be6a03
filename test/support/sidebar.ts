import type { Editor } from './editor'

/** User actions in the sidebar. */
export class Sidebar {
  constructor(readonly editor: Editor) {}

  get part() {
    return this.editor.page.locator('#red-ui-sidebar, .red-ui-sidebar:has(#vision-devices)').first()
  }

  get tree() {
    return this.editor.page.getByRole('tree')
  }

  async show() {
    await this.editor.page.evaluate(`RED.sidebar.show('vision-devices')`)
    await this.editor.page.locator('.vision-sidebar').waitFor()
    return this
  }

  async hide() {
    await this.editor.page.evaluate(`RED.sidebar.show('info')`)
    await this.tree.waitFor({ state: 'hidden' })
  }

  /** By the beginning of its text. */
  line(text: string) {
    const beginning = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return this.editor.page.getByRole('treeitem', { name: new RegExp(`^\\s*${beginning}`) }).first()
  }

  /** At the bottom. */
  get problems() {
    return this.editor.page.getByRole('region', { name: /^(Problems|Probleme)$/ })
  }

  get search() {
    return this.editor.page.locator('.vision-search input')
  }

  /** Outermost lines, in order. */
  names() {
    return this.editor.page.evaluate<string[]>(
      `[...document.querySelectorAll('.vision-tree > [role=treeitem] > .vision-row .vision-row-label')].map((label) => label.textContent)`,
    )
  }

  /** From the top of the window, pixels. */
  top(line: string) {
    return this.line(line)
      .locator('> .vision-row')
      .evaluate((row: Element) => row.getBoundingClientRect().top)
  }

  /** After its name. */
  async shows(line: string, text: string | RegExp) {
    await this.line(line).locator('> .vision-row', { hasText: text }).waitFor()
  }

  /** Along a path. */
  async open(...lines: string[]) {
    for (const line of lines) {
      await this.line(line).waitFor()
      if ((await this.line(line).getAttribute('aria-expanded')) !== 'true')
        await this.line(line).locator('> .vision-row > .vision-twist').click()
    }
  }

  /** By keyboard. */
  async edit(line: string) {
    await this.line(line).press('Enter')
    const control = this.line(line).locator('.vision-edit').locator('input, select')
    await control.waitFor()
    return control
  }

  /** Remark on the outcome of a change. */
  async answered(line: string, text: string | RegExp) {
    await this.line(line).locator('> .vision-row-answer', { hasText: text }).waitFor()
  }

  async drag(line: string, position: { x: number; y: number }) {
    await this.line(line)
      .locator('> .vision-row')
      .dragTo(this.editor.page.locator('#red-ui-workspace-chart'), { targetPosition: position })
  }

  /** By keyboard. */
  async choose(line: string, act: string) {
    await this.line(line).press('Shift+F10')
    const item = this.editor.page.getByRole('menuitem', { name: act })
    await item.waitFor()
    const focused = this.editor.page.locator('[role=menuitem]:focus')
    await focused.waitFor()
    while (!((await focused.textContent()) ?? '').startsWith(act))
      await this.editor.page.keyboard.press('ArrowDown')
    await this.editor.page.keyboard.press('Enter')
  }
}
