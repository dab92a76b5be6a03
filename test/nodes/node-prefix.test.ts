import should from 'should'
import { startVirtualDevice } from '../../virtual-device'
import { useBench } from '../support/bench'

const device = { nodePrefix: 'xy_' }

describe("a flow made for another brand's device", () => {
  const bench = useBench({ type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' }, { device })
  const lists = () => bench.device.calls().filter(({ operation }) => operation === 'listNodes').length
  /** For the status, and for the first message. */
  const perConnection = 2

  it("uses the device's own names", async () => {
    should((await bench.send()).payload).equal(25)
  })

  it('looks them up once, not for every message', async () => {
    await bench.state('ready')
    const before = bench.device.calls().length
    for (let message = 0; message < 5; message++) await bench.send()
    lists().should.equal(perConnection)
    const asked = bench.device
      .calls()
      .slice(before)
      .filter(({ operation }) => operation === 'getParameter')
    asked.map(({ status }) => status).should.eql([200, 200, 200, 200, 200])
  })

  it('looks them up again after the device was away', async () => {
    await bench.state('ready')
    bench.device.setScenario({ offline: true })
    await bench.state('unreachable')
    bench.device.setScenario({ offline: false })
    await bench.state('ready')
    should((await bench.send()).payload).equal(25)
    lists().should.equal(2 * perConnection)
  })
})

describe('a device that is replaced by one of another brand', () => {
  const bench = useBench(
    { type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' },
    { device, config: { deadline: 60 } },
  )

  it('works with the same flow', async () => {
    await bench.state('ready')
    should((await bench.send()).payload).equal(25)
    const { port } = bench.device
    await bench.device.stop()
    await bench.state('unreachable')
    const waiting = bench.send()
    await bench.status('waitsForDevice')
    bench.device = await startVirtualDevice({ port, nodePrefix: 'ab_', variant: 'multi' })
    should((await waiting).payload).equal(25)
    await bench.state('ready')
    should((await bench.send()).payload).equal(25)
    should(bench.config.device.connection.variant).equal('multi')
  })
})

describe("a flow made for another brand's device that calls a global node", () => {
  const bench = useBench(
    { type: 'vision-call-service', node: 'dev_roi_db', service: 'get_regions_of_interest' },
    { device },
  )

  it("uses the device's own names", async () => {
    should((await bench.send()).payload).have.property('regions_of_interest')
  })
})

describe("a flow made for another brand's device that writes", () => {
  const bench = useBench({ type: 'vision-set-parameter', node: 'dev_camera', parameter: 'fps' }, { device })

  it("uses the device's own names", async () => {
    await bench.send({ payload: 10 })
    should(bench.device.parameter('xy_camera', 'fps')).equal(10)
  })
})
