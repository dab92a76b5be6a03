import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { writeArtifact } from '../../virtual-device/firmware/artifact'
import { exampleNodes } from '../support/example'
import { useEditor, type Editor } from '../support/editor'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'

/** Bytes, and bytes per second that the device accepts: enough time to pull a cable. */
const [size, rate] = [30_000_000, 20_000_000]

describe('a cable that is pulled during a firmware update', () => {
  const open = useEditor()
  const folder = mkdtempSync(join(tmpdir(), 'firmware-cable-'))
  const source = join(folder, 'v2.0.0.bin')
  before(() => writeArtifact(source, { version: 'v2.0.0', size }))
  after(() => rmSync(folder, { recursive: true }))

  /** The example from the import menu, changed to a larger artifact and a device that boots fast. */
  const begin = async (change: { patience?: number; file?: boolean } = {}) => {
    const [port = 0] = await freePorts(1)
    const flows = JSON.stringify(exampleNodes('firmware-update')).replaceAll('8094', String(port))
    const nodes = JSON.parse(flows) as { id: string; type: string; rules?: object[] }[]
    for (const node of nodes) {
      if (node.id === 'firmware-virtual')
        Object.assign(node, {
          scenario: JSON.stringify({
            boot_seconds: 1,
            boot_502_seconds: 0.1,
            update_seconds: 1,
            upload_rate: rate,
          }),
        })
      if (node.id === 'firmware-artifact' && change.file)
        node.rules?.splice(0, 1, { t: 'set', p: 'payload', pt: 'msg', to: source, tot: 'str' })
      if (node.id === 'firmware-run')
        Object.assign(node, { folders: folder, patience: change.patience ?? 600 })
      if (node.id === 'firmware-device') Object.assign(node, { deadline: 1, healthInterval: 1 })
    }
    const editor = await open([])
    await importIn(editor, JSON.stringify(nodes))
    await editor.deploy()
    await editor.page.evaluate("RED.workspaces.show('firmware')")
    await status(editor, 'ready')
    const page = await editor.page.context().newPage()
    await page.goto(`${editor.red.url}/vision-firmware`)
    await page.getByText('No update in progress.').waitFor()
    const device = `http://127.0.0.1:${port}`
    /** How often the device was asked to restart, and how many complete artifacts it received. */
    const log = async (text: string) => {
      const answer = await fetch(`${device}/api/v2/logs/api.log?format=json`)
      const { log: entries } = (await answer.json()) as { log: { message: string }[] }
      return entries.filter(({ message }) => message.includes(text)).length
    }
    return {
      editor,
      page,
      log,
      press: (id: string) => fetch(`${editor.red.url}/inject/${id}`, { method: 'POST' }),
    }
  }

  /** Waits until the status of the update node shows this. */
  const status = (editor: Editor, text: string | RegExp) =>
    editor.page
      .locator('.red-ui-flow-node-group#firmware-run .red-ui-flow-node-status-label', { hasText: text })
      .waitFor()

  it('in the middle of the upload: the editor and the page show it, and it continues when plugged in', async () => {
    const { editor, page, press, log } = await begin({ file: true })
    await press('firmware-now')
    await status(editor, /uploading [1-9]/)
    await press('firmware-pull')
    await status(editor, 'waits for device')
    await page.getByText('does not answer. Check its power and cable').waitFor()
    await editor.screenshot('firmware-cable-out')
    should(Number(await page.locator('progress').getAttribute('value'))).be.within(5, 60)
    // Somebody who opens the page now sees the same.
    await page.reload()
    await page.getByText('does not answer. Check its power and cable').waitFor()

    await press('firmware-plug')
    await page.getByText('again (attempt 2)').waitFor()
    await editor.screenshot('firmware-cable-in')
    await page.getByText('now runs v2.0.0 and works as before').waitFor()
    await eventually(async () => should(await page.locator('progress').getAttribute('value')).equal('100'))
    await status(editor, /^(done|updated)/)
    ;(await log('v2.0.0 written')).should.equal(1)
  })

  it('while the device writes what has arrived: nothing is sent a second time', async () => {
    const { editor, page, press, log } = await begin()
    await press('firmware-now')
    await status(editor, 'writing')
    await press('firmware-pull')
    await status(editor, 'waits for device')
    await press('firmware-plug')
    await page.getByText('now runs v2.0.0 and works as before').waitFor()
    ;(await log('v2.0.0 written')).should.equal(1)
  })

  it('during the restart, for longer than the node waits: it is reported, and continues with resume', async () => {
    const { editor, page, press } = await begin({ patience: 3 })
    await press('firmware-now')
    await status(editor, 'restarting')
    await press('firmware-pull')
    await page.getByText('is restarting and does not answer yet').waitFor()
    await page.getByText('has not come back within 3 s').waitFor()
    await editor.screenshot('firmware-cable-gone')
    await press('firmware-plug')
    await press('firmware-resume')
    await page.getByText('now runs v2.0.0 and works as before').waitFor()
  })
})

/** Imports flows with the dialog of the import menu. */
async function importIn({ page }: Editor, flows: string) {
  await page.evaluate("RED.actions.invoke('core:show-import-dialog')")
  const text = page.locator('#red-ui-clipboard-dialog-import-text')
  await text.fill(flows)
  // The dialog checks its text when a key is released.
  await text.press('End')
  await page.locator('#red-ui-clipboard-dialog-ok').click()
  await page.locator('#red-ui-clipboard-dialog-ok').waitFor({ state: 'hidden' })
}
