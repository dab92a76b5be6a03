import should from 'should'
import type { VirtualDeviceOptions } from '../../virtual-device'
import { Bench, type Caught } from '../support/bench'
import { eventually } from '../support/eventually'
import type { Listening } from '../support/listening'
import { startAnswerProxy, type AnswerFate } from '../support/proxies/answer-proxy'

const suction = { suction_surface_length: 0.02, suction_surface_width: 0.02 }
const boxes = { min_dimensions: { x: 0.01, y: 0.01 }, max_dimensions: { x: 0.5, y: 0.5 } }
const picking = {
  node: 'dev_itempick',
  service: 'compute_grasps',
  payload: { pose_frame: 'camera', ...suction },
}
const started = ['compute_grasps', '(status)', 'start', 'compute_grasps']

/** A flow with the requests to nodes of its device: services by name, reads in brackets. */
function useCalls(
  fields: object = {},
  device: VirtualDeviceOptions = {},
  change?: (answer: string) => string,
) {
  const asked: string[] = []
  const fate: { of: (what: string) => AnswerFate } = { of: () => 'pass' }
  const config = { address: '' }
  const bench = new Bench(
    { type: 'vision-call-service', node: '', service: '', args: 'payload', argsType: 'msg', ...fields },
    { config, device },
  )
  const service = async (name: string) => {
    const services = `${bench.device.url}/api/v2/pipelines/0/nodes/dev_itempick/services`
    await fetch(`${services}/${name}`, { method: 'PUT' })
  }
  let proxy: Listening
  before(async () => {
    const noted = ({ method = '', url = '' }) => {
      const [, what] = /\/nodes\/\w+\/(?:services\/)?(\w+)$/.exec(url) ?? []
      if (what) asked.push(method === 'PUT' ? what : `(${what})`)
      return what ? fate.of(what) : 'pass'
    }
    proxy = await startAnswerProxy(() => bench.device.url, noted, change)
    config.address = proxy.url
    await bench.start()
  })
  after(async () => {
    await bench.stop()
    await proxy.stop()
  })
  beforeEach(async () => {
    fate.of = () => 'pass'
    bench.device.setScenario({ module_start: 'ok', module_start_seconds: 0 })
    await service('stop')
    asked.length = 0
  })
  /** The outcome of a message, and the error that Catch receives. */
  const failed = (message: object): Promise<Caught> =>
    bench.send({ ...message }).then(
      () => {
        throw new Error('no error came')
      },
      (error: unknown) => error as Caught,
    )
  return { bench, asked, fate, service, failed }
}

const codeIn = (payload: unknown) => should(payload).have.propertyByPath('return_code', 'value')

for (const variant of ['single', 'multi'] as const)
  describe(`call-service on an idle module of a ${variant} device`, () => {
    const { bench, asked, failed } = useCalls({}, { variant })

    it('starts it and then calls, once', async () => {
      const message = await bench.send({ ...picking })
      codeIn(message.payload).equal(0)
      should(message['service']).equal('compute_grasps')
      asked.should.eql(started)
    })

    it('sends nothing else if it runs', async () => {
      await bench.send({ ...picking })
      asked.length = 0
      await bench.send({ ...picking })
      asked.should.eql(['compute_grasps'])
    })

    it('does so for each module that refuses while it is idle', async () => {
      const item_models = [{ type: 'RECTANGLE', rectangle: boxes }]
      const payload = { ...picking.payload, item_models }
      codeIn((await bench.send({ ...picking, node: 'dev_boxpick', payload })).payload).equal(0)
      asked.should.eql(started)
      if (variant === 'single') return
      asked.length = 0
      const matching = { node: 'dev_cadmatch', service: 'detect_object' }
      const { cause } = await failed({ ...matching, payload: { pose_frame: 'camera', template_id: 'none' } })
      asked.should.eql(['detect_object', '(status)', 'start', 'detect_object'])
      should(cause).have.propertyByPath('returnCode', 'value').equal(-1)
    })

    it('does not touch one that works while it is idle', async () => {
      const payload = { pose_frame: 'camera' }
      const message = await bench.send({ node: 'dev_april_tag_detect', service: 'detect', payload })
      codeIn(message.payload).equal(201)
      asked.should.eql(['detect'])
    })

    it('starts nothing for any other refusal', async () => {
      const payload = { ...picking.payload, pose_frame: 'nowhere' }
      const { cause } = await failed({ ...picking, payload })
      should(cause).have.propertyByPath('returnCode', 'value').equal(-1)
      asked.should.eql(['compute_grasps'])
    })

    it('starts no module that is not idle', async () => {
      const { code, cause } = await failed({ node: 'dev_stereomatching', service: 'acquisition_trigger' })
      should(code).equal('REFUSED')
      should(cause).have.propertyByPath('returnCode', 'value').equal(-8)
      asked.should.eql(['acquisition_trigger', '(status)'])
    })
  })

describe('call-service on an idle module without a service to start it', () => {
  const { asked, failed } = useCalls()

  it('ends with its refusal', async () => {
    const { code, message, cause } = await failed({ node: 'dev_slam', service: 'save_map' })
    should(code).equal('REFUSED')
    message.should.match(/refused save_map \(code -8\)/)
    should(cause).have.propertyByPath('returnCode', 'value').equal(-8)
    asked.filter((what) => what === 'save_map').should.have.length(1)
  })
})

describe('call-service on a module that does not report its state', () => {
  const { asked, fate, failed } = useCalls()

  it('ends with the refusal', async () => {
    fate.of = (what) => (what === 'status' ? 'absent' : 'pass')
    should((await failed(picking)).cause)
      .have.propertyByPath('returnCode', 'value')
      .equal(-8)
    asked.filter((what) => what !== '(status)').should.eql(['compute_grasps'])
  })
})

describe('call-service on a module that takes time to start', () => {
  const { bench, asked } = useCalls()

  it('waits until it runs', async () => {
    bench.device.setScenario({ module_start_seconds: 0.3 })
    codeIn((await bench.send({ ...picking })).payload).equal(0)
    asked.filter((what) => what !== '(status)').should.eql(['compute_grasps', 'start', 'compute_grasps'])
    asked.filter((what) => what === '(status)').length.should.be.above(2)
  })

  it('ends when the node is closed, without the call', async () => {
    bench.device.setScenario({ module_start_seconds: 60 })
    const sent = bench.send({ ...picking })
    const ended = sent.then(undefined, (error: unknown) => error as Caught)
    await eventually(() => asked.filter((what) => what === '(status)').length.should.be.above(2))
    await bench.deploy({ name: 'renamed' }, 'nodes')
    should(await ended).have.property('code', 'ABORTED')
    asked.filter((what) => what === 'compute_grasps').should.have.length(1)
  })
})

describe('call-service on a module that takes longer than the deadline to start', () => {
  const { bench, asked, failed } = useCalls({ deadline: 0.3 })

  it('reports that, without the call', async () => {
    bench.device.setScenario({ module_start_seconds: 60 })
    const { code, message } = await failed(picking)
    should(code).equal('TIMEOUT')
    message.should.match(
      /dev_itempick was idle, was started and is still not running after 0.3 s, so compute_grasps was not called/,
    )
    asked.filter((what) => what !== '(status)').should.eql(['compute_grasps', 'start'])
  })
})

describe('call-service on a module that cannot be started', () => {
  const { bench, asked, service, failed } = useCalls()

  it('reports that the device did not start it', async () => {
    bench.device.setScenario({ module_start: 'refused' })
    const { code, message } = await failed(picking)
    should(code).equal('REFUSED')
    message.should.match(/did not start dev_itempick, which was idle, so compute_grasps was not called/)
    asked.should.eql(['compute_grasps', '(status)', 'start', '(status)'])
  })

  it('reports that it failed during the start', async () => {
    bench.device.setScenario({ module_start: 'fatal', module_start_seconds: 0.2 })
    const { code, message } = await failed(picking)
    should(code).equal('REFUSED')
    message.should.match(/dev_itempick went into FATAL when it was started, so compute_grasps was not called/)
    asked.filter((what) => what !== '(status)').should.eql(['compute_grasps', 'start'])
  })

  it('does not start one that failed before', async () => {
    bench.device.setScenario({ module_start: 'fatal' })
    await service('start')
    should((await failed(picking)).code).equal('REFUSED')
    asked.should.eql(['compute_grasps', '(status)'])
  })
})

describe('call-service on a module whose start was not answered', () => {
  const { bench, asked, fate } = useCalls()
  beforeEach(() => {
    fate.of = (what) => (what === 'start' ? 'lose answer' : 'pass')
  })

  it('checks whether it runs, and then calls', async () => {
    codeIn((await bench.send({ ...picking })).payload).equal(0)
    asked.should.eql(['compute_grasps', '(status)', 'start', '(status)', 'compute_grasps'])
  })
})

describe('call-service on a module that another flow has started, on a device that starts only idle ones', () => {
  const { bench, asked } = useCalls({}, {}, (answer) => answer.replace('"accepted":true', '"accepted":false'))

  it('calls', async () => {
    codeIn((await bench.send({ ...picking })).payload).equal(0)
    asked.should.eql(['compute_grasps', '(status)', 'start', '(status)', 'compute_grasps'])
  })
})

describe('call-service with a second output, on a module that cannot be started', () => {
  const { bench } = useCalls({ onRefusal: 'output' })

  it('sends the refusal there', async () => {
    bench.device.setScenario({ module_start: 'refused' })
    const { output, message } = await bench.sendAndSee({ ...picking })
    output.should.equal(1)
    codeIn(message.payload).equal(-8)
    should(message['error'])
      .have.property('message')
      .which.match(/did not start dev_itempick/)
  })
})

describe('call-service that starts no module', () => {
  const { asked, failed } = useCalls({ startsModule: false })

  it('ends with the refusal', async () => {
    should((await failed(picking)).code).equal('REFUSED')
    asked.should.eql(['compute_grasps'])
  })
})
