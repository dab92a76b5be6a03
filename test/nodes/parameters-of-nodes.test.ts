import should from 'should'
import { Bench, useBench, type Caught } from '../support/bench'
import type { Listening } from '../support/listening'
import { startAnswerProxy, type AnswerFate } from '../support/proxies/answer-proxy'

const writer = { type: 'vision-set-parameter', which: 'nodes' }
const recipe = {
  dev_camera: { fps: 10, exp_auto: false },
  dev_stereomatching: { quality: 'Full', minconf: 0.7 },
}
const initial = {
  dev_camera: { fps: 25, exp_auto: true },
  dev_stereomatching: { quality: 'High', minconf: 0 },
}

/** The parameters of the recipe with their present values on the device. */
const present = ({ device }: Bench) => ({
  dev_camera: {
    fps: device.parameter('dev_camera', 'fps'),
    exp_auto: device.parameter('dev_camera', 'exp_auto'),
  },
  dev_stereomatching: {
    quality: device.parameter('dev_stereomatching', 'quality'),
    minconf: device.parameter('dev_stereomatching', 'minconf'),
  },
})
const writes = ({ device }: Bench) =>
  device.calls().filter(({ operation }) => operation === 'setParameters').length
const failed = (sent: Promise<unknown>): Promise<Caught> =>
  sent.then(
    () => {
      throw new Error('no error came')
    },
    (error: unknown) => error as Caught,
  )

for (const variant of ['single', 'multi'] as const)
  describe(`set-parameter of several nodes of a ${variant} device`, () => {
    const bench = useBench({ ...writer }, { device: { variant } })

    it('writes node by node and sends the accepted values', async () => {
      const message = await bench.send({ payload: recipe })
      should(message.payload).eql(recipe)
      should(message['parameter'])
        .have.propertyByPath('dev_stereomatching', 'quality', 'type')
        .equal('string')
      present(bench).should.eql(recipe)
      writes(bench).should.equal(2)
    })

    it('finds nodes with another prefix, and keeps the names of the flow', async () => {
      const message = await bench.send({ payload: { xy_camera: { fps: '12' } } })
      should(message.payload).eql({ xy_camera: { fps: 12 } })
      should(bench.device.parameter('dev_camera', 'fps')).equal(12)
    })
  })

describe('set-parameter of several nodes', () => {
  const bench = useBench({ ...writer })

  const wrong: Record<string, [object, { code: string; message: RegExp }]> = {
    'a value beyond its limits': [
      { ...recipe, dev_itempick: { max_grasps: 99 } },
      { code: 'INVALID_INPUT', message: /max_grasps cannot be 99. It must be between 1 and 20/ },
    ],
    'a value that is no choice': [
      { dev_camera: { fps: 10 }, dev_stereomatching: { quality: 'Ultra' } },
      { code: 'INVALID_INPUT', message: /Choose one of these/ },
    ],
    'an unknown parameter': [
      { ...recipe, dev_itempick: { speed: 1 } },
      { code: 'NOT_FOUND', message: /./ },
    ],
    'an unknown node': [
      { ...recipe, dev_toaster: { heat: 1 } },
      { code: 'NOT_FOUND', message: /dev_toaster/ },
    ],
    'a node without parameters': [
      { ...recipe, dev_roi_db: { fps: 1 } },
      { code: 'INVALID_INPUT', message: /dev_roi_db is a global node/ },
    ],
    'no objects': [{ dev_camera: 10 }, { code: 'INVALID_INPUT', message: /object of nodes/ }],
    'a list': [[recipe], { code: 'INVALID_INPUT', message: /object of nodes/ }],
    nothing: [{ dev_camera: {} }, { code: 'INVALID_INPUT', message: /setting value is empty/ }],
  }
  for (const [what, [payload, error]] of Object.entries(wrong))
    it(`writes nothing if there is ${what}`, async () => {
      await bench.send({ payload }).should.be.rejectedWith(error)
      writes(bench).should.equal(0)
      present(bench).should.eql(initial)
    })

  it('undoes what was written if the device refuses a later node', async () => {
    bench.device.setScenario({ license: { stereo_plus: false } })
    const { code, message, cause } = await failed(
      bench.send({ payload: { ...recipe, dev_itempick: { max_grasps: 2 } } }),
    )
    should(code).equal('FORBIDDEN')
    message.should.match(/^Not all parameters of dev_stereomatching were written\. .*license/)
    message.should.containEql(
      'Restored to their previous values: dev_camera (fps, exp_auto). ' +
        'Not written: dev_stereomatching (quality, minconf), dev_itempick (max_grasps).',
    )
    should(cause).containEql({ status: 403 })
    should(cause?.['parameters']).eql({
      putBack: { dev_camera: ['fps', 'exp_auto'] },
      untouched: { dev_stereomatching: ['quality', 'minconf'], dev_itempick: ['max_grasps'] },
    })
    present(bench).should.eql(initial)
    bench.device.setScenario({ license: { stereo_plus: true } })
  })
})

describe('set-parameter of several nodes without undo', () => {
  const bench = useBench({ ...writer, putsBack: false })

  it('reports what is written and what is not', async () => {
    bench.device.setScenario({ license: { stereo_plus: false } })
    const { message } = await failed(bench.send({ payload: recipe }))
    message.should.containEql(
      'Written: dev_camera (fps, exp_auto). Not written: dev_stereomatching (quality, minconf).',
    )
    present(bench).should.eql({ ...initial, dev_camera: recipe.dev_camera })
  })
})

describe('set-parameter of several nodes over a bad network', () => {
  type Garble = (method: string) => AnswerFate | 'garble'
  let ofDepth: Garble = () => 'pass'
  let garbles = false
  const config = { address: '', deadline: 0.8 }
  const bench = new Bench({ ...writer }, { config })
  let proxy: Listening
  before(async () => {
    const fateOf = ({ method = '', url = '' }: { method?: string; url?: string }): AnswerFate => {
      const fate = url.includes('dev_stereomatching') ? ofDepth(method) : 'pass'
      garbles = fate === 'garble'
      return fate === 'garble' ? 'pass' : fate
    }
    proxy = await startAnswerProxy(
      () => bench.device.url,
      fateOf,
      (answer) => (garbles ? '?' : answer),
    )
    config.address = proxy.url
    await bench.start()
  })
  after(async () => {
    await bench.stop()
    await proxy.stop()
  })

  it('reads back values whose answer cannot be read, and undoes those too', async () => {
    let isFirst = true
    ofDepth = (method) => {
      const fate = method === 'PUT' && isFirst ? 'garble' : 'pass'
      isFirst &&= method !== 'PUT'
      return fate
    }
    const { code, message } = await failed(bench.send({ payload: recipe }))
    should(code).equal('OUTCOME_UNKNOWN')
    message.should.containEql(
      ' Restored to their previous values: dev_camera (fps, exp_auto), dev_stereomatching (quality, minconf).',
    )
    present(bench).should.eql(initial)
  })

  it('does not take one read-back as proof that a lost write can no longer arrive', async () => {
    ofDepth = (method) => (method === 'PUT' ? 'lose request' : 'pass')
    const { code, message } = await failed(bench.send({ payload: recipe }))
    should(code).equal('OUTCOME_UNKNOWN')
    message.should.match(/Unknown whether written: dev_stereomatching \(quality, minconf\)/)
  })

  it('reports what it does not know', async () => {
    let isLost = false
    ofDepth = (method) => {
      isLost ||= method === 'PUT'
      return isLost ? 'lose answer' : 'pass'
    }
    const { code, message } = await failed(bench.send({ payload: recipe }))
    should(code).equal('OUTCOME_UNKNOWN')
    message.should.match(
      /Unknown whether written: dev_stereomatching \(quality, minconf\)\. Restored .*: dev_camera \(fps, /,
    )
    present(bench).dev_camera.should.eql(initial.dev_camera)
  })

  it('restores what is written when the node closes in the middle', async () => {
    await bench.deploy()
    const isHeld = new Promise<void>((resolve) => {
      ofDepth = (method) => {
        if (method !== 'PUT') return 'pass'
        resolve()
        ofDepth = () => 'pass'
        return 'hold answer'
      }
    })
    const end = bench.send({ payload: recipe }).catch(() => undefined)
    await isHeld
    present(bench).dev_camera.should.eql(recipe.dev_camera)
    await bench.deployWithout()
    present(bench).should.eql(initial)
    await Promise.race([end, Promise.resolve()])
  })
})

describe('get-parameter of several nodes', () => {
  const bench = useBench({ type: 'vision-get-parameter', which: 'nodes', node: 'recipe', nodeType: 'msg' })
  const questions: Record<string, unknown> = {
    'an object of values': recipe,
    'an object of names': { dev_camera: 'fps, exp_auto', dev_stereomatching: ['quality', 'minconf'] },
  }
  for (const [what, question] of Object.entries(questions))
    it(`reads the nodes of ${what}`, async () => {
      const message = await bench.send({ recipe: question })
      should(message.payload).eql(initial)
      should(message['parameter']).have.propertyByPath('dev_camera', 'fps', 'max').equal(25)
    })

  for (const question of [
    'dev_camera, dev_stereomatching',
    ['dev_camera', 'dev_stereomatching'],
    { dev_camera: [], dev_stereomatching: '' },
  ])
    it(`reads all parameters of ${JSON.stringify(question)}`, async () => {
      const { payload } = await bench.send({ recipe: question })
      should(payload).containDeep(initial)
      should(payload).have.propertyByPath('dev_camera', 'gain_value')
    })

  for (const question of [undefined, '', [], {}, { dev_camera: 5 }])
    it(`refuses ${JSON.stringify(question)}`, () =>
      bench.send({ recipe: question }).should.be.rejectedWith({ code: 'INVALID_INPUT' }))

  it('reports a missing node', () =>
    bench
      .send({ recipe: 'dev_camera, dev_toaster' })
      .should.be.rejectedWith({ code: 'NOT_FOUND', message: /dev_toaster/ }))
})

for (const variant of ['single', 'multi'] as const)
  describe(`all parameters of nodes of a ${variant} device`, () => {
    const nodes =
      'dev_camera, dev_stereomatching, dev_hand_eye_calibration, dev_itempick, dev_boxpick, dev_load_carrier'
    const bench = useBench(
      { ...writer },
      {
        device: { variant },
        flow: [
          {
            z: 'tab',
            x: 0,
            y: 0,
            id: 'read',
            type: 'vision-get-parameter',
            device: 'device',
            which: 'nodes',
            node: nodes,
            wires: [['test']],
          },
        ],
      },
    )

    it('can be written back as read', async () => {
      const written = await new Promise<{ payload?: unknown }>((resolve, reject) => {
        bench.helperNode('out0').on('input', resolve)
        bench.helperNode('caught').on('input', ({ error }) => reject(new Error(String(error))))
        bench.helperNode('read').receive({})
      })
      should(written.payload).have.keys(...nodes.split(', '))
    })
  })
