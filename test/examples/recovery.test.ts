import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import type { Scenario } from '../../virtual-device'
import { eventually } from '../support/eventually'
import { useExample, type FlowNode } from '../support/example'

type RunningExample = ReturnType<ReturnType<typeof useExample>>

interface Cell {
  ports: number[]
  /** Triggers as the PLC does, and waits until the cell has done its work; without a trigger, until it continues. */
  works: (example: RunningExample) => Promise<void>
  /**
   * The same during a fault, when the trigger must be answered too: with a failure, unless the device is back in time.
   */
  fails?: (example: RunningExample) => Promise<void>
  change?: (nodes: FlowNode[]) => FlowNode[]
}

const folder = mkdtempSync(join(tmpdir(), 'cellsight-'))
const poses = join(folder, 'poses.csv')
const size = () => statSync(poses, { throwIfNoEntry: false })?.size ?? 0

const cells: Record<string, Cell> = {
  'pick-cycle': {
    ports: [8121, 1521],
    works: ({ answers }) => answers('pick-part', /done: true[^]*count: [1-9]/),
    fails: ({ answers }) => answers('pick-part', /PLC reads\]/),
  },
  'quality-gate': {
    ports: [8122, 1522],
    works: ({ answers }) => answers('gate-part', /done: true[^]*property: 1\b/),
    fails: ({ answers }) => answers('gate-part', /done: false|property: 1\b/),
  },
  'recipe-change': {
    ports: [8123, 1523],
    works: ({ answers }) => answers('recipe-b', /done: true[^]*jobEcho: 2\b/),
    fails: ({ answers }) => answers('recipe-b', /PLC reads\]/),
  },
  'pose-to-csv': {
    ports: [8093],
    works: () => {
      const before = size()
      return eventually(() => void size().should.be.above(before))
    },
    change: (nodes) => nodes.map((node) => (node['filename'] ? { ...node, filename: poses } : node)),
  },
}

/** What is set, and how it is undone. */
const troubles: Record<string, [Partial<Scenario>, Partial<Scenario>]> = {
  'was offline': [{ offline: true }, { offline: false }],
  'did not answer': [{ drop_answers: 1 }, { drop_answers: 0 }],
  'was slow': [{ latency_ms: 7000 }, { latency_ms: 0 }],
  'lost connections': [{ drop_connections: 1 }, { drop_connections: 0 }],
}
const isLong = process.env['CELLSIGHT_LONG'] === '1'

describe('a cell after a fault of its device', () => {
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const [name, { ports, works, fails, change }] of Object.entries(cells))
    describe(`the example ${name}, without a click`, () => {
      const example = useExample(name, ports, change)
      const device = (path: string) => `http://127.0.0.1:${example().port(ports[0] ?? 0)}${path}`
      const put = async (path: string, body?: object) => {
        const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
        should((await fetch(device(path), { method: 'PUT', ...(body && json) })).status).equal(200)
      }
      const goesOn = () => eventually(() => works(example()))

      before(goesOn)

      it('continues after a restart of the device', async () => {
        await put('/api/v2/system/reboot')
        await fails?.(example())
        await eventually(async () => should(await (await fetch(device('/api/v2/system'))).json()).have.property('ready', true))
        await goesOn()
      })

      for (const [what, [trouble, end]] of Object.entries(isLong ? troubles : {}))
        it(`continues after the device ${what}`, async () => {
          await put('/virtual/scenario', trouble)
          await fails?.(example())
          await put('/virtual/scenario', end)
          await goesOn()
        })
    })
})
