import should from 'should'
import { eventually } from '../support/eventually'
import { useEditor } from '../support/editor'
import { modbusServer } from '../support/modbus-server'
import { readable, shownTexts, type ShownText } from '../support/shown-texts'
import { Sidebar } from '../support/sidebar'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const onTab = { z: 'tab', y: 100 }
/** Words of the family with sequence numbers. */
const word = { sequence: 0, state: 27, echo: 28 } as const

/** A PLC with a Modbus server of its own. */
async function startPlc() {
  const registers = Array.from({ length: 64 }, () => 0)
  const server = await modbusServer({
    get: (address) => registers[address] ?? 0,
    set: (address, value) => {
      registers[address] = value
    },
  })
  return { registers, ...server }
}

describe('PLC handshakes in the sidebar', () => {
  let plc: Awaited<ReturnType<typeof startPlc>>
  before(async () => {
    plc = await startPlc()
  })
  after(() => plc.stop())

  const flows = () => [
    tab,
    {
      id: 'plc',
      type: 'vision-plc-handshake',
      name: 'Press 4',
      connection: 'client',
      host: '127.0.0.1',
      hostPort: plc.port,
      poll: 20,
    },
    { id: 'spare', type: 'vision-plc-handshake', name: 'Press 5', port: 1 },
    {
      ...onTab,
      x: 150,
      id: 'trigger',
      type: 'vision-plc-trigger',
      handshake: 'plc',
      wires: [['result'], [], []],
    },
    { ...onTab, x: 400, id: 'result', type: 'vision-plc-result', wires: [[], []] },
  ]
  /** The PLC asks for cycles, and waits for its answers. */
  const cycles = async (...numbers: number[]) => {
    for (const number of [0, ...numbers]) {
      plc.registers[word.sequence] = number
      await eventually(() => {
        should([(plc.registers[word.state] ?? 0) & 1, plc.registers[word.echo]]).eql([1, number])
        return Promise.resolve()
      })
    }
  }

  describe('in English', () => {
    const open = useEditor()

    it('are lines with their state, and below them poll interval, counters, and how long cycles take', async () => {
      const sidebar = await new Sidebar(await open(flows())).show()
      await cycles(1, 2, 3)
      await sidebar.shows('Press 4', /ready · 3 · \d/)
      await sidebar.shows('Press 5', 'not used')
      await sidebar.open('Press 4')
      await sidebar.shows('Connection', 'connected')
      await sidebar.shows('Triggers', '3 accepted · 3 done')
      await sidebar.shows('Poll interval', /measured, at most .*: pulses under \d+ ms may be missed/)
      await sidebar.shows('Last code', '0 · Done')
      await sidebar.shows('Reaction', /p50 .* p99 \d/)
      const bars = sidebar.line('Cycle').locator('.vision-row-bar')
      await bars.first().waitFor()
      const counts = await bars.locator('.vision-row-value').allTextContents()
      should(counts.map(Number).reduce((one, other) => one + other)).equal(3)
      await sidebar.search.fill('press 5')
      await sidebar.line('Press 4').waitFor({ state: 'detached' })
      await sidebar.line('Press 5').waitFor()
      await sidebar.search.fill('')
      await sidebar.line('Press 4').waitFor()
      await sidebar.open('Press 4')
      const { editor } = sidebar
      await editor.screenshot('plc-sidebar-light')
      await editor.darken()
      await editor.screenshot('plc-sidebar-dark')
      const texts = await editor.page.evaluate<ShownText[]>(shownTexts('.vision-sidebar *'))
      should(texts.filter(({ contrast }) => contrast < readable)).eql([])
    })

    it('tell among the problems why a PLC is not connected', async () => {
      const gone = { ...flows()[1], hostPort: 1 }
      const sidebar = await new Sidebar(
        await open(flows().map((node) => (node.id === 'plc' ? gone : node))),
      ).show()
      await sidebar.problems.getByText(/^Press 4: .*127\.0\.0\.1/).waitFor()
      await sidebar.hide()
    })

    it('open their settings from the menu', async () => {
      const sidebar = await new Sidebar(await open(flows())).show()
      await sidebar.line('Press 4').press('Shift+F10')
      await sidebar.editor.page.getByText('Settings of the handshake…').click()
      await sidebar.editor.page.locator('.vision-plc-panel').waitFor()
      await sidebar.editor.close('Cancel')
    })
  })

  describe('in German', () => {
    const open = useEditor({ locale: 'de' })

    it('speak German', async () => {
      const sidebar = await new Sidebar(await open(flows())).show()
      await cycles(1)
      await sidebar.shows('Press 4', /bereit · 1 · \d/)
      await sidebar.open('Press 4')
      await sidebar.shows('Letzter Code', '0 · Fertig')
      await sidebar.shows('Abfrageintervall', /Impulse unter \d+ ms können verloren gehen/)
      await sidebar.editor.screenshot('plc-sidebar-de')
    })
  })
})
