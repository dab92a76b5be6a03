import type { Page } from 'playwright-core'
import should from 'should'

/** Pixels: Node-RED's narrowest tray, its initial width, and the widest dialog. */
const widths = [400, 560, 1000]

/** At all widths: label, control and additions on one line, without overlap or truncation. Hidden parts stay visible. */
export async function rowFaults(page: Page, dialog: string): Promise<string[]> {
  const found: string[] = []
  for (const width of widths) {
    const { rows, faults } = await page.evaluate<RowReport>(inspect(width))
    should(rows).be.above(1, dialog)
    found.push(...faults.map((fault) => `${dialog} at ${String(width)} px: ${fault}`))
  }
  return found
}

interface RowReport {
  rows: number
  faults: string[]
}

/** Sets the width, shows all rows, and reports faults. */
const inspect = (width: number) => `{
  const tray = [...document.querySelectorAll('.red-ui-tray')].at(-1)
  tray.style.width = '${String(width)}px'
  const form = tray.querySelector('.vision-dialog')
  for (const hidden of form.querySelectorAll('[hidden]:not(datalist, option)')) hidden.hidden = false
  for (const part of form.querySelectorAll('details')) part.open = true
  const within = form.getBoundingClientRect()
  const shown = (part) => part.checkVisibility() && part.getBoundingClientRect().width > 0 && part.getBoundingClientRect().height > 0
  const below = '.vision-hint, .vision-reason, .vision-answer'
  const faults = []
  const rows = [...form.querySelectorAll('.form-row')].filter(shown)
  for (const row of rows) {
    const title = row.querySelector('label')?.textContent.trim() ?? row.textContent.trim()
    const fault = (text) => faults.push(title + ': ' + text)
    const control = row.querySelector(':scope > .vision-control') ?? row
    const parts = [...new Set([...row.querySelectorAll(':scope > label'), ...control.children])]
      .filter((part) => shown(part) && part !== control && !(part.matches(below) && part.parentElement === row))
      .map((part) => ({ part, at: part.getBoundingClientRect() }))
    const name = ({ part }) => part.tagName + '.' + part.className
    const top = Math.max(...parts.map(({ at }) => at.top))
    const bottom = Math.min(...parts.map(({ at }) => at.bottom))
    if (top >= bottom) fault('not on one line: ' + parts.map(name))
    parts.sort((one, other) => one.at.left - other.at.left)
    parts.forEach((each, index) => {
      const next = parts[index + 1]
      if (next && each.at.right > next.at.left + 0.5) fault(name(each) + ' lies over ' + name(next))
      if (each.at.left < within.left - 0.5 || each.at.right > within.right + 0.5) fault(name(each) + ' is outside')
      if (each.part.matches('label, button, a, span') && each.part.scrollWidth > each.part.clientWidth + 1)
        if (getComputedStyle(each.part).display !== 'inline') fault(name(each) + ' is cut')
      const line = parseFloat(getComputedStyle(each.part).lineHeight)
      if (each.part.matches('label') && each.at.height > 1.7 * line) fault('its label is broken')
    })
    const text = document.createElement('canvas').getContext('2d')
    for (const input of tray.clientWidth < 500 ? [] : control.querySelectorAll('input[placeholder]')) {
      const { font, paddingLeft, paddingRight } = getComputedStyle(input)
      text.font = font
      const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
      if (shown(input) && text.measureText(input.placeholder).width > room + 1) fault('its placeholder is cut')
    }
    // Drawn by Node-RED inside a control: parts of a TypedInput, the list of devices.
    for (const inside of control.querySelectorAll(':is(select, a, input, button)')) {
      if (!shown(inside)) continue
      const at = inside.getBoundingClientRect()
      if (at.right > within.right + 0.5 || at.left < within.left - 0.5) fault('a part of its control is outside')
      if (inside.matches('select, input[type=text], input[type=password]') && at.width < 24)
        fault('no room for its control: ' + inside.id)
    }
    const deepest = Math.max(...parts.map(({ at }) => at.bottom))
    for (const hint of row.querySelectorAll(':scope > .vision-hint')) {
      const at = hint.getBoundingClientRect()
      if (shown(hint) && at.height > 0 && at.top < deepest - 0.5) fault('a hint is not below')
    }
  }
  ;({ rows: rows.length, faults })
}`
