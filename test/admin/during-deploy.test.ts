import { once } from 'node:events'
import { createRequire } from 'node:module'
import helper from 'node-red-node-test-helper'
import RED from 'node-red'
import should from 'should'
import { useAdmin } from '../support/admin'
import { onTab, useBench } from '../support/bench'

/** What Node-RED waits for between the answer to a deploy and the start of the nodes. */
const registry = createRequire(createRequire(__filename).resolve('node-red'))('@node-red/registry') as {
  checkFlowDependencies: (flows: object[]) => Promise<void>
}

describe('the editor during a deploy', () => {
  const bench = useBench({ type: 'vision-get-parameter' })
  const admin = useAdmin()
  const { checkFlowDependencies } = registry
  let start = () => {}
  beforeEach(() => {
    const started = new Promise<void>((resolve) => (start = resolve))
    registry.checkFlowDependencies = async (flows) => {
      await started
      return checkFlowDependencies(flows)
    }
  })
  afterEach(() => {
    registry.checkFlowDependencies = checkFlowDependencies
    start()
  })
  const path = 'vision-devices/device/read/listNodes?pipeline=0'
  const deploy = (flow: object[]) => helper._redNodes.setFlows(flow, {}, 'full')

  it('has as many listeners of deploys after each start of its server', async () => {
    start()
    const events = ['flows:starting', 'flows:started', 'flows:stopping', 'runtime-event']
    const counts = () => events.map((event) => RED.events.listenerCount(event))
    const before = counts()
    for (let times = 0; times < 3; times++) {
      await bench.stop()
      await bench.start()
    }
    should(counts()).eql(before)
  })

  it('is answered by the new device once it runs', async () => {
    await deploy(bench.flow)
    const answer = admin.get(path)
    const early = await Promise.race([answer, admin.get('vision-devices/states')])
    should(early.body).deepEqual({})
    start()
    should(await answer).match({ status: 200 })
  })

  it('gives up with the browser', async () => {
    await deploy(bench.flow)
    const gone = new AbortController()
    const answer = admin.get(path, {}, gone.signal)
    await admin.get('vision-devices/states')
    gone.abort()
    await answer.should.be.rejectedWith({ name: 'AbortError' })
    const started = once(RED.events, 'flows:started')
    start()
    await started
  })

  it('is told at once if the flows do not start', async () => {
    start()
    await deploy([...bench.flow, { ...onTab, id: 'unknown', type: 'a type that nobody knows' }])
    should(await admin.get(path)).match({
      status: 404,
      body: { code: 'NOT_FOUND', message: /no running device/ },
    })
  })
})
