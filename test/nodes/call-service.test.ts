import should from 'should'
import type { Caught } from '../support/bench'
import { eventually } from '../support/eventually'
import { useBench } from '../support/bench'

const fields = { type: 'vision-call-service', node: 'dev_stereomatching', service: 'acquisition_trigger' }

describe('call-service', () => {
  const bench = useBench({ ...fields, service: 'reset_defaults' })

  it('sends the response of the service', async () => {
    const message = await bench.send()
    should(message.payload).have.propertyByPath('return_code', 'value').equal(0)
    should(message['service']).equal('reset_defaults')
  })
})

describe('call-service with arguments from the message', () => {
  const bench = useBench({ ...fields, service: '', args: 'payload', argsType: 'msg', node: 'dev_roi_db' })
  const region = { id: 'bin 1', type: 'BOX', box: { x: 1, y: 1, z: 1 }, pose_frame: 'camera' }
  const pose = { position: { x: 0, y: 0, z: 0 }, orientation: { x: 0, y: 0, z: 0, w: 1 } }

  it('finds a global node although a pipeline is given', async () => {
    const payload = { region_of_interest: { ...region, pose } }
    const message = await bench.send({ service: 'set_region_of_interest', payload })
    should(message.payload).have.propertyByPath('return_code', 'value').equal(0)
  })

  it('treats no arguments as an empty list', async () => {
    for (const payload of [undefined, null, '', [], {}]) {
      const message = await bench.send({ service: 'get_regions_of_interest', payload })
      should(message.payload).have.property('regions_of_interest').with.length(1)
    }
  })

  for (const payload of [5, 'text', [1], true]) {
    it(`refuses ${JSON.stringify(payload)} as arguments`, () =>
      bench
        .send({ service: 'get_regions_of_interest', payload })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /args must be an object/ }))
  }

  it('reports a service that the node does not have', () =>
    bench.send({ service: 'juggle', payload: {} }).should.be.rejectedWith({ code: 'NOT_FOUND' }))
})

describe('call-service that waits for the depth image', () => {
  const bench = useBench({ ...fields, waitsForDepth: true })
  const set = async (node: string, name: string, value: string | number) => {
    const { status } = await fetch(
      `${bench.device.url}/api/v2/pipelines/0/nodes/${node}/parameters/${name}`,
      {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ value }),
      },
    )
    should(status).equal(200)
  }
  const milliseconds = async () =>
    ((await bench.send())['vision'] as { milliseconds: number } | undefined)?.milliseconds

  before(() => set('dev_stereomatching', 'acquisition_mode', 'SingleFrame'))

  it('answers after one depth period of the quality', async () => {
    await set('dev_stereomatching', 'quality', 'High')
    should(await milliseconds()).be.aboveOrEqual(333)
  })

  it('never answers before one period of the camera', async () => {
    await set('dev_stereomatching', 'quality', 'Low')
    await set('dev_camera', 'fps', 4)
    should(await milliseconds()).be.aboveOrEqual(249)
  })

  it('answers at once where no image is due', async () => {
    await set('dev_stereomatching', 'quality', 'Full')
    bench.device.setScenario({ image_client: false })
    should(await milliseconds()).be.below(1000)
  })
})

describe('call-service that is refused', () => {
  const bench = useBench(fields)

  it('ends in an error that carries the return code', async () => {
    // The default mode, Continuous, does not accept triggers.
    const error: unknown = await bench.send().catch((problem: unknown) => problem)
    should(error).have.property('code', 'REFUSED')
    should((error as Caught).cause)
      .have.propertyByPath('returnCode', 'value')
      .equal(-8)
  })
})

describe('call-service that is refused, with a second output for it', () => {
  const bench = useBench({ ...fields, onRefusal: 'output' })

  it('sends the answer there, with the error', async () => {
    const { output, message } = await bench.sendAndSee({ topic: 'cell' })
    output.should.equal(1)
    should(message.topic).equal('cell')
    should(message.payload).have.propertyByPath('return_code', 'value').equal(-8)
    should(message['error']).have.property('code', 'REFUSED')
    should(message['error']).have.property('message').which.is.a.String()
  })

  it('still reports everything else to Catch', async () => {
    bench.device.setScenario({ license: { stereo: false } })
    await bench.send().should.be.rejectedWith({ code: 'FORBIDDEN' })
    bench.device.setScenario({ license: { stereo: true } })
  })
})

describe('call-service with its own deadline', () => {
  const bench = useBench({ ...fields, service: 'reset_defaults', deadline: 0.5 })

  it('reports that the outcome is unknown', async () => {
    // Before that, the device would first be asked whether it is starting.
    await eventually(() => void should(bench.statuses.at(-1)?.vision?.word).equal('ready'))
    bench.device.setScenario({ latency_ms: 5000 })
    await bench.send().should.be.rejectedWith({ code: 'OUTCOME_UNKNOWN' })
    bench.device.setScenario({ latency_ms: 0 })
  })
})
