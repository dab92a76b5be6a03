import { once } from 'node:events'
import should from 'should'
import { asNumbers, differs } from '../../nodes/get-status/get-status'
import { eventually } from '../support/eventually'
import { onTab, useBench } from '../support/bench'

const fields = { type: 'vision-get-status', node: 'dev_camera' }

describe('get-status of a node', () => {
  const bench = useBench({ ...fields })

  it('sends the values as numbers, with the whole answer beside them', async () => {
    const message = await bench.send({ topic: 'cell 1' })
    should(message.topic).equal('cell 1')
    const { fps, width } = message.payload as Record<string, number>
    should(fps).be.a.Number()
    should(width).equal(1280)
    should(message['status']).match({ status: 'running', values: message.payload as object })
    should(message['status']).have.property('timestamp').which.is.a.Number()
  })

  it('sends no values of a node that is not running', async () => {
    bench.device.setScenario({ stale_nodes: ['dev_camera'] })
    const message = await bench.send()
    should(message.payload).eql({})
    should(message['status']).match({ status: 'stale', values: {} })
    bench.device.setScenario({ stale_nodes: [] })
  })
})

describe('get-status with names from the message', () => {
  const bench = useBench({
    ...fields,
    pipeline: '',
    node: '',
    which: 'several',
    value: 'names',
    valueType: 'msg',
  })

  it('sends the named values', async () => {
    const asked = { pipeline: 0, node: 'dev_camera', names: 'width, status' }
    should((await bench.send(asked)).payload).eql({ width: 1280, status: 'running' })
  })

  it('lists the available values', () =>
    bench
      .send({ pipeline: '0', node: 'dev_camera', names: ['speed'] })
      .should.be.rejectedWith({ code: 'NOT_FOUND', message: /no value speed.*temp_left/ }))

  it('finds the status of a database, which has no values', async () => {
    const message = await bench.send({ node: 'dev_roi_db', names: ['status', 'records'] })
    should(message.payload).eql({ status: 'running', records: null })
  })

  it('finds a node whose name differs only by its prefix', async () => {
    const message = await bench.send({ pipeline: '0', node: 'xy_camera', names: 'status' })
    should(message.payload).eql({ status: 'running' })
  })
})

describe('get-status of one value as text', () => {
  const bench = useBench({
    ...fields,
    which: 'one',
    value: 'width',
    shownAs: 'text',
    property: 'camera.width',
  })

  it('sends it unchanged, in the configured property', async () => {
    const message = await bench.send({ camera: { id: 7 } })
    should(message['camera']).eql({ id: 7, width: '1280' })
  })
})

describe('get-status of the device', () => {
  const bench = useBench({
    ...fields,
    what: 'system',
    node: '',
    which: 'several',
    value: 'ready, ntp.enabled',
  })

  it('sends parts of its state by path', async () => {
    const message = await bench.send()
    should(message.payload).eql({ ready: true, 'ntp.enabled': true })
    should(message['status']).have.properties('serial', 'firmware', 'uptime')
  })

  it('names what is missing', async () => {
    await bench.deploy({ value: 'ntp.speed' })
    await bench.send().should.be.rejectedWith({ code: 'NOT_FOUND', message: /no value ntp\.speed.*hostname/ })
  })
})

describe('get-status on changes only', () => {
  const flow = [
    { ...onTab, id: 'complete', type: 'complete', scope: ['test'], wires: [['completed']] },
    { ...onTab, id: 'completed', type: 'helper', wires: [] },
  ]
  const bench = useBench(
    { ...fields, node: 'dev_stereomatching', which: 'one', value: 'status', when: 'change' },
    { flow },
  )

  it('ends a message without a change, and sends the next change', async () => {
    const ended: unknown[] = []
    bench.helperNode('completed').on('input', ({ payload }) => ended.push(payload))
    const sent: unknown[] = []
    bench.helperNode('out0').on('input', ({ payload }) => sent.push(payload))
    await bench.send()
    bench.node.receive({ payload: 'mine' })
    await eventually(() => ended.should.eql(['running', 'mine']))
    sent.should.eql(['running'])
    bench.device.setScenario({ stale_nodes: ['dev_stereomatching'] })
    should((await bench.send()).payload).equal('stale')
  })
})

describe('get-status by interval', () => {
  const bench = useBench({
    ...fields,
    node: 'dev_stereomatching',
    which: 'one',
    value: 'status',
    interval: 0.05,
    when: 'change',
  })
  const sent: unknown[] = []
  const told: unknown[] = []
  const listen = () => {
    bench.helperNode('out0').on('input', ({ payload }) => sent.push(payload))
    bench.helperNode('caught').on('input', (message) => told.push(message['error']))
  }
  before(listen)
  const count = (wanted: string) =>
    bench.device.calls().filter(({ operation }) => operation === wanted).length
  const more = async (operation: string) => {
    const before = count(operation)
    await eventually(() => count(operation).should.be.above(before + 5))
  }

  it('sends the changes without a message', async () => {
    bench.device.setScenario({ stale_nodes: ['dev_stereomatching'] })
    await eventually(() => should(sent.at(-1)).equal('stale'))
    bench.device.setScenario({ stale_nodes: [] })
    await eventually(() => should(sent.at(-1)).equal('running'))
    await more('getNodeStatus')
    sent.slice(-2).should.eql(['stale', 'running'])
  })

  it('reports a failure once, however long it lasts, and sends the following state', async () => {
    bench.device.setScenario({ offline: true })
    await eventually(() => told.length.should.be.above(0))
    await bench.state('unreachable')
    const since = Date.now()
    await eventually(() => (Date.now() - since).should.be.above(200))
    should(told.length).equal(1)
    should(told[0]).match({ code: 'UNREACHABLE' })
    const before = sent.length
    bench.device.setScenario({ offline: false })
    await eventually(() => sent.slice(before).should.eql(['running']))
  })

  it('also answers messages, each failure separately', async () => {
    await bench.deploy({ value: 'speed' })
    await bench.send().should.be.rejectedWith({ code: 'NOT_FOUND' })
    await bench.send().should.be.rejectedWith({ code: 'NOT_FOUND' })
  })

  it('ends with the node', async () => {
    await bench.deploy({ interval: '', value: 'status' })
    const before = count('getNodeStatus')
    await more('getSystem')
    count('getNodeStatus').should.equal(before)
  })

  it('reports an invalid interval', async () => {
    await bench.deploy({ interval: 'often' })
    const [message] = (await once(bench.helperNode('caught'), 'input')) as [{ error?: unknown }]
    should(message.error).match({ code: 'INVALID_INPUT', message: /interval.*often/ })
  })

  it('reports an interval below the minimum instead of using another one', async () => {
    await bench.deploy({ interval: 0.0001 })
    const [message] = (await once(bench.helperNode('caught'), 'input')) as [{ error?: unknown }]
    should(message.error).match({ code: 'INVALID_INPUT', message: /interval must be 0 or .* 0\.02 to 86400/ })
  })
})

describe('status values as numbers', () => {
  it('are all texts that contain one, and no others', () =>
    asNumbers({
      fps: '24.97',
      count: '-3',
      small: '6.6e-05',
      half: '.5',
      word: 'IDLE',
      none: '',
      hex: '0x10',
      nan: 'nan',
      version: '1.2.3',
      serial: '00123456789012345678',
    }).should.eql({
      fps: 24.97,
      count: -3,
      small: 6.6e-5,
      half: 0.5,
      word: 'IDLE',
      none: '',
      hex: '0x10',
      nan: 'nan',
      version: '1.2.3',
      serial: '00123456789012345678',
    }))

  it('are empty for a node without values', () => asNumbers([]).should.eql({}))
})

describe('a status has changed', () => {
  it('if a number differs by the threshold, anywhere in it', () => {
    differs({ a: { b: 1 } }, { a: { b: 1.9 } }, 1).should.be.false()
    differs({ a: { b: 1 } }, { a: { b: 2 } }, 1).should.be.true()
    differs(1, 1, 0).should.be.false()
    differs(1, 1.000001, 0).should.be.true()
  })

  it('if a word differs, or something was added or removed', () => {
    differs({ a: 'x' }, { a: 'y' }, 5).should.be.true()
    differs({ a: 1 }, {}, 5).should.be.true()
    differs({}, { a: 1 }, 5).should.be.true()
    differs(1, null, 5).should.be.true()
    differs(null, null, 5).should.be.false()
    differs([1, 'x'], [1, 'x'], 0).should.be.false()
  })
})
