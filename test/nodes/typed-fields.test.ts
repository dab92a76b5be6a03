import should from 'should'
import { useBench } from '../support/bench'

const flow = [{ id: 'ask', type: 'helper', z: 'tab', wires: [] }]

/** A node whose parameter name comes from a field of that kind. */
const naming = (parameter: string, parameterType: string) => ({
  type: 'vision-get-parameter',
  node: 'dev_camera',
  parameter,
  parameterType,
})

describe('fields of every kind', () => {
  before(() => {
    process.env['VISION_TEST_NAME'] = 'fps'
    process.env['VISION_TEST_HALF'] = 'p'
  })
  after(() => {
    delete process.env['VISION_TEST_NAME']
    delete process.env['VISION_TEST_HALF']
  })

  const kinds: [what: string, value: string, kind: string, message: object][] = [
    ['text', 'fps', 'str', {}],
    ['text with an environment variable inside', 'f${VISION_TEST_HALF}s', 'str', {}],
    ['text that is an environment variable', '${VISION_TEST_NAME}', 'str', {}],
    ['a message property', 'name', 'msg', { name: 'fps' }],
    ['a message property further down', 'names.list[1]', 'msg', { names: { list: ['', 'fps'] } }],
    ['an expression', '"f" & half', 'jsonata', { half: 'ps' }],
    ['an environment variable', 'VISION_TEST_NAME', 'env', {}],
    ['JSON', '{"name": "fps"}', 'json', {}],
  ]
  for (const [what, value, kind, message] of kinds) {
    describe(what, () => {
      const bench = useBench(naming(value, kind))
      it('provides the value', async () => should((await bench.send({ ...message })).payload).equal(25))
    })
  }

  for (const kind of ['flow', 'global'] as const) {
    describe(`the ${kind} context`, () => {
      const bench = useBench(naming('name', kind), { flow })
      it('provides the value', async () => {
        bench.node.context()[kind].set('name', 'fps')
        should((await bench.send()).payload).equal(25)
      })
    })
  }

  const wrong: [what: string, value: string, kind: string, message: RegExp][] = [
    [
      'an unknown environment variable inside text',
      'f${VISION_TEST_NONE}',
      'str',
      /parameter.*VISION_TEST_NONE/,
    ],
    ['an unknown environment variable', 'VISION_TEST_NONE', 'env', /parameter.*VISION_TEST_NONE/],
    ['a broken expression', '"f" &', 'jsonata', /expression of the setting parameter/],
    ['an expression that fails', '$number("x")', 'jsonata', /expression of the setting parameter/],
    ['broken JSON', '{', 'json', /parameter is not valid JSON/],
    ['a broken property', 'a[', 'msg', /parameter names "a\["/],
    ['a number that is none', 'many', 'num', /parameter must be a number/],
    ['a bool where a name is wanted', 'true', 'bool', /parameter must be text/],
    ['nothing', 'nothing', 'msg', /parameter/],
  ]
  for (const [what, value, kind, message] of wrong) {
    describe(what, () => {
      const bench = useBench(naming(value, kind))
      it('is an error with the name of the field', () =>
        bench.send().should.be.rejectedWith({ code: 'INVALID_INPUT', message }))
    })
  }

  describe('a broken field that is not needed', () => {
    const bench = useBench({ ...naming('"f" &', 'jsonata'), which: 'all' })
    it('does no harm', async () => should((await bench.send()).payload).have.property('fps', 25))
  })
})
