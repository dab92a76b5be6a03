import { explore } from './explorer'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import type { NodeMessage } from 'node-red'
import { useBench } from '../support/bench'
import { eventually } from '../support/eventually'
import { useLedger } from './ledger'

/** Milliseconds after which everything that was on its way has arrived. */
const settled = 60
const place = 'vision/north/c1'
const finalStates = ['done', 'refused', 'failed', 'unknown']

interface Body {
  id?: string
  state?: string
  seq?: number
  devices?: readonly { link?: string }[]
}

describe('commands of a centre, whatever happens at whichever await', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-schedules-'))
  after(() => rmSync(folder, { recursive: true }))
  const config: Record<string, unknown> = { name: 'left' }
  const bench = useBench(
    {
      ...{ type: 'vision-cell-agent', plant: 'north', cell: 'c1', every: 5, fingerprint: 0, maySet: true },
      services: 'dev_camera/reset_defaults',
    },
    { config, settings: () => ({ userDir: folder }) },
  )
  const ledger = useLedger(() => bench.device.url)
  before(() => Object.assign(config, { address: ledger.url }))

  /** What the broker brings: once, or again after a lost acknowledgement. */
  const command = (id: string, body: object) =>
    bench.node.receive({
      topic: `${place}/command`,
      payload: Buffer.from(JSON.stringify({ v: 1, id, from: 'hq', device: 'left', args: {}, ...body })),
      responseTopic: 'vision/centre/hq/answer',
    })
  const set = (fps: number) => ({ do: 'set-parameters', args: { parameters: { dev_camera: { fps } } } })
  const reset = { do: 'call-service', args: { node: 'dev_camera', service: 'reset_defaults' } }

  const prepare = async () => {
    const finals = new Map<string, Set<string>>()
    let isReady = false
    const note = ({ topic, payload }: NodeMessage) => {
      const body = (
        Buffer.isBuffer(payload) || typeof payload === 'string' ? JSON.parse(String(payload)) : payload
      ) as Body
      if (topic?.endsWith('/state')) isReady = body.devices?.[0]?.link === 'ready'
      if (!body.id || !finalStates.includes(String(body.state))) return
      const known = finals.get(body.id) ?? new Set()
      finals.set(body.id, known.add(`${body.state} ${body.seq}`))
    }
    /** As the broker does when the cell has connected: what is still open is sent again. */
    const listen = () => {
      bench.helperNode('out0').on('input', note)
      bench.node.receive({ topic: `${place}/here`, payload: {} })
    }
    await bench.deploy()
    listen()
    await eventually(() => should(isReady).be.true())
    const { arrived } = ledger
    arrived.length = 0
    const ids = { set: randomUUID(), reset: randomUUID(), other: randomUUID(), abort: randomUUID() }
    const wanted = new Set([ids.set, ids.reset])
    let closed = (): void => undefined
    const isClosed = new Promise<void>((resolve) => (closed = resolve))
    let sent: number | undefined
    const allEnded = () => eventually(() => should([...finals.keys()]).containDeep([...wanted]))
    return {
      start: async () => {
        command(ids.set, set(10))
        command(ids.reset, reset)
        await Promise.race([isClosed, allEnded()])
      },
      events: {
        'a close': async () => {
          await bench.deployWithout('nodes')
          sent = arrived.length
          closed()
        },
        'a deploy': async () => {
          await bench.deploy()
          listen()
        },
        'a lost connection': () => ledger.cut(),
        'an abort': () => {
          wanted.add(ids.abort)
          command(ids.abort, { do: 'abort', args: { job: ids.reset } })
        },
        'the same commands again': () => {
          command(ids.set, set(10))
          command(ids.reset, reset)
        },
        'another command': () => {
          wanted.add(ids.other)
          command(ids.other, set(15))
        },
      },
      last: ['a close'],
      verify: async (happened: ReadonlySet<string>) => {
        if (!happened.has('a close')) await allEnded()
        await new Promise((resolve) => setTimeout(resolve, settled))
        if (sent !== undefined) should(arrived.slice(sent)).be.empty()
        const calls = arrived.filter((each) => each.includes('/services/reset_defaults')).length
        should(calls).be.belowOrEqual(1, 'calls of the service')
        const ends = (id: string) => [...(finals.get(id) ?? [])].map((end) => end.split(' ')[0])
        for (const id of wanted) should(ends(id).length).be.belowOrEqual(1, 'ends of a command')
        if (ends(ids.reset)[0] === 'done') should(calls).equal(1)
        if (ends(ids.reset)[0] === 'refused') should(calls).equal(0)
        if (happened.size === 0) should([...ends(ids.set), ...ends(ids.reset)]).deepEqual(['done', 'done'])
      },
    }
  }

  it('end once each, are executed once, and send nothing after a close', async function () {
    this.timeout(1_800_000)
    const { failures, reached, runs } = await explore({
      ...{
        within: ['lib/fleet', 'lib/kernel', 'lib/client', 'nodes/cell-agent', 'nodes/device'],
        prepare,
        most: 40,
      },
    })
    failures.should.deepEqual([])
    should(reached).be.aboveOrEqual(runs / 2)
  })
})
