import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import type { Log, LogEntry } from '../../lib/contract'
import type { LogLine } from '../../lib/logs/follow-options'
import { manualClock, startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { seededRandom } from '../../virtual-device/values'
import { onTab } from '../support/bench'
import { eventually } from '../support/eventually'
import { startNodeRed, type NodeRed } from '../support/node-red'

const isLong = process.env['CELLSIGHT_LONG'] === '1'

describe('log-watch in a Node-RED that is killed in the middle of a delivery', function () {
  this.timeout(isLong ? 300_000 : 120_000)
  const clock = manualClock()
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-killed-'))
  const file = join(folder, 'came')
  let device: VirtualDevice
  let red: NodeRed | undefined
  before(async () => {
    device = await startVirtualDevice({ port: 0, clock })
  })
  after(async () => {
    await red?.stop()
    await device.stop()
    rmSync(folder, { recursive: true })
  })

  const came = () => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
    return lines.map((line) => JSON.parse(line) as LogLine & { marked?: boolean; reason?: string })
  }
  const held = async () =>
    ((await (await fetch(`${device.url}/api/v2/logs/camera.log?limit=10000`)).json()) as Log).log
  const key = ({ timestamp, message }: LogEntry) => `${timestamp} ${message}`

  it('sends every entry once, except the message being delivered, which is marked', async () => {
    const write = `fs.appendFileSync(${JSON.stringify(file)}, JSON.stringify({ ...msg.payload, marked: msg.repeated }) + '\\n')`
    const watch = { shortest: 0.1, longest: 0.1, log: 'camera.log', wires: [['file'], ['file']] }
    const settings = { functionExternalModules: true }
    red = await startNodeRed({
      settings,
      flows: [
        { id: 'tab', type: 'tab', label: 'test' },
        { id: 'device', type: 'vision-device-config', name: '', address: device.url },
        { ...onTab, id: 'watch', type: 'vision-log-watch', device: 'device', ...watch },
        // The simplest node that durably stores a message when it receives it.
        {
          ...onTab,
          id: 'file',
          type: 'function',
          func: write,
          libs: [{ var: 'fs', module: 'fs' }],
          wires: [[]],
        },
      ],
    })
    const { userDir } = red
    // The read after the first one: what is written from now on is new.
    await eventually(() => {
      const operations = device.calls().map(({ operation }) => operation)
      operations.should.containEql('getLog')
      should(operations.at(-1)).equal('listLogs')
    })
    const known = (await held()).length
    const random = seededRandom(5)
    const kills = isLong ? 6 : 1
    for (let kill = 0; kill < kills; kill++) {
      const until = came().length + Math.floor(random() * 200)
      device.setScenario({ log_chatter: 1500 })
      clock.advance(1)
      device.setScenario({ log_chatter: 0 })
      await eventually(() => came().length.should.be.above(until))
      await red.kill()
      red = await startNodeRed({ userDir })
    }
    const expected = (await held()).slice(known).map(key)
    await eventually(() => should(came().map(key)).containEql(expected.at(-1)))
    const first = new Set<string>()
    for (const line of came()) {
      should(line.reason).be.undefined()
      should(line.marked).equal(line.repeated)
      if (first.has(key(line))) should(line.repeated).be.true()
      first.add(key(line))
    }
    should([...first].findIndex((one, index) => one !== expected[index])).equal(-1)
    first.size.should.equal(expected.length)
    came()
      .filter(({ repeated }) => repeated)
      .length.should.be.belowOrEqual(kills)
  })
})
