import should from 'should'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleNodes } from '../support/example'
import type { Plc } from '../support/plc'
import { usePlcCell, type PlcCell } from '../support/plc-cell'
import { root } from '../support/root'

/** What an electrician sees in registers 1 and 2, and how it comes about. */
interface Fault {
  state: string
  code: number
  provoke: (cell: PlcCell, plc: Plc) => Promise<unknown>
  mend: (cell: PlcCell, plc: Plc) => Promise<unknown>
}

const scenario = (part: object) => (cell: PlcCell) => {
  cell.device.setScenario(part)
  return Promise.resolve()
}
const deploy = (id: string, change: object) => (cell: PlcCell) => cell.deploy('nodes', id, change)
const asShipped = deploy('cell-result', {})
const nothing = () => Promise.resolve()

/** By the fault's name in the table of `docs/plc-handshake.md`. */
const faults: Readonly<Record<string, Fault>> = {
  'Device switched off or unplugged': {
    state: 'error',
    code: 201,
    provoke: scenario({ offline: true }),
    mend: scenario({ offline: false }),
  },
  'Nobody receives the images': {
    state: 'error',
    code: 102,
    provoke: scenario({ image_client: false }),
    mend: scenario({ image_client: true }),
  },
  'Somebody changed the mode of the device': {
    state: 'error',
    code: -8,
    provoke: (cell) => cell.set('acquisition_mode', 'Continuous'),
    mend: nothing,
  },
  'A result is out of range': {
    state: 'error',
    code: 209,
    provoke: deploy('cell-result', { count: '70000', countType: 'num' }),
    mend: asShipped,
  },
  'No answer wired': {
    state: 'error',
    code: 208,
    provoke: deploy('cell-acquire', { wires: [[]] }),
    mend: asShipped,
  },
  'Trigger again while busy': {
    state: 'error',
    code: 101,
    provoke: async ({ set }, plc) => {
      await set('quality', 'High')
      await plc.trigger(true)
      await plc.until(({ busy }) => busy)
      await plc.trigger(false)
    },
    mend: ({ set }) => set('quality', 'Low'),
  },
  'The PLC does not release its trigger': { state: 'done', code: 0, provoke: nothing, mend: nothing },
}

describe('faults as an electrician finds them in the registers', function () {
  this.timeout(240_000)
  const lines = JSON.parse(
    String(exampleNodes('first-acquisition').find(({ id }) => id === 'cell-plc')?.['map']),
  ) as object[]
  const map = JSON.stringify([...lines, { row: 'count', address: 6, type: 'INT' }])
  // Longer than the device has for a call: one that vanishes during it gives its own code.
  const cell = usePlcCell(() => ({ map, codes: '{}', deadline: 6 }))

  for (const [name, { state, code, provoke, mend }] of Object.entries(faults))
    it(name, async () => {
      const plc = await cell().connect()
      await plc.trigger(false)
      await plc.until(({ ready }) => ready, 60_000)
      await provoke(cell(), plc)
      try {
        const { life } = await plc.state()
        await plc.trigger(true)
        // The life counter goes on: the cell sees the PLC and has answered it.
        const now = await plc.until(
          (registers) => !registers.busy && (registers.done || registers.error) && registers.life > life,
        )
        should({ ready: now.ready, done: now.done, error: now.error, code: now.code }).eql({
          ready: false,
          done: state === 'done',
          error: state === 'error',
          code,
        })
      } finally {
        await plc.trigger(false)
        await mend(cell(), plc)
      }
    })

  it('are in the table of the document, each with a line of its own', () => {
    const document = readFileSync(join(root, 'docs', 'plc-handshake.md'), 'utf8')
    for (const [name, { state, code }] of Object.entries(faults))
      document.should.containEql(`| ${name} | ${state} | ${code} |`)
    const seen = Object.values(faults).map(({ state, code }) => `${state} ${code}`)
    new Set(seen).size.should.equal(seen.length)
  })
})
