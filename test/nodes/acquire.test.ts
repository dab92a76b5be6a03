import type { NodeMessage } from 'node-red'
import should from 'should'
import type { AcquisitionSummary } from '../../nodes/acquire/acquire'
import type { VisionResult } from '../../nodes/shared/outcome'
import { onTab, useBench } from '../support/bench'
import { eventually } from '../support/eventually'

interface AcquiredMessage extends NodeMessage {
  payload: unknown
  acquisition: AcquisitionSummary
  images?: { timestamp: number; left?: { width: number; height: number } }
  vision: VisionResult
}

const options = {
  device: { imagePort: 0 as const },
  flow: [{ ...onTab, id: 'taken', type: 'helper', wires: [] }],
}
const [onlyDone, both] = [
  [['out0'], []],
  [['out0'], ['taken']],
]

describe('acquire', () => {
  const bench = useBench({ type: 'vision-acquire', depth: 'millimetres', wires: onlyDone }, options)
  const take = (properties: NodeMessage = {}) => bench.send(properties) as Promise<AcquiredMessage>
  const triggers = () =>
    bench.device
      .calls()
      .filter(({ input }) => (input as { service?: string }).service === 'acquisition_trigger').length
  const parameter = (name: string, node = 'dev_stereomatching') => bench.device.parameter(node, name)

  it('takes a picture and proves it, in the single-frame mode, which it sets', async () => {
    const { payload, acquisition, images, vision } = await take({ payload: 1 })
    const { left, depth } = payload as Record<'left' | 'depth', Buffer>
    for (const picture of [left, depth]) picture.subarray(1, 4).toString().should.equal('PNG')
    should(images?.left).containDeep({ width: 1280, height: 960 })
    should(acquisition).have.property('proven', true)
    should(acquisition).not.have.property('doubt')
    acquisition.doneAfter.should.be.above(0)
    vision.state.should.equal('done')
    parameter('acquisition_mode').should.equal('SingleFrame')
    triggers().should.equal(1)
  })

  it('takes the next ones on the open stream, each of its own trigger', async () => {
    const times: number[] = []
    for (let number = 0; number < 3; number++) {
      const { acquisition } = await take()
      should(acquisition.doubt).be.undefined()
      times.push(Number(acquisition.timestamp))
    }
    times.should.eql([...times].sort((one, other) => one - other))
    new Set(times).size.should.equal(3)
  })

  it('says that the robot may move before the images have arrived', async () => {
    await bench.deploy({ wires: both })
    // The event overtakes the images, on a busy machine too.
    bench.device.setScenario({ image_delay_ms: 3000 })
    const moments: string[] = []
    const taken = bench.helperNode('taken')
    taken.on('input', (message: NodeMessage & { taken?: { by: string } }) =>
      moments.push(`taken by ${message.taken?.by}`),
    )
    await take()
    moments.push('done')
    bench.device.setScenario({ image_delay_ms: 0 })
    await bench.deploy({ wires: onlyDone })
    moments.should.eql(['taken by event', 'done'])
  })

  it('needs nothing but proof if nothing is selected', async () => {
    await bench.deploy({ left: 'none', depth: 'none' })
    const { payload, acquisition, vision } = await take()
    should(payload).eql(acquisition)
    vision.text.should.match(/picture taken/)
    await bench.deploy({ left: 'grey' })
  })

  it('ends in an error without an image stream, and triggers nothing', async () => {
    const before = triggers()
    bench.device.setScenario({ image_stream: 'closed' })
    await eventually(() =>
      take().should.be.rejectedWith({ code: /UNREACHABLE|NOT_FOUND|STARTING|REFUSED|OUTCOME_UNKNOWN/ }),
    )
    await take().should.be.rejectedWith({ code: /UNREACHABLE|NOT_FOUND|STARTING|REFUSED/ })
    const then = triggers()
    bench.device.setScenario({ image_stream: 'ok' })
    then.should.be.belowOrEqual(before + 1)
    await eventually(() => take())
  })

  it('puts a continuous mode back, if it is to', async () => {
    await bench.deploy({ restoresMode: true })
    await fetch(
      `${bench.device.url}/api/v2/pipelines/0/nodes/dev_stereomatching/parameters/acquisition_mode`,
      {
        ...{ method: 'PUT', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ value: 'Continuous' }),
      },
    )
    const { acquisition } = await take()
    acquisition.proven.should.be.true()
    parameter('acquisition_mode').should.equal('Continuous')
    await bench.deploy({ restoresMode: false })
  })

  it('works without an image stream by choice, and never says that a picture was taken', async () => {
    await bench.deploy({ proof: 'time' })
    const { acquisition, vision } = await take()
    acquisition.proven.should.be.false()
    should(vision).have.properties({ state: 'warning', code: 'UNPROVEN' })
    bench.device.setScenario({ image_client: false })
    await bench.deploy({ proof: 'time' })
    await bench.deploy({ proof: 'set' })
  })

  it('refuses a pipeline that is none, and triggers nothing', async () => {
    const before = triggers()
    await bench.deploy({ pipeline: '' })
    await take({ pipeline: 'left' }).should.be.rejectedWith({ code: 'INVALID_INPUT' })
    triggers().should.equal(before)
    await bench.deploy({ pipeline: '0' })
  })

  it('ends in an error if the device dies after it has accepted the trigger', async () => {
    // With any subscriber at all, it accepts the first trigger, and answers no 102.
    bench.device.setScenario({ image_client: true })
    await fetch(`${bench.device.url}/api/v2/pipelines/0/nodes/dev_stereomatching/parameters/quality`, {
      ...{ method: 'PUT', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ value: 'Full' }),
    })
    const before = triggers()
    const taken = take()
    const outcome = taken.should.be.rejectedWith({ code: 'OUTCOME_UNKNOWN' })
    await eventually(() => triggers().should.equal(before + 1))
    await bench.device.stop()
    await outcome
  })
})
