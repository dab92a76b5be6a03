import should from 'should'
import { createClient, VisionError, type Client } from '../../lib'
import { keepDestination, type DestinationKeeper, type KeepOptions, type KeepState } from '../../lib/streams'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from '../support/eventually'

const stream = 'imu'
const destination = '127.0.0.1:40001'
const other = '127.0.0.1:40002'

describe('keepDestination', () => {
  let device: VirtualDevice
  let client: Client
  const keepers: DestinationKeeper[] = []

  beforeEach(async () => {
    device = await startVirtualDevice({ port: 0 })
    client = createClient({ address: device.url, retries: 0 })
  })
  afterEach(async () => {
    await Promise.all(keepers.splice(0).map((each) => each.close()))
    await client.close()
    await device.stop()
  })

  /** Queries often, so that tests need not wait. */
  function keep(options: Partial<KeepOptions> = {}) {
    const states: KeepState[] = []
    const keeper = keepDestination(
      { client, stream, destination, interval: 20, longestSilence: 20, ...options },
      { onChange: (state) => states.push(state) },
    )
    keepers.push(keeper)
    return { keeper, states }
  }
  const showing = (...expected: string[]) =>
    eventually(async () => (await client.getStream({ stream })).destinations.should.deepEqual(expected))
  const count = (wanted: string) =>
    device.calls().filter(({ operation, status }) => operation === wanted && status === 200).length

  it('lists the destination, and removes it when it is closed', async () => {
    const { keeper, states } = keep()
    await eventually(() => states.should.deepEqual([{ listed: true }]))
    await showing(destination)
    should(await keeper.close()).be.undefined()
    await showing()
  })

  it('adds it again when somebody removed it', async () => {
    keep()
    await showing(destination)
    await client.removeDestination({ stream })
    await showing(destination)
  })

  it('adds it again after the device was away, and reports only changes', async () => {
    const { states } = keep()
    await showing(destination)
    device.setScenario({ offline: true })
    await eventually(() => states.length.should.equal(2))
    device.setScenario({ offline: false })
    await client.removeDestination({ stream })
    await showing(destination)
    await eventually(() => states.map(({ listed }) => listed).should.deepEqual([true, false, true]))
  })

  it('queries at once on demand', async () => {
    const { keeper } = keep({ interval: 60_000 })
    await showing(destination)
    await client.removeDestination({ stream })
    await eventually(async () => {
      keeper.look()
      ;(await client.getStream({ stream })).destinations.should.deepEqual([destination])
    })
  })

  it('does not touch other destinations', async () => {
    await client.addDestination({ stream, destination: other })
    const { keeper } = keep()
    await showing(other, destination)
    await keeper.close()
    await showing(other)
  })

  it('takes over a destination that was left behind', async () => {
    await client.addDestination({ stream, destination })
    const { keeper, states } = keep()
    await eventually(() => states.should.deepEqual([{ listed: true }]))
    count('addDestination').should.equal(1)
    await keeper.close()
    await showing()
  })

  it('removes it with the last of its keepers', async () => {
    const [one, two] = [keep(), keep()]
    for (const { states } of [one, two]) await eventually(() => states.should.deepEqual([{ listed: true }]))
    await one.keeper.close()
    await showing(destination)
    await two.keeper.close()
    await showing()
  })

  it('removes it with the last keeper, even if only another one had seen it', async () => {
    const one = keep()
    await eventually(() => one.states.should.deepEqual([{ listed: true }]))
    // Stands for a device that has not answered yet.
    const unanswered = new VisionError({ code: 'UNREACHABLE', key: 'unreachable' })
    const two = keep({
      client: {
        address: client.address,
        getStream: () => Promise.reject(unanswered),
        addDestination: client.addDestination,
        removeDestination: client.removeDestination,
      },
    })
    await eventually(() => two.states.should.have.length(1))
    await one.keeper.close()
    await two.keeper.close()
    await showing()
  })

  it('keeps it when one keeper ends and another begins at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const { keeper } = keep()
      await showing(destination)
      const closed = keeper.close()
      const { states } = keep({ interval: 60_000 })
      await closed
      await eventually(() => states.should.deepEqual([{ listed: true }]))
      await showing(destination)
      await Promise.all(keepers.splice(0).map((each) => each.close()))
    }
  })

  it('does not query while data flows, and does when it stops', async () => {
    let silence = 0
    keep({ silence: () => silence, longestSilence: 30, interval: 10_000 })
    await eventually(() => count('addDestination').should.equal(1))
    await client.removeDestination({ stream })
    await eventually(() => count('removeDestination').should.equal(1))
    count('getStream').should.equal(1)
    silence = 31
    await eventually(() => count('addDestination').should.equal(2))
    count('getStream').should.equal(2)
  })

  it('reports why the device does not accept it, and takes the next free place', async () => {
    const ten = Array.from({ length: 10 }, (_, index) => `127.0.0.1:${41_000 + index}`)
    for (const each of ten) await client.addDestination({ stream, destination: each })
    const { keeper, states } = keep()
    await eventually(() => states.length.should.equal(1))
    const [state] = states
    if (state?.listed !== false) throw new Error('it is listed')
    state.error.code.should.equal('FORBIDDEN')
    await client.removeDestination({ stream, destination: ten[4] })
    await eventually(() => states.length.should.equal(2))
    await keeper.close()
    await showing(...ten.filter((_, index) => index !== 4))
  })

  it('reports on close that an absent device may continue to send', async () => {
    const { keeper } = keep()
    await showing(destination)
    device.setScenario({ offline: true })
    const error = await keeper.close()
    should(error?.code).be.oneOf('UNREACHABLE', 'OUTCOME_UNKNOWN')
    should(await keeper.close()).equal(error)
  })

  it('sends nothing on close if the destination was never listed', async () => {
    device.setScenario({ offline: true })
    const { keeper, states } = keep()
    await eventually(() => states.length.should.equal(1))
    should(await keeper.close()).be.undefined()
  })

  it('removes what the device accepted without an answer', async () => {
    device.setScenario({ drop_answers: 1 })
    const lost = keep()
    await eventually(() =>
      device
        .calls()
        .filter((call) => call.operation === 'getStream')
        .length.should.be.above(0),
    )
    device.setScenario({ drop_answers: 0 })
    await lost.keeper.close()
    await showing()
  })
})
