import { explore, isLong } from './explorer'
import should from 'should'
import type { Stream } from '../../lib/contract'
import type { NodeMessage } from 'node-red'
import { useBench, type Caught } from '../support/bench'
import { eventually } from '../support/eventually'
import { works, type SampleWork } from '../support/works'
import { useLedger } from './ledger'

/** Works that only this test needs. */
const others: Readonly<Record<string, SampleWork>> = {
  'restore-backup': {
    node: 'backup',
    fields: { action: 'restore', source: 'payload', sourceType: 'msg', confirmed: true },
    message: { payload: { pipelines: { '0': { nodes: { dev_camera: { parameters: { fps: 10 } } } } } } },
  },
}
/** What changes something on a device. */
const writes = [
  'restore-backup',
  ...['set-one', 'set-several', 'call', 'request-service', 'request-destination', 'set-time', 'set-ntp'],
  ...['configure-pipeline', 'add-destination', 'set-region', 'delete-region'],
  ...['hand-eye-pose', 'hand-eye-calibrate', 'hand-eye-save', 'hand-eye-undo', 'hand-eye-start'],
]
/** Milliseconds after which everything that was on its way has arrived. */
const settled = 40

/** What is on its way for longer meets more: with `--long` it writes over a slow link, too. */
const slowly = isLong ? ['set-one', 'set-several', 'restore-backup'] : []

for (const [name, delay] of [
  ...writes.map((each) => [each, 0] as const),
  ...slowly.map((each) => [each, 60] as const),
]) {
  const work = works[name] ?? others[name]
  if (!work) throw new Error(`there is no work ${name}`)
  const link = delay > 0 ? ` over a link of ${delay} ms` : ''
  describe(`${name} of ${work.node}${link}, whatever happens at whichever await`, () => {
    const config: Record<string, unknown> = {}
    const bench = useBench(
      { type: `vision-${work.node}`, ...work.fields },
      { device: work.variant ? { variant: work.variant } : {}, config },
    )
    const ledger = useLedger(() => bench.device.url, delay)
    /** How often each request arrives usually. */
    const usual = new Map<string, number>()
    before(() => Object.assign(config, { address: ledger.url }))

    const prepare = async () => {
      await bench.deploy()
      await bench.state('ready')
      for (const message of work.before ?? []) await bench.send({ ...message })
      const { arrived } = ledger
      arrived.length = 0
      const ends: string[] = []
      const note = ({ _msgid, error }: NodeMessage & { error?: Caught }) => {
        if (_msgid === 'one' || _msgid === 'two') ends.push(`${_msgid} ${error?.code ?? 'done'}`)
      }
      for (const id of ['out0', 'out1', 'out2', 'caught']) bench.helperNode(id).on('input', note)
      let closed = (): void => undefined
      const isClosed = new Promise<void>((resolve) => (closed = resolve))
      let sent: number | undefined
      const over = async (end: Promise<void>) => {
        await end
        sent = arrived.length
        closed()
      }
      return {
        start: async () => {
          for (const _msgid of ['one', 'two']) bench.node.receive({ ...work.message, _msgid })
          await Promise.race([isClosed, eventually(() => should(ends.length).be.aboveOrEqual(2))])
        },
        events: {
          'a close': () => over(bench.deployWithout('nodes')),
          'a deploy': () => over(bench.deploy()),
          'a lost connection': () => ledger.cut(),
        },
        last: ['a close', 'a deploy'],
        verify: async (happened: ReadonlySet<string>) => {
          await new Promise((resolve) => setTimeout(resolve, settled + 4 * delay))
          if (sent !== undefined) should(arrived.slice(sent)).be.empty()
          // What the first message has done, the second does not repeat, unless nobody knows whether it was done.
          const unknown = ends.filter((end) => end.endsWith('OUTCOME_UNKNOWN')).length
          const most = (times: number) => Math.max(times, Math.min(2, times + unknown))
          for (const [request, count] of countsOf(arrived))
            if (happened.size === 0) usual.set(request, count)
            else if (!mayBeRepeated.test(request))
              should([request, count]).deepEqual([request, Math.min(count, most(usual.get(request) ?? 0))])
          if (happened.has('a close') || happened.has('a deploy')) return
          ends
            .map((end) => end.slice(0, 3))
            .sort()
            .should.deepEqual(['one', 'two'])
        },
      }
    }

    it('sends nothing after it is closed, no service twice, and ends each message once', async function () {
      this.timeout(delay > 0 ? 10_800_000 : 1_800_000)
      const { failures, reached, runs } = await explore({
        ...{
          within: ['lib/client', 'nodes/shared', 'nodes/device', `nodes/${work.node}`],
          prepare,
          most: 20,
        },
      })
      failures.should.deepEqual([])
      should(reached).be.aboveOrEqual(runs / 2)
    })
  })
}

describe('stream-destination that keeps its own, whatever happens at whichever await', () => {
  const config: Record<string, unknown> = {}
  const own = '127.0.0.1:42001'
  const fields = { type: 'vision-stream-destination', action: 'keep', stream: 'imu', destination: own }
  const bench = useBench(fields, { config })
  const ledger = useLedger(() => bench.device.url)
  before(() => Object.assign(config, { address: ledger.url }))
  const url = () => `${bench.device.url}/api/v2/datastreams/imu`
  /** @param isOver ends the wait: nobody needs it any more */
  const shows = (expected: readonly string[], isOver = () => false) =>
    eventually(async () => {
      if (isOver()) return
      const { destinations } = (await (await fetch(url())).json()) as Stream
      should(destinations).deepEqual(expected)
    })

  const prepare = async () => {
    await bench.deployWithout('nodes')
    await shows([])
    let closed = (): void => undefined
    const isClosed = new Promise<void>((resolve) => (closed = resolve))
    let isClosing = false as boolean
    const deployed = async () => {
      try {
        await bench.deploy()
      } catch (error) {
        // A close that comes during the deploy removes the node before the bench has looked for it.
        if (!isClosing) throw error
        return isClosed
      }
      await shows([own], () => isClosing)
    }
    return {
      start: async () => {
        await Promise.race([isClosed, deployed()])
      },
      events: {
        'a close': async () => {
          isClosing = true
          await bench.deployWithout('nodes')
          closed()
        },
        'a deploy': async () => {
          isClosing = true
          await bench.deploy({}, 'nodes')
          closed()
        },
        'a lost connection': () => ledger.cut(),
        'somebody who removes it': () => fetch(`${url()}?destination=${own}`, { method: 'DELETE' }),
      },
      last: ['a close', 'a deploy'],
      verify: (happened: ReadonlySet<string>) => shows(happened.has('a close') ? [] : [own]),
    }
  }

  it('is there once while the flow is deployed, and never after it', async function () {
    this.timeout(1_800_000)
    const within = ['lib/client', 'lib/streams', 'nodes/device', 'nodes/stream-destination']
    const { failures, reached, runs } = await explore({ within, prepare, most: 16 })
    failures.should.deepEqual([])
    should(reached).be.aboveOrEqual(runs / 2)
  })
})

/** A parameter is written again, and read back, where the answer was lost. */
const mayBeRepeated = /^PUT [^?]*\/parameters/

const countsOf = (requests: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const each of requests) counts.set(each, (counts.get(each) ?? 0) + 1)
  return counts
}
