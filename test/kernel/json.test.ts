import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import should from 'should'
import { jsonText, NotJson, plainJson } from '../../lib/kernel/json'

function problemOf(value: unknown, limits = {}): NotJson {
  try {
    plainJson(value, limits)
  } catch (error) {
    if (error instanceof NotJson) return error
    throw error
  }
  throw new Error('accepted')
}

describe('a value that must be plain JSON', () => {
  it('is copied as JSON writes it', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        should(plainJson(value)).deepEqual(JSON.parse(JSON.stringify(value)))
        jsonText(value).should.equal(JSON.stringify(plainJson(value)))
      }),
      { seed: 35 },
    ))

  it('keeps dates, buffers, typed arrays, boxed values and objects of another context', () => {
    const other: unknown = runInNewContext('({ list: [1, { x: 2 }] })')
    const value = { at: new Date(0), bytes: Buffer.from([1, 2]), list: new Float32Array([1, NaN]) }
    should(plainJson({ ...value, boxed: Object(5) as unknown, other, nothing: undefined })).eql({
      at: '1970-01-01T00:00:00.000Z',
      bytes: { type: 'Buffer', data: [1, 2] },
      list: [1, null],
      boxed: 5,
      other: { list: [1, { x: 2 }] },
    })
    should(plainJson(undefined)).equal(null)
  })

  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  const bottomless = {
    get toJSON(): unknown {
      throw new Error('no toJSON')
    },
  }
  const hostile: Record<string, [value: unknown, key: string]> = {
    'a BigInt': [1n, 'json-big-integer'],
    'a function': [() => 1, 'json-function'],
    'a symbol': [Symbol('x'), 'json-symbol'],
    'a getter that throws': [
      {
        get y(): unknown {
          throw new Error('no y')
        },
      },
      'json-unreadable',
    ],
    'a getter that throws what cannot be shown': [
      {
        get y(): unknown {
          // oxlint-disable-next-line typescript/only-throw-error -- the case under test
          throw { toString: null }
        },
      },
      'json-unreadable',
    ],
    'a toJSON that throws': [bottomless, 'json-unreadable'],
    'a toJSON that returns a BigInt': [{ toJSON: () => 1n }, 'json-big-integer'],
    'a proxy': [new Proxy({}, {}), 'json-proxy'],
    'a proxied function': [new Proxy(() => 1, {}), 'json-function'],
    'an invalid date': [new Date(NaN), 'json-date'],
    'a map': [new Map([[1, 2]]), 'json-class'],
    'an error': [new Error('lost'), 'json-class'],
    'a promise': [Promise.resolve(1), 'json-class'],
    'a circular object': [circular, 'json-circular'],
    '__proto__ as key': [JSON.parse('{"__proto__":{"isAdmin":true}}'), 'json-reserved'],
    'constructor as key': [JSON.parse('{"constructor":1}'), 'json-reserved'],
    '10 MB of text': ['x'.repeat(10_000_000), 'json-too-large'],
    'a typed array of 100 MB': [new Uint8Array(100_000_000), 'json-too-large'],
    'a buffer of 100 MB': [Buffer.alloc(100_000_000), 'json-too-large'],
    'a list of a thousand million holes': [
      Array.from({ length: 0 }).concat(new Array(1e9)),
      'json-too-large',
    ],
  }
  for (const [title, [value, key]] of Object.entries(hostile))
    it(`is refused for ${title}, wherever it is, with its path`, () => {
      problemOf(value).should.containEql({ code: 'INVALID_INPUT', key })
      const problem = problemOf({ items: [0, 1, 2, { x: value }] })
      problem.key.should.equal(key)
      problem.path.should.startWith(key === 'json-too-large' ? 'payload' : 'payload.items[3].x')
      problem.message.should.startWith(problem.path)
      problem.inLanguage('de').should.startWith(problem.path)
    })

  it('is refused for its depth, not by an exhausted stack', () => {
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level++) deep = [deep]
    problemOf(deep).should.containEql({ key: 'json-too-deep', values: { most: 64 } })
    let chain: unknown = 1
    for (let level = 0; level < 100_000; level++) {
      const inner = chain
      chain = { toJSON: () => [inner] }
    }
    problemOf(chain).key.should.equal('json-too-deep')
    should(plainJson([[[1]]], { depth: 3 })).eql([[[1]]])
    problemOf([[[[1]]]], { depth: 3 }).path.should.equal('payload[0][0][0]')
  })

  it('is refused where an object is repeated until the text is huge', () => {
    let value: unknown = 'x'
    for (let level = 0; level < 40; level++) value = [value, value]
    problemOf(value).key.should.equal('json-too-large')
  })

  it('is never more than the bytes allowed', () => {
    plainJson('é'.repeat(10), { bytes: 22 })
    problemOf('é'.repeat(11), { bytes: 22 }).key.should.equal('json-too-large')
  })

  it('names properties whose names are no words', () => {
    problemOf({ 'a b': [1n] }, { name: 'msg' }).path.should.equal('msg["a b"][0]')
  })

  it('reads each property once, so that a later reader gets what was checked', () => {
    let reads = 0
    const value = {
      get x() {
        return ++reads === 1 ? 'first' : 1n
      },
    }
    should(plainJson(value)).eql({ x: 'first' })
  })
})
