import 'should'
import { createClient, type Client } from '../../lib'
import { reboot, type RebootOptions } from '../../lib/system'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from '../support/eventually'
import { closedAddress } from '../support/misbehaving-server'

describe('reboot', () => {
  let device: VirtualDevice
  let client: Client

  beforeEach(async () => {
    device = await startVirtualDevice({
      port: 0,
      scenario: { boot_seconds: 0.9, boot_502_seconds: 0.2 },
    })
    client = createClient({ address: device.url, retries: 0 })
    // The restart of one that has only just started cannot be noticed.
    await eventually(async () => (await client.getSystem()).uptime.should.be.above(0.1))
  })
  afterEach(async () => {
    await client.close()
    await device.stop()
  })

  /** Checks often, so that tests need not wait. */
  const quickly = (options: RebootOptions = {}) => reboot(client, { interval: 20, ...options })
  const asked = () => device.calls().filter(({ operation }) => operation === 'reboot').length

  it('returns the state of a device that has started again and is ready', async () => {
    const system = await quickly()
    system.ready.should.be.true()
    system.uptime.should.be.within(0.9, 20)
    asked().should.equal(1)
  })

  it('is not proven by another device that answers at the address', async () => {
    const stranger = Object.create(client) as Client
    const { serial } = await client.getSystem()
    stranger.getSystem = async (options) => {
      const system = await client.getSystem(options)
      return asked() > 0 ? { ...system, uptime: 1, serial: '0123' } : system
    }
    await reboot(stranger, { interval: 20 }).should.be.rejectedWith({
      code: 'REFUSED',
      message: new RegExp(
        `another device answers after the restart \\(serial number 0123 instead of ${serial}\\)`,
      ),
    })
  })

  it('reports each phase once, in their order, with the seconds', async () => {
    const reported: [string, number][] = []
    const began = performance.now()
    await quickly({ onPhase: (phase, seconds) => reported.push([phase, seconds]) })
    const elapsed = (performance.now() - began) / 1000
    reported.map(([phase]) => phase).should.deepEqual(['asked', 'away', 'starting', 'ready'])
    const seconds = reported.map(([, at]) => at)
    seconds.should.deepEqual([...seconds].sort((one, other) => one - other))
    // The time begins when the request is answered, which takes long on a busy machine.
    seconds.at(-1)?.should.be.within(0.1 * elapsed, elapsed)
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
      message: /has not started after 0\.1 s/,
    })
  })

  it('fails where the device does not come back in time', () =>
    quickly({ readyWithin: 0.2 }).should.be.rejectedWith({
      code: 'TIMEOUT',
      message: /not ready after 0\.2 s/,
    }))

  it('fails as soon where the device does not go, although an answer was lost meanwhile', async () => {
    const deaf = Object.create(client) as Client
    let looks = 0
    deaf.reboot = () => Promise.resolve(undefined)
    deaf.getSystem = (options) => (++looks === 3 ? nowhere.getSystem(options) : client.getSystem(options))
    const nowhere = createClient({ address: await closedAddress(), retries: 0 })
    await reboot(deaf, { interval: 20, goneWithin: 0.2, readyWithin: 5 }).should.be.rejectedWith({
      code: 'TIMEOUT',
      message: /has not started/,
    })
    looks.should.be.above(3)
    await nowhere.close()
  })

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

  /** The client of a device that has a scenario only while it is asked to restart. */
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
