import should from 'should'
import { useBench } from '../support/bench'

describe('a hundred deploys', () => {
  const bench = useBench({ type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' })

  it('leave no listeners, sockets or timers behind', async () => {
    await bench.deploy({ name: 'warm' })
    await bench.send()
    await bench.state('ready')
    const before = resources()
    for (let deploy = 0; deploy < 100; deploy++) {
      // Deploys come at every moment: before the first check, during a call, in peace.
      if (deploy % 3 === 0) void bench.send().catch(() => undefined)
      if (deploy % 3 === 1) await bench.state('ready')
      await bench.deploy({ name: `deploy ${deploy}` })
    }
    await bench.send()
    await bench.state('ready')
    const after = resources()
    for (const kind of Object.keys(after)) should(after[kind]).be.belowOrEqual((before[kind] ?? 0) + 4, kind)
    Object.keys(bench.config.users).should.eql(['test'])
  }).timeout(20_000)
})

describe('a node that is given another device', () => {
  const bench = useBench({ type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' })

  it('leaves the old one, which goes on', async () => {
    await bench.state('ready')
    const { device } = bench.config
    Object.keys(bench.config.users).should.eql(['test'])
    await bench.deploy({ device: '' }, 'nodes')
    Object.keys(bench.config.users).should.eql([])
    bench.config.device.should.equal(device)
    await bench.deploy({ device: 'device' }, 'nodes')
    should((await bench.send()).payload).equal(25)
  })
})

/** What keeps this process busy, by kind; both ends of a connection are in it here. */
function resources(): Record<string, number> {
  const count: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) count[kind] = (count[kind] ?? 0) + 1
  for (const event of ['exit', 'beforeExit', 'warning']) count[`on ${event}`] = process.listenerCount(event)
  return count
}
