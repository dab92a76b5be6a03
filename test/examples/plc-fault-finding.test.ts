import should from 'should'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleNodes, type FlowNode } from '../support/example'
import type { Plc } from '../support/plc'
import { usePlcCell, type PlcCell } from '../support/plc-cell'
import { root } from '../support/root'

/** What an electrician sees in registers 1 and 2, and how it comes about. */
interface Fault {
  state: string
  code: number
  /** What an electrician reads in the printed map beside these numbers. */
  printed: string
  provoke: (cell: PlcCell, plc: Plc) => Promise<unknown>
  mend: (cell: PlcCell, plc: Plc) => Promise<unknown>
}

const scenario = (part: object) => (cell: PlcCell) => {
  cell.device.setScenario(part)
  return Promise.resolve()
}
const deploy = (id: string, change: object) => (cell: PlcCell) => cell.deploy('nodes', id, change)
const asShipped = deploy('cell-result', {})
/** The cell triggers without receiving the images itself, as flows of before do. */
const withoutImages = deploy('cell-acquire', {
  type: 'vision-call-service',
  service: 'acquisition_trigger',
  wires: [['cell-result']],
})
const nothing = () => Promise.resolve()

/** By the fault's name in the table of `docs/plc-codes.md`. */
const faults: Readonly<Record<string, Fault>> = {
  'Device switched off or unplugged': {
    state: 'error',
    code: 201,
    printed: 'Error · Device not reachable: check power and network',
    provoke: scenario({ offline: true }),
    mend: scenario({ offline: false }),
  },
  'No receiver for the images': {
    state: 'error',
    code: 102,
    printed: 'Error · Refused: no program receives the images',
    provoke: async (cell) => {
      await withoutImages(cell)
      await scenario({ image_client: false })(cell)
    },
    mend: async (cell) => {
      await scenario({ image_client: true })(cell)
      await asShipped(cell)
    },
  },
  'Another client changed the mode of the device': {
    state: 'error',
    code: -8,
    printed: 'Error · Negative codes are passed on from the device.',
    provoke: async (cell) => {
      await withoutImages(cell)
      await cell.set('acquisition_mode', 'Continuous')
    },
    mend: asShipped,
  },
  'No image arrives after the trigger': {
    state: 'error',
    code: 203,
    printed: 'Error · Sent but not answered: outcome unknown',
    provoke: scenario({ drop_images: 1 }),
    mend: scenario({ drop_images: 0 }),
  },
  'A result is out of range': {
    state: 'error',
    code: 209,
    printed: 'Error · A result does not fit its register',
    provoke: deploy('cell-result', { count: '70000', countType: 'num' }),
    mend: asShipped,
  },
  'No answer wired': {
    state: 'error',
    code: 208,
    printed: 'Error · The program of the cell did not answer in time',
    provoke: deploy('cell-acquire', { wires: [[]] }),
    mend: asShipped,
  },
  'Trigger again while busy': {
    state: 'error',
    code: 101,
    printed: 'Error · Refused: a trigger is still pending',
    provoke: async ({ set }, plc) => {
      await set('quality', 'High')
      await plc.trigger(true)
      await plc.until(({ busy }) => busy)
      await plc.trigger(false)
    },
    mend: ({ set }) => set('quality', 'Low'),
  },
  'The PLC does not release its trigger': {
    state: 'done',
    code: 0,
    printed: 'Trigger, Done · Done',
    provoke: nothing,
    mend: nothing,
  },
}

/** The page that the dialog prints of the deployed map. */
async function printedMap(url: string, nodes: readonly FlowNode[], map: string): Promise<string[][]> {
  const handshake = nodes.find(({ type }) => type === 'vision-plc-handshake')
  const [family, offset] = [handshake?.['family'], handshake?.['offset']]
  const answer = await fetch(`${url}/vision-devices/plc-copy`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'page', fields: { family, offset, map, codes: '{}' } }),
  })
  const { text } = (await answer.json()) as { text: string }
  const cells = (row: string) => [...row.matchAll(/<t[dh]>([^<]*)<\/t[dh]>/g)].map(([, cell = '']) => cell)
  return [...text.matchAll(/<tr>(.*?)<\/tr>/g), ...text.matchAll(/<p>([^<]*)<\/p>/g)].map(([whole, inner = '']) =>
    whole.startsWith('<p>') ? [inner] : cells(inner),
  )
}

/** The bits that are on, and what the code says: nothing but the page and the registers is known here. */
function fault(page: readonly string[][], registers: readonly number[]): string {
  const word = (register: string) => registers[Number(register)] ?? 0
  const lines = page.filter((cells) => cells.length === 8)
  const lit = lines.flatMap(([, , register = '', , bit = '', type, , meaning = '']) =>
    type === 'bit' && (word(register) >> Number(bit)) & 1 ? [meaning.replace(/;.*/, '')] : [],
  )
  const [, , register = ''] = lines.find(([, , , , , , , meaning]) => meaning?.startsWith('Result code')) ?? []
  const code = (word(register) << 16) >> 16
  const known = page.find((cells) => cells.length === 2 && cells[0] === String(code))?.[1]
  const [negative = ''] = page.at(-1) ?? []
  return `${lit.join(', ')} · ${known ?? (code < 0 ? (negative.split('. ')[0] ?? '') + '.' : 'unknown')}`
}

describe('faults as an electrician finds them in the registers', function () {
  this.timeout(240_000)
  const lines = JSON.parse(
    String(exampleNodes('first-acquisition').find(({ id }) => id === 'cell-plc')?.['map']),
  ) as object[]
  const map = JSON.stringify([...lines, { row: 'count', address: 6, type: 'INT' }])
  // Longer than the device has for a call: one that vanishes during it gives its own code.
  const cell = usePlcCell(() => ({ map, codes: '{}', deadline: 15 }))

  for (const [name, { state, code, printed, provoke, mend }] of Object.entries(faults))
    it(name, async () => {
      const plc = await cell().connect()
      await plc.trigger(false)
      await plc.until(({ ready }) => ready)
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
        // By the sheet of paper alone: it has the registers, their bits, and what the code says.
        const found = fault(await printedMap(cell().red.url, cell().nodes, map), await plc.registers(8))
        should(found).endWith(printed)
      } finally {
        await plc.trigger(false)
        await mend(cell(), plc)
      }
    })

  it('are in the table of the document, each with a line of its own', () => {
    const document = readFileSync(join(root, 'docs', 'plc-codes.md'), 'utf8')
    for (const [name, { state, code }] of Object.entries(faults))
      document.should.containEql(`| ${name} | ${state} | ${code} |`)
    const all = Object.values(faults)
    for (const seen of [all.map(({ state, code }) => `${state} ${code}`), all.map(({ printed }) => printed)])
      new Set(seen).size.should.equal(all.length)
  })
})
