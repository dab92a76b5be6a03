import should from 'should'
import { useEditor, type Editor } from '../support/editor'
import { freePorts } from '../support/free-ports'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }

describe('the result codes as a table', function () {
  this.timeout(120_000)
  const open = useEditor()

  const opened = async (codes: object = {}) => {
    const [port] = await freePorts(1)
    const wired = { handshake: 'plc', wires: [[], []] }
    const editor = await open([
      tab,
      { id: 'plc', type: 'vision-plc-handshake', name: 'Cell 1', port, codes: JSON.stringify(codes) },
      { id: 'trigger', type: 'vision-plc-trigger', z: 'tab', x: 200, y: 100, ...wired },
    ])
    await editor.edit('plc')
    // What differs from the defaults is open.
    if (Object.keys(codes).length === 0)
      await editor.page.locator('summary', { hasText: 'Register map and result codes' }).click()
    await code(editor, tooSlow).waitFor()
    return editor
  }
  const tooSlow = 'Device too slow; it may still work'
  const code = ({ page }: Editor, meaning: string) =>
    page.getByLabel(`${meaning}: Code for the PLC`, { exact: true })
  const reason = ({ page }: Editor, hasText: string | RegExp) => page.locator('.vision-reason', { hasText })
  const stored = async (editor: Editor) =>
    JSON.parse(await editor.page.evaluate<string>(`RED.nodes.node('plc').codes`)) as unknown

  it('shows every code with its meaning, stores changes, and takes them back', async () => {
    const editor = await opened()
    should(await code(editor, tooSlow).inputValue()).equal('202')
    await code(editor, tooSlow).fill('1202')
    await code(editor, tooSlow).press('Enter')
    await editor.page.getByRole('button', { name: `${tooSlow}: Back to 202` }).waitFor()
    await editor.page.getByLabel(/^Error code such as BUSY/).fill('-8')
    await editor.page.getByRole('textbox', { name: 'Code for the PLC', exact: true }).fill('308')
    await editor.page.getByRole('button', { name: 'Add a code' }).click()
    await code(editor, 'Return code -8 of the device').waitFor()
    should(await editor.unreachable()).deepEqual([])
    await editor.screenshot('plc-codes')
    await editor.close('Update')
    should(await stored(editor)).deepEqual({ TIMEOUT: 1202, '-8': 308 })

    await editor.edit('plc')
    await editor.page.getByRole('button', { name: `${tooSlow}: Back to 202` }).click()
    await editor.page.getByRole('button', { name: 'Return code -8 of the device: Remove' }).click()
    await code(editor, 'Return code -8 of the device').waitFor({ state: 'detached' })
    await editor.close('Update')
    should(await stored(editor)).deepEqual({})
  })

  it('says at the line what is wrong with it', async () => {
    const editor = await opened({ TIMEOUT: 0, '-8': 308 })
    await reason(editor, 'The result code of TIMEOUT cannot be used.').waitFor()
    await code(editor, tooSlow).fill('many')
    await code(editor, tooSlow).press('Enter')
    await reason(editor, /^Enter a whole number\.$/).waitFor()
    should(await code(editor, tooSlow).getAttribute('aria-invalid')).equal('true')
    await editor.page.getByLabel(/^Error code such as BUSY/).fill('too slow')
    await editor.page.getByRole('button', { name: 'Add a code' }).click()
    await reason(editor, 'Enter an error code such as BUSY').waitFor()
    await editor.close('Cancel')
    should(await stored(editor)).deepEqual({ TIMEOUT: 0, '-8': 308 })
  })
})
