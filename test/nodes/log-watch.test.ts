import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Node, NodeAPI, NodeMessage } from 'node-red'
import should from 'should'
import type { logs } from '../../lib'
import type { Log } from '../../lib/contract'
import { manualClock } from '../../virtual-device'
import { onTab, useBench } from '../support/bench'
import { eventually } from '../support/eventually'

type Line = logs.LogLine
interface Notice extends NodeMessage {
  gap?: boolean
  heldBack?: number
  payload?: { log?: string; reason?: string; message: string; levels?: Record<string, number> }
}

/** A user directory for the positions, and a node in the flow that collects the output of each port. */
function useWatch(fields: object = {}) {
  const clock = manualClock()
  const userDir = mkdtempSync(join(tmpdir(), 'cellsight-logs-'))
  const came: { output: number; message: NodeMessage }[] = []
  let onMessage: (count: number) => void = () => undefined
  const collector = (RED: NodeAPI) => {
    RED.nodes.registerType('collector', function (this: Node, given: object) {
      RED.nodes.createNode(this, given as never)
      const output = (given as { output: number }).output
      this.on('input', (message) => {
        came.push({ output, message })
        onMessage(came.length)
      })
    })
  }
  const bench = useBench(
    {
      type: 'vision-log-watch',
      shortest: 0.1,
      longest: 0.1,
      wires: [['entries'], ['gaps']],
      ...fields,
    },
    {
      device: { clock },
      settings: () => ({ userDir }),
      types: [collector],
      flow: [
        { ...onTab, id: 'entries', type: 'collector', output: 0 },
        { ...onTab, id: 'gaps', type: 'collector', output: 1 },
      ],
    },
  )
  after(() => rmSync(userDir, { recursive: true, force: true }))

  const request = async (method: string, path: string) =>
    (await fetch(`${bench.device.url}/api/v2${path}`, { method })).json() as Promise<unknown>
  return {
    bench,
    clock,
    userDir,
    request,
    came,
    onEach: (told: typeof onMessage) => {
      onMessage = told
    },
    lines: (log?: string) =>
      came
        .filter(({ output }) => output === 0)
        .flatMap(({ message }) => message.payload as Line | Line[])
        .filter((line) => log === undefined || line.log === log),
    notices: () => came.filter(({ output }) => output === 1).map(({ message }) => message as Notice),
    /** What the device holds. */
    held: async (log: string) => ((await request('GET', `/logs/${log}?limit=10000`)) as Log).log,
    following: () => bench.status('following'),
    /** Makes this many entries appear by themselves. */
    chat: (entries: number) => {
      bench.device.setScenario({ log_chatter: entries })
      clock.advance(1)
      bench.device.setScenario({ log_chatter: 0 })
    },
  }
}

const entryOf = ({ component, level, message, timestamp }: Line) => ({ component, level, message, timestamp })
const without = <Item>(all: readonly Item[], first: number) => all.slice(first)

describe('log-watch', () => {
  const watch = useWatch()
  const { bench, came } = watch
  beforeEach(() => came.splice(0))

  it('sends new entries of any log, with log, component, level, message and time', async () => {
    await watch.following()
    watch.chat(7)
    await eventually(() => watch.lines().length.should.equal(7))
    const [first] = watch.lines('camera.log')
    should(first).match({
      log: 'camera.log',
      component: 'dev_camera',
      level: 'DEBUG',
      message: 'exposure adapted',
    })
    should(first?.time).equal(new Date(1000 * (first?.timestamp ?? 0)).toISOString())
    should(came[0]?.message.topic).equal(watch.lines()[0]?.log)
  })

  it('loses nothing and sends nothing twice, whatever happens to the device and to Node-RED', async () => {
    await watch.following()
    const known = {
      camera: (await watch.held('camera.log')).length,
      stereo: (await watch.held('stereo.log')).length,
    }
    watch.chat(3000)
    await request('PUT', '/system/time?utc=2030-01-01T11%3A00%3A00.000Z')
    watch.chat(50)
    await request('PUT', '/system/time?utc=2030-01-01T10%3A00%3A00.000Z')
    watch.chat(50)
    // Restarted in the middle of a delivery: the whole flow, and this node alone.
    for (const type of ['full', 'nodes'] as const) {
      const until = came.length + 500
      await new Promise<void>((resolve) => watch.onEach((count) => count === until && resolve()))
      watch.onEach(() => undefined)
      bench.statuses.splice(0)
      await bench.deploy({ name: `restarted, ${type}` }, type)
    }
    watch.chat(500)
    await watch.following()
    bench.device.setScenario({ missing_logs: ['camera.log'] })
    await bench.status('status.missing')
    watch.chat(100)
    bench.device.setScenario({ missing_logs: [], offline: true })
    await bench.state('unreachable')
    watch.chat(100)
    bench.device.setScenario({ offline: false, boot_seconds: 1, boot_502_seconds: 0.3 })
    await bench.state('ready')
    await request('PUT', '/system/reboot')
    await bench.state('unreachable')
    watch.clock.advance(2)
    watch.chat(100)
    await eventually(async () => {
      watch.lines('camera.log').length.should.equal((await watch.held('camera.log')).length - known.camera)
      watch.lines('stereo.log').length.should.equal((await watch.held('stereo.log')).length - known.stereo)
    })
    watch
      .lines('camera.log')
      .map(entryOf)
      .should.eql(without(await watch.held('camera.log'), known.camera))
    watch
      .lines('stereo.log')
      .map(entryOf)
      .should.eql(without(await watch.held('stereo.log'), known.stereo))
    watch
      .lines()
      .some(({ repeated }) => repeated)
      .should.be.false()
    watch.notices().should.eql([])
  }).timeout(20_000)

  it('reads no log while the list of logs shows no change', async () => {
    await watch.following()
    const looks = (operation: string) =>
      bench.device.calls().filter((call) => call.operation === operation).length
    await eventually(() => bench.device.calls().at(-1)?.operation.should.equal('listLogs'))
    const lists = looks('listLogs')
    const reads = looks('getLog')
    await eventually(() => looks('listLogs').should.be.above(lists + 10))
    // Five logs, two of which are empty and have no size.
    looks('getLog').should.be.belowOrEqual(reads + 6)
  })

  it('reports missing entries before it continues', async () => {
    await watch.following()
    bench.device.setScenario({ log_keeps: 20 })
    watch.chat(500)
    await eventually(() => watch.notices().length.should.equal(2))
    const [notice] = watch.notices()
    should(notice).match({
      gap: true,
      topic: /log$/,
      payload: { reason: 'replaced', message: /may be missing/ },
    })
    const order = came.filter(({ message }) => message.topic === notice?.topic)
    order.findIndex(({ output }) => output === 1).should.equal(0)
    await eventually(async () =>
      watch
        .lines('camera.log')
        .map(entryOf)
        .should.eql(await watch.held('camera.log')),
    )
  })

  it('aborts a read in progress when the flow is deployed', async () => {
    await watch.following()
    bench.device.setScenario({ latency_ms: 60_000 })
    const begun = bench.device.calls().length
    await eventually(() => bench.device.calls().length.should.be.aboveOrEqual(begun))
    const start = Date.now()
    await bench.deploy({ name: 'once more' })
    ;(Date.now() - start).should.be.below(30_000)
    bench.device.setScenario({ latency_ms: 0 })
    await watch.following()
  })

  it('keeps its position while it is disabled, and removes it when it is deleted', async () => {
    await watch.following()
    const folder = join(watch.userDir, 'vision-logs', 'test')
    await eventually(() => readdirSync(folder).should.matchAny(/camera.*\.position$/))
    readdirSync(folder).should.matchEach(/\.position$/)
    // The bench needs the node under test.
    await bench.deploy({ d: true }).should.be.rejected()
    existsSync(folder).should.be.true()
    bench.statuses.splice(0)
    await bench.deploy({ d: false })
    await watch.following()
    await bench.deploy({ id: 'another' }).should.be.rejected()
    existsSync(folder).should.be.false()
  })

  const request = (method: string, path: string) => watch.request(method, path)
})

describe('log-watch with filter, batches and limit', () => {
  const watch = useWatch({
    log: 'camera.log',
    level: 'INFO',
    component: '*CAMERA, other',
    text: 'INCOMPLETE|white balance',
    match: 'pattern',
    output: 'batch',
    batch: 4,
    rate: 10,
    seconds: 1,
  })

  it('sends what passes in batches, and how many entries were held back', async () => {
    await watch.following()
    watch.chat(70)
    await eventually(() => watch.notices().length.should.equal(1))
    watch.lines().length.should.equal(10)
    new Set(watch.lines().map(({ level }) => level)).should.eql(new Set(['INFO', 'ERROR']))
    const sizes = watch.came
      .filter(({ output }) => output === 0)
      .map(({ message }) => (message.payload as Line[]).length)
    sizes.should.eql([4, 4, 2])
    const [notice] = watch.notices()
    should(notice?.heldBack).equal(10)
    should(notice?.payload).match({
      levels: { INFO: 5, ERROR: 5 },
      message: /^10 more entries were held back: /,
    })
  })
})

describe('log-watch with the last entries first', () => {
  const watch = useWatch({ log: 'api.log', start: 'last', last: 12, text: 'FPS' })

  it('starts with those, and matches the text literally, in any case', async () => {
    await watch.following()
    await watch.request('PUT', '/pipelines/0/nodes/dev_camera/parameters?fps=10')
    await watch.request('PUT', '/pipelines/0/nodes/dev_camera/parameters?fps=11')
    await watch.request('PUT', '/pipelines/0/nodes/dev_camera/parameters?gain_value=1')
    await eventually(() => watch.lines().length.should.equal(2))
    watch.came.splice(0)
    await watch.bench.deploy({ name: 'again' })
    await eventually(() => watch.lines().length.should.equal(2))
    watch
      .lines()
      .map(({ message }) => message)
      .should.eql(['fps set to 10', 'fps set to 11'])
  })
})

describe('log-watch with an invalid setting', () => {
  const watch = useWatch({ text: '(', match: 'pattern' })

  it('shows it', () => watch.bench.status('INVALID_INPUT'))
})
