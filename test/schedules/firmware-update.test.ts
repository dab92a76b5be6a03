import { explore } from './explorer'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import type { NodeMessage } from 'node-red'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { writeArtifact } from '../../virtual-device/firmware/artifact'
import { onTab, useBench, type Caught } from '../support/bench'
import { eventually } from '../support/eventually'
import { useLedger } from './ledger'

const scenario = { boot_seconds: 0.3, boot_502_seconds: 0.05, update_seconds: 0.05 }
/** Milliseconds after which everything that was on its way has arrived. */
const settled = 60

describe('firmware-update, whatever happens at whichever await', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-schedules-'))
  const source = join(folder, 'v2.0.0.artifact')
  before(() => writeArtifact(source, { version: 'v2.0.0', size: 200_000 }))
  after(() => rmSync(folder, { recursive: true }))
  let device: VirtualDevice | undefined
  const ledger = useLedger(() => device?.url ?? '')
  const config: Record<string, unknown> = {}
  before(() => Object.assign(config, { address: ledger.url }))
  const bench = useBench(
    {
      ...{
        type: 'vision-firmware-update',
        patience: 15,
        folders: folder,
        version: 'v2.0.0',
        confirmed: true,
      },
      wires: [['out0'], ['progress']],
    },
    {
      config,
      settings: () => ({ userDir: mkdtempSync(join(folder, 'user-')) }),
      flow: [{ ...onTab, id: 'progress', type: 'helper', wires: [] }],
    },
  )

  let count = 0
  const prepare = async () => {
    // Another device each time: updates are noted by its serial number.
    const present = (device = await startVirtualDevice({ port: 0, seed: 100 + count++, scenario }))
    await bench.deploy()
    await bench.state('ready')
    const { arrived } = ledger
    arrived.length = 0
    const ends: string[] = []
    const orders: string[] = []
    let sent: number | undefined
    const note = ({ _msgid, error }: NodeMessage & { error?: Caught }) => {
      if (_msgid === 'update') {
        ends.push(error?.code ?? 'done')
        sent = arrived.length
      } else if (_msgid === 'order') orders.push(error?.code ?? 'done')
    }
    for (const id of ['out0', 'caught']) bench.helperNode(id).on('input', note)
    let closed = (): void => undefined
    const isClosed = new Promise<void>((resolve) => (closed = resolve))
    return {
      start: async () => {
        bench.node.receive({ payload: source, _msgid: 'update' })
        await Promise.race([isClosed, eventually(() => should(ends.length).be.above(0))])
      },
      events: {
        'an abort': () => bench.node.receive({ topic: 'abort', _msgid: 'order' }),
        'a second message': () => bench.node.receive({ payload: source, _msgid: 'second' }),
        'a close': async () => {
          await bench.deployWithout('nodes')
          sent = arrived.length
          closed()
        },
        'a lost connection': () => ledger.cut(),
      },
      last: ['a close'],
      verify: async (happened: ReadonlySet<string>) => {
        await new Promise((resolve) => setTimeout(resolve, settled))
        const uploads = arrived.filter((each) => /update|upload/i.test(each) && !/DELETE/.test(each))
        const executed = (wanted: string) =>
          present.calls().filter(({ operation, status }) => operation === wanted && status === 200)
        const reboots = executed('reboot')
        should(reboots.length).be.belowOrEqual(1, 'restarts')
        should(executed('uploadFirmware').length).be.belowOrEqual(1, 'uploads')
        // Sent once more only where the device has shown that a cut connection delivered nothing.
        should(uploads.length).be.belowOrEqual(happened.has('a lost connection') ? 2 : 1, 'uploads sent')
        if (!happened.has('a second message')) should(arrived.slice(sent)).be.empty()
        if (!happened.has('a close')) should(ends).have.length(1)
        // A close ends the message with ABORTED in any phase.
        if (happened.has('an abort') && !happened.has('a close') && ends[0] === 'ABORTED')
          reboots.should.be.empty()
        if (happened.size === 0) ends.should.deepEqual(['done'])
      },
      close: () => present.stop(),
    }
  }

  it('sends nothing after its end, uploads and restarts once, and ends each message once', async function () {
    this.timeout(1_800_000)
    const { failures, reached, runs } = await explore({
      ...{ within: ['lib/firmware', 'nodes/firmware-update', 'nodes/shared'], prepare, most: 24 },
    })
    failures.should.deepEqual([])
    should(reached).be.aboveOrEqual(runs / 2)
  })
})
