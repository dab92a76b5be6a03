import 'should'
import { createClient, type Client } from '../../lib'
import { hasRestarted, reboot, startOf, type RebootOptions } from '../../lib/system'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'

describe('reboot', () => {
  let device: VirtualDevice
  let client: Client

  beforeEach(async () => {
    device = await startVirtualDevice({
      port: 0,
      scenario: { boot_seconds: 0.9, boot_502_seconds: 0.2 },
    })
    client = createClient({ address: device.url, retries: 0 })
  })
  afterEach(async () => {
    await client.close()
    await device.stop()
  })

  /** Looks often, so that tests need not wait. */
  const quickly = (options: RebootOptions = {}) => reboot(client, { interval: 20, ...options })
  const asked = () => device.calls().filter(({ operation }) => operation === 'reboot').length

  it('returns the state of a device that has started again and is ready', async () => {
    const system = await quickly()
    system.ready.should.be.true()
    system.uptime.should.be.within(0.9, 2)
    asked().should.equal(1)
  })

  it('tells each phase once, in their order, with the seconds', async () => {
    const told: [string, number][] = []
    await quickly({ onPhase: (phase, seconds) => told.push([phase, seconds]) })
    told.map(([phase]) => phase).should.deepEqual(['asked', 'away', 'starting', 'ready'])
    const seconds = told.map(([, at]) => at)
    seconds.should.deepEqual([...seconds].sort((one, other) => one - other))
    seconds.at(-1)?.should.be.within(0.8, 3)
  })

  it('is not repeated where its answer is lost, and the uptime shows that it happened', async () => {
    const losing = whileAsking({ drop_answers: 1 })
    const system = await reboot(losing, { interval: 20 })
    system.ready.should.be.true()
    asked().should.equal(1)
  })

  it('is of unknown outcome where nobody answered it and the device runs on', async () => {
    const losing = whileAsking({ drop_connections: 1 })
    await reboot(losing, { interval: 20, goneWithin: 0.1 }).should.be.rejectedWith({
      code: 'OUTCOME_UNKNOWN',
    })
    asked().should.equal(0)
  })

  it('fails where the device does not go', async () => {
    const deaf = { ...client, reboot: () => Promise.resolve(undefined) }
    await reboot(deaf, { interval: 20, goneWithin: 0.1 }).should.be.rejectedWith({
      code: 'TIMEOUT',
      message: /still runs as before after 0\.1 s/,
    })
  })

  it('fails where the device does not come back in time', () =>
    quickly({ readyWithin: 0.2 }).should.be.rejectedWith({
      code: 'TIMEOUT',
      message: /not ready after 0\.2 s/,
    }))

  it('asks nothing of a device that is not there', async () => {
    device.setScenario({ offline: true })
    await quickly().should.be.rejectedWith({ code: 'UNREACHABLE' })
    asked().should.equal(0)
  })

  it('stops waiting when it is ended from here', async () => {
    const ending = new AbortController()
    const waiting = quickly({ signal: ending.signal, onPhase: (phase) => phase === 'away' && ending.abort() })
    await waiting.should.be.rejectedWith({ code: 'ABORTED' })
  })

  /** The client of a device that is in a scenario only while it is asked to restart. */
  function whileAsking(scenario: { drop_answers: number } | { drop_connections: number }): Client {
    return {
      ...client,
      reboot: async (options) => {
        device.setScenario(scenario)
        try {
          return await client.reboot(options)
        } finally {
          device.setScenario({ drop_answers: 0, drop_connections: 0 })
        }
      },
    }
  }
})

describe('the start of a device', () => {
  it('is not taken for another one by rounding of the uptime', async () => {
    const device = await startVirtualDevice({ port: 0 })
    const client = createClient({ address: device.url })
    try {
      const before = await startOf(client, {})
      const { system, ...span } = await startOf(client, {})
      const rounded = { system, earliest: span.earliest + 0.9, latest: span.latest + 0.9 }
      hasRestarted(before, rounded, false).should.be.false()
      const later = { system, earliest: span.earliest + 1.1, latest: span.latest + 1.1 }
      hasRestarted(before, later, false).should.be.true()
    } finally {
      await client.close()
      await device.stop()
    }
  })
})
