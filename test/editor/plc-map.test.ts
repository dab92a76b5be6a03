import should from 'should'
import { freePorts } from '../support/free-ports'
import { useEditor, type Editor } from '../support/editor'
import { eventually } from '../support/eventually'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }

describe('the register map as a table', function () {
  this.timeout(120_000)
  const open = useEditor()

  const opened = async (fields: object = {}) => {
    const [port] = await freePorts(1)
    const editor = await open([
      tab,
      { id: 'plc', type: 'vision-plc-handshake', name: 'Cell 1', port, ...fields },
      // Node-RED asks before it deploys a configuration that no node uses.
      {
        id: 'trigger',
        type: 'vision-plc-trigger',
        z: 'tab',
        x: 200,
        y: 100,
        handshake: 'plc',
        wires: [[], []],
      },
    ])
    await editor.edit('plc')
    await editor.page.locator('summary', { hasText: 'Register map and result codes' }).click()
    await row(editor, 'Result code').waitFor()
    return editor
  }
  const row = ({ page }: Editor, name: string) =>
    page.locator('.vision-plc-map tbody tr', { has: page.locator('th span', { hasText: name }) }).first()
  const cell = (editor: Editor, name: string, column: string) =>
    editor.page.locator('.vision-plc-map').getByLabel(`${name}: ${column}`, { exact: true })
  const stored = async (editor: Editor) => {
    const { map, faults } = await editor.page.evaluate<{ map: string; faults: unknown }>(
      `({ map: RED.nodes.node('plc').map, faults: RED.nodes.node('plc').validationErrors })`,
    )
    should(faults ?? []).deepEqual([])
    return JSON.parse(map) as Record<string, unknown>[]
  }
  const differs = (editor: Editor, text: RegExp | string) =>
    editor.page.locator('.vision-plc-edit').getByText(text).waitFor()

  it('shows the bytes of each line, stores a changed one, and takes it back', async () => {
    const editor = await opened()
    await differs(editor, 'The map is that of the chosen handshake.')
    should(await row(editor, 'Pose 1, X').locator('code').textContent()).equal('42F6 CCCD')
    await cell(editor, 'Pose 1, X', 'Type').selectOption('DINT')
    await row(editor, 'Pose 1, X').locator('code', { hasText: '0001 E208' }).waitFor()
    await row(editor, 'Pose 1, X').getByText('changed').waitFor()
    await cell(editor, 'Pose 1, X', 'Unit').selectOption('0.1 mm')
    await row(editor, 'Pose 1, X').locator('code', { hasText: '0000 04D2' }).waitFor()
    await differs(editor, /differ from the chosen one: Pose 1, X\./)
    should(await editor.unreachable()).deepEqual([])
    await editor.screenshot('plc-map')
    await editor.close('Update')
    const lines = await stored(editor)
    should(lines).have.length(22)
    should(lines.find(({ component }) => component === 1)).match({
      type: 'DINT',
      unit: '0.1 mm',
      address: 14,
    })

    await editor.edit('plc')
    // What differs from the defaults is open.
    await editor.page.getByRole('button', { name: 'Pose 1, X: Reset to the default' }).click()
    await differs(editor, 'The map is that of the chosen handshake.')
    await editor.close('Update')
    should(await stored(editor)).deepEqual([])
  })

  it('gives a line a byte order of its own', async () => {
    const editor = await opened()
    const further = editor.page.getByRole('button', { name: 'Pose 1, X: More settings' })
    await further.click()
    await editor.page.getByLabel('Pose 1, X: Byte order').selectOption('CDAB')
    await differs(editor, /differ from the chosen one: /)
    await editor.close('Update')
    should(await stored(editor)).containDeep([{ row: 'pose', component: 1, order: 'CDAB' }])
  })

  it('has the addresses of the PLC, and takes them as its programming tool shows them', async () => {
    const editor = await opened({ connection: 's7-client', host: '127.0.0.1' })
    const address = (name: string) => cell(editor, name, 'Address')
    should(await address('Result code').inputValue()).equal('DB1.DBW16')
    should(await address('Pose 1, X').inputValue()).equal('DB1.DBD28')
    should(await address('Ready').inputValue()).equal('DB1.DBX55.0')
    await editor.screenshot('plc-s7-map')
    await address('Result code').fill('db2.dbw100')
    await address('Result code').press('Enter')
    await row(editor, 'Result code').getByText('changed').waitFor()
    await eventually(async () => should(await address('Result code').inputValue()).equal('DB2.DBW100'))
    await address('Job or recipe').fill('DB1.DBW7')
    await address('Job or recipe').press('Enter')
    const wrong = editor.page.locator('.vision-plc-map .vision-reason', { hasText: 'begins at an even byte' })
    await wrong.waitFor()
    await address('Job or recipe').fill('MW6')
    await address('Job or recipe').press('Enter')
    await wrong.waitFor({ state: 'detached' })
    await editor.close('Update')
    should(await stored(editor)).containDeep([
      { row: 'code', area: 'words DB2', address: 50 },
      { row: 'job', address: 'MW6' },
    ])
  })

  it('says at the line what is wrong with it', async () => {
    const editor = await opened()
    await cell(editor, 'Result code', 'Address').fill('9')
    await cell(editor, 'Result code', 'Address').press('Enter')
    await editor.page.locator('.vision-plc-map .vision-reason', { hasText: 'overlaps' }).waitFor()
    await cell(editor, 'Result code', 'Address').fill('12.x')
    await cell(editor, 'Result code', 'Address').press('Enter')
    should(await cell(editor, 'Result code', 'Address').getAttribute('aria-invalid')).equal('true')
    await editor.page.getByText('Enter the register, such as 12').waitFor()
    await editor.screenshot('plc-map-fault')
    await editor.close('Cancel')
  })

  it('adds and removes lines, and loses nothing when the handshake changes', async () => {
    const editor = await opened()
    await editor.page.getByRole('button', { name: 'Job of the results: Remove' }).click()
    await editor.page.getByLabel('Add a line …').selectOption({ label: 'Score' })
    await row(editor, 'Score').getByText('added').waitFor()
    await differs(editor, /differ from the chosen one: Score, Job of the results\./)
    await editor.field('Handshake').selectOption('four-phases')
    await differs(editor, /remains when you choose another handshake\. .*Trigger/)
    await editor.page.getByText('The map lacks the row "Trigger"').waitFor()
    await editor.page.getByRole('button', { name: 'Reset all to the defaults' }).click()
    await differs(editor, 'The map is that of the chosen handshake.')
    await row(editor, 'Trigger').waitFor()
    await editor.page.getByRole('button', { name: 'Undo' }).click()
    await row(editor, 'Score').waitFor()
    await editor.field('Handshake').selectOption('sequence')
    await differs(editor, /chosen one: Score, Job of the results\./)
    await editor.close('Cancel')
  })

  it('has names instead of addresses where the connection has names', async () => {
    const editor = await opened({ connection: 's7' })
    await cell(editor, 'Result code', 'Name').fill('Cell_Code')
    await cell(editor, 'Result code', 'Name').press('Enter')
    await row(editor, 'Result code').getByText('changed').waitFor()
    await editor.close('Cancel')
  })
})
