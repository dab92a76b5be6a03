import { explore } from './explorer'
import should from 'should'
import type { NodeMessage } from 'node-red'
import { useBench, type Caught } from '../support/bench'
import { eventually } from '../support/eventually'
import { works } from '../support/works'
import { useLedger } from './ledger'

/** What changes something on a device. */
const writes = [
  ...['set-one', 'set-several', 'call', 'request-service', 'request-destination', 'set-time', 'set-ntp'],
  ...['configure-pipeline', 'add-destination', 'set-region', 'delete-region'],
  ...['hand-eye-pose', 'hand-eye-calibrate', 'hand-eye-save', 'hand-eye-undo', 'hand-eye-start'],
]
/** Milliseconds after which everything that was on its way has arrived. */
const settled = 40

for (const name of writes) {
  const work = works[name]
  if (!work) throw new Error(`there is no work ${name}`)
  describe(`${name} of ${work.node}, whatever happens at whichever await`, () => {
    const config: Record<string, unknown> = {}
    const bench = useBench(
      { type: `vision-${work.node}`, ...work.fields },
      { device: work.variant ? { variant: work.variant } : {}, config },
    )
    const ledger = useLedger(() => bench.device.url)
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
        verify: async (event: string | undefined) => {
          await new Promise((resolve) => setTimeout(resolve, settled))
          if (sent !== undefined) should(arrived.slice(sent)).be.empty()
          for (const [request, count] of countsOf(arrived))
            if (event === undefined) usual.set(request, count)
            else if (!mayBeRepeated.test(request))
              should([request, count]).deepEqual([request, Math.min(count, usual.get(request) ?? 0)])
          if (event === 'a close' || event === 'a deploy') return
          ends
            .map((end) => end.slice(0, 3))
            .sort()
            .should.deepEqual(['one', 'two'])
        },
      }
    }

    it('sends nothing after it is closed, no service twice, and ends each message once', async function () {
      this.timeout(1_800_000)
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

/** A parameter is written again, and read back, where the answer was lost. */
const mayBeRepeated = /^PUT [^?]*\/parameters/

const countsOf = (requests: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const each of requests) counts.set(each, (counts.get(each) ?? 0) + 1)
  return counts
}
