import { explore } from './explorer'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import type { NodeMessage } from 'node-red'
import type { RecipeTable } from '../../lib/recipes/recipes'
import { markOrigin, permit } from '../../nodes/shared/permission'
import { useBench, type Caught } from '../support/bench'
import { eventually } from '../support/eventually'
import { useLedger } from './ledger'

/** Milliseconds after which everything that was on its way has arrived. */
const settled = 40

const recipe = (job: number) => ({
  ...{ job, name: `product ${job}`, region: '', gripper: '' },
  values: { 'dev_camera.fps': 5 + job },
})

describe('recipes that two pages change, whatever happens at whichever await', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-schedules-'))
  after(() => rmSync(folder, { recursive: true }))
  const config: Record<string, unknown> = {}
  const bench = useBench(
    {
      ...{ type: 'vision-recipes', columns: '{"dev_camera.fps":"Rate"}' },
      products: JSON.stringify([recipe(1), recipe(2)]),
    },
    { config, settings: () => ({ userDir: folder }) },
  )
  const ledger = useLedger(() => bench.device.url)
  before(() => Object.assign(config, { address: ledger.url }))

  const file = join(folder, 'vision-recipes', 'test.json')
  const onDisk = (): RecipeTable | undefined =>
    existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RecipeTable) : undefined
  /** What a page sends that has passed *operator permission*. */
  const order = (_msgid: string, topic: string, payload: object) => {
    const message = { _msgid, topic, payload: { by: 'page', ...payload } }
    markOrigin(message, { socketId: 'page', isLoggedIn: true })
    permit(message)
    bench.node.receive(message)
  }

  const prepare = async () => {
    await bench.deployWithout()
    rmSync(join(folder, 'vision-recipes'), { recursive: true, force: true })
    await bench.deploy()
    await bench.state('ready')
    const ends: string[] = []
    /** Ids of all messages. */
    const wanted = new Set(['save', 'delete'])
    const note = ({ _msgid, error }: NodeMessage & { error?: Caught }) => {
      if (wanted.has(_msgid ?? '')) ends.push(`${_msgid}: ${error ? (error.code ?? 'failed') : 'done'}`)
    }
    for (const id of ['out0', 'out1', 'caught']) bench.helperNode(id).on('input', note)
    let closed = (): void => undefined
    const isClosed = new Promise<void>((resolve) => (closed = resolve))
    /** What was on disk when the node was closed; nothing may be written after that. */
    let left: { table: RecipeTable | undefined } | undefined
    const over = async (end: Promise<void>) => {
      await end
      left = { table: onDisk() }
      closed()
    }
    const endsOf = (id: string) => ends.filter((end) => end.startsWith(`${id}: `))
    /** How many of these messages have done what they were sent for. */
    const done = (kind: string) => ends.filter((end) => end.startsWith(kind) && end.endsWith(': done')).length
    const endOf = (id: string) =>
      eventually(() => should(left !== undefined || endsOf(id).length > 0).be.true())
    return {
      start: async () => {
        order('save', 'save', { revision: 0, recipe: recipe(3) })
        order('delete', 'delete', { revision: 1, was: 1 })
        await Promise.race([isClosed, Promise.all([endOf('save'), endOf('delete')])])
      },
      events: {
        'a close': () => over(bench.deployWithout('nodes')),
        'a deploy': () => over(bench.deploy()),
        'a lost connection': () => ledger.cut(),
        'an order of another page': () => {
          const id = `other ${wanted.size}`
          wanted.add(id)
          order(id, 'save', { revision: 0, recipe: recipe(4) })
          return endOf(id)
        },
        'a product that is asked for': () => {
          const id = `job ${wanted.size}`
          wanted.add(id)
          bench.node.receive({ _msgid: id, payload: { job: 2 } })
          return endOf(id)
        },
      },
      last: ['a close', 'a deploy'],
      verify: async (happened: ReadonlySet<string>) => {
        await new Promise((resolve) => setTimeout(resolve, settled))
        const table = onDisk()
        const jobs = table?.recipes.map(({ job }) => job) ?? [1, 2]
        // What was reported as done is on disk.
        if (done('save')) jobs.should.containEql(3)
        if (done('other')) jobs.should.containEql(4)
        if (done('delete')) jobs.should.not.containEql(1)
        jobs.should.containEql(2)
        const revision = table?.revision ?? 0
        const changes = done('save') + done('delete') + done('other')
        if (left) should(table).deepEqual(left.table)
        // A change that is on disk may end unreported, but no more than the one that was under way.
        if (happened.has('a close')) should(revision - changes).be.within(0, 1)
        if (left) return
        should(revision).equal(changes)
        // Only the page that saw the present table has changed it.
        should(done('save') + done('other')).be.belowOrEqual(1)
        for (const id of wanted) should(endsOf(id)).have.length(1)
        if (happened.size === 0) ends.should.deepEqual(['save: done', 'delete: done'])
      },
    }
  }

  it('have on disk what was reported as done, change nothing after a close, and end each message once', async function () {
    this.timeout(1_800_000)
    const { failures, reached, runs } = await explore({
      ...{
        within: ['lib/kernel', 'lib/client', 'nodes/shared', 'nodes/device', 'nodes/recipes'],
        prepare,
        most: 40,
      },
    })
    failures.should.deepEqual([])
    should(reached).be.aboveOrEqual(runs / 2)
  })
})
