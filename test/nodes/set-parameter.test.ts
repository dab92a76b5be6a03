import should from 'should'
import { eventually } from '../support/eventually'
import { useBench } from '../support/bench'

const fields = { type: 'vision-set-parameter', node: 'dev_camera', parameter: 'fps' }

describe('set-parameter', () => {
  const bench = useBench(fields)

  it('sends the value that the device accepted', async () => {
    const message = await bench.send({ payload: 10 })
    should(message.payload).equal(10)
    should(message['parameter']).containEql({ name: 'fps', value: 10 })
    should(bench.device.parameter('dev_camera', 'fps')).equal(10)
  })

  it('accepts numbers written as text', async () => {
    should((await bench.send({ payload: '12.5' })).payload).equal(12.5)
    should(bench.device.parameter('dev_camera', 'fps')).equal(12.5)
  })

  it('reports an invalid value to Catch, and sends nothing', async () => {
    const writes = () => bench.device.calls().filter(({ operation }) => operation === 'setParameter').length
    const before = writes()
    await bench.send({ payload: 99 }).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /fps cannot be 99. It must be between 1 and 25/,
    })
    await bench
      .send({ payload: 'fast' })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /float64/ })
    await bench.send({}).should.be.rejectedWith({ code: 'INVALID_INPUT', message: /setting value is empty/ })
    writes().should.equal(before)
  })

  it('requests the limits once, and once more before it refuses', async () => {
    const reads = () => bench.device.calls().filter(({ operation }) => operation === 'getParameters').length
    await bench.send({ payload: 5 })
    const before = reads()
    await bench.send({ payload: 6 })
    await bench.send({ payload: 7 })
    reads().should.equal(before)
    await bench.send({ payload: 99 }).should.be.rejectedWith({ code: 'INVALID_INPUT' })
    reads().should.equal(before + 1)
  })

  it('reports why the device does not allow it', async () => {
    bench.device.setScenario({ genicam_connected: true })
    await bench.send({ payload: 10 }).should.be.rejectedWith({ code: 'FORBIDDEN' })
    bench.device.setScenario({ genicam_connected: false })
  })
})

describe('set-parameter of a parameter that the device does not have', () => {
  const bench = useBench({ ...fields, parameter: 'speed' })

  it('reports that', () => bench.send({ payload: 1 }).should.be.rejectedWith({ code: 'NOT_FOUND' }))
})

describe('set-parameter of a choice', () => {
  const bench = useBench({ ...fields, node: 'dev_stereomatching', parameter: 'quality' })

  it("accepts one of the device's choices", async () =>
    should((await bench.send({ payload: 'Low' })).payload).equal('Low'))

  it('lists the choices when it refuses another value', () =>
    bench.send({ payload: 'Ultra' }).should.be.rejectedWith({
      code: 'INVALID_INPUT',
      message: /Choose one of these: Low, Medium, High, Full/,
    }))
})

describe('set-parameter of several', () => {
  const bench = useBench({ ...fields, which: 'several' })

  it('writes them in one request and sends the accepted values', async () => {
    const message = await bench.send({ payload: { fps: 20, exp_auto: 'false' } })
    should(message.payload).eql({ fps: 20, exp_auto: false })
    should(message['parameter']).have.propertyByPath('exp_auto', 'type').equal('bool')
    should(bench.device.parameter('dev_camera', 'exp_auto')).equal(false)
  })

  it('writes nothing if one value is invalid', async () => {
    await bench
      .send({ payload: { fps: 15, exp_value: 9 } })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /exp_value/ })
    should(bench.device.parameter('dev_camera', 'fps')).equal(20)
  })

  for (const payload of [5, 'fps', null, [1], {}]) {
    it(`refuses ${JSON.stringify(payload)} as values`, () =>
      bench.send({ payload }).should.be.rejectedWith({ code: 'INVALID_INPUT', message: /setting value/ }))
  }
})

describe('set-parameter over UBJSON', () => {
  const bench = useBench(fields, { config: { format: 'ubjson' } })

  it('sends the value that the device accepted', async () => {
    should((await bench.send({ payload: 10 })).payload).equal(10)
    should((await bench.send({ payload: 7.5 })).payload).equal(7.5)
    should(bench.device.parameter('dev_camera', 'fps')).equal(7.5)
  })
})

describe('set-parameter whose answer is lost', () => {
  // With the usual delay there would be no time to find out what has become of it.
  const bench = useBench(fields, { config: { gatewayDelay: 0.1, deadline: 2 } })
  const written = () => bench.device.calls().filter(({ operation }) => operation === 'setParameter').length

  it('knows what has become of it once a gateway cannot deliver it any more', async () => {
    // A new connection forgets what is known of parameters.
    await bench.state('ready')
    await bench.send({ payload: 4 })
    const before = written()
    bench.device.setScenario({ drop_answers: 1 })
    const answer = bench.send({ payload: 3 })
    await eventually(() => written().should.equal(before + 1))
    bench.device.setScenario({ drop_answers: 0 })
    should((await answer).payload).equal(3)
    written().should.equal(before + 1)
  })

  it('sends the final value on the device', async () => {
    await bench.send({ payload: 5 })
    bench.device.setScenario({ drop_answers: 0.3 })
    for (const payload of [6, 7, 8]) should((await bench.send({ payload })).payload).equal(payload)
    bench.device.setScenario({ drop_answers: 0 })
  })
})
