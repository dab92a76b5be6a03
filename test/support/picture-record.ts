import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { root } from './root'
import { source } from './dialog-source'

/** Content of the dialogs in the documentation's pictures, stored with them. */
const file = join(root, 'docs', 'images', 'shown.json')
const sheets = ['dialog.css', 'picks/picks.css', 'forms/forms.css', 'forms/entries.css']

/** Texts and controls in order, and styles of rows; without data from a device. */
async function shownIn(dialog: Locator): Promise<string> {
  const parts = await dialog.evaluate((tray) =>
    [...tray.querySelectorAll('.form-row, summary')]
      .filter((row) => row.checkVisibility())
      .map((row) => [
        ...[...row.querySelectorAll('label, button, .vision-unit, .vision-hint:not([role])')].map((part) =>
          part.textContent.trim(),
        ),
        ...[...row.querySelectorAll('input, select')].map((part) => part.tagName),
      ]),
  )
  const hash = createHash('sha256').update(JSON.stringify(parts))
  for (const sheet of sheets) hash.update(source('editor', sheet))
  return hash.digest('hex')
}

const records = () =>
  (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Record<string, string>

export async function recordPicture(name: string, dialog: Locator): Promise<void> {
  const updated = { ...records(), [name]: await shownIn(dialog) }
  const sorted = Object.fromEntries(
    Object.entries(updated).sort(([one], [other]) => one.localeCompare(other)),
  )
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
}

/** @throws if the documented dialog has changed */
export async function checkPicture(name: string, dialog: Locator): Promise<void> {
  if ((await shownIn(dialog)) === records()[name]) return
  throw new Error(`docs/images/${name}.png is not of today: CELLSIGHT_SCREENSHOTS=1 makes it again.`)
}
