import should from 'should'
import type { Parameter } from '../../lib/contract'
import { useBench } from '../support/bench'

const fields = { type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' }

describe('get-parameter', () => {
  const bench = useBench(fields)

  it('sends the value, and the record beside it', async () => {
    const message = await bench.send()
    should(message.payload).equal(25)
    should(message['parameter']).containEql({ name: 'fps', type: 'float64', min: 1, max: 25 })
  })

  it('keeps the message and its content', async () => {
    const res = {}
    const given = { topic: 'cell 1', payload: 'old', res }
    const message = await bench.send(given)
    message.should.equal(given)
    should(message.topic).equal('cell 1')
    should(message['res']).equal(res)
  })
})

describe('get-parameter of several', () => {
  const bench = useBench({ ...fields, which: 'several', parameter: 'fps, exp_auto' })

  it('sends an object of names and values', async () => {
    const message = await bench.send()
    should(message.payload).eql({ fps: 25, exp_auto: true })
    should(message['parameter']).have.keys('fps', 'exp_auto')
    should(message['parameter']).have.propertyByPath('exp_auto', 'name').equal('exp_auto')
  })
})

describe('get-parameter of several with names from the message', () => {
  const bench = useBench({ ...fields, which: 'several', parameter: 'names', parameterType: 'msg' })

  it('accepts an array', async () => {
    const message = await bench.send({ names: ['exp_auto', 'fps', 'fps'] })
    should(message.payload).eql({ fps: 25, exp_auto: true })
  })

  it('refuses an empty list', () =>
    bench
      .send({ names: [] })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /parameter is empty/ }))

  it('refuses anything but a list', () =>
    bench
      .send({ names: 5 })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /comma-separated text/ }))

  it('reports a parameter that the device does not have', () =>
    bench.send({ names: ['fps', 'speed'] }).should.be.rejectedWith({ code: 'NOT_FOUND' }))
})

describe('get-parameter of all', () => {
  const bench = useBench({ ...fields, which: 'all', output: 'record', property: 'camera.now' })

  it('puts full records into the configured property', async () => {
    const message = await bench.send({ camera: { id: 7 } })
    const { id, now } = message['camera'] as { id: number; now: Record<string, Parameter> }
    id.should.equal(7)
    should(now['fps']).containEql({ value: 25, default: 25 })
    Object.keys(now).length.should.be.above(3)
    should(message.payload).be.undefined()
  })

  it('reports that a property cannot be set', () =>
    bench.send({ camera: 'off' }).should.be.rejectedWith({ code: 'INVALID_INPUT', message: /camera\.now/ }))
})

describe('get-parameter with empty fields', () => {
  const bench = useBench({ ...fields, pipeline: '', node: '', parameter: '' })

  it('takes them from the message', async () => {
    const message = await bench.send({ pipeline: 0, node: 'dev_camera', parameter: 'fps' })
    should(message.payload).equal(25)
  })

  it('accepts the record from a previous node as the parameter', async () => {
    const message = await bench.send({ pipeline: '0', node: 'dev_camera', parameter: { name: 'fps' } })
    should(message.payload).equal(25)
  })

  it('names what is missing', () =>
    bench
      .send({ pipeline: '0', parameter: 'fps' })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /setting node is empty/ }))

  it('reports that global nodes have no parameters', () =>
    bench
      .send({ node: 'dev_roi_db', parameter: 'fps' })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /global node/ }))
})

describe('get-parameter on a node that the device does not have', () => {
  const bench = useBench({ ...fields, node: 'dev_laser' })

  it('names the nodes that it has', () =>
    bench.send().should.be.rejectedWith({ code: 'NOT_FOUND', message: /no node dev_laser.*dev_camera/s }))
})

describe('get-parameter without a device', () => {
  const bench = useBench({ ...fields, device: '' })

  it('says so for every message', async () => {
    await bench.send().should.be.rejectedWith({ code: 'INVALID_INPUT', message: /No device is chosen/ })
    should(bench.statuses[0]?.text).endWith('noDevice')
  })
})

describe('get-parameter over UBJSON', () => {
  const bench = useBench({ ...fields, which: 'all' }, { config: { format: 'ubjson' } })

  it('sends the same', async () => {
    const message = await bench.send()
    should(message.payload).containEql({ fps: 25, exp_auto: true })
  })
})
