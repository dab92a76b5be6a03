import fc from 'fast-check'
import should from 'should'
import { renderJson, asFloat } from '../../lib/codec/json'
import { shaped } from '../../virtual-device/device/running-module'

describe('device JSON', () => {
  it('prints a float64 with a decimal point or an exponent, and other numbers as JSON does', () => {
    const printed = [25, 0, -0, -3, 0.5, 6.6e-5, 1e-7, 1e20, 1e21, 1e300, NaN, Infinity].map((value) =>
      renderJson(asFloat(value)),
    )
    printed.should.eql(
      '25.0 0.0 -0.0 -3.0 0.5 0.000066 1e-7 100000000000000000000.0 1e+21 1e+300 null null'.split(' '),
    )
    renderJson({ fps: asFloat(25), width: 25, exposure: 0.01 }).should.equal(
      '{"fps":25.0,"width":25,"exposure":0.01}',
    )
  })

  it('prints any float64 so that it parses to the same number', () =>
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        const printed = renderJson(asFloat(value))
        printed.should.match(/[.e]/)
        Object.is(JSON.parse(printed), value).should.be.true()
      }),
      { seed: 1 },
    ))

  it('writes every other value as JSON.stringify does', () =>
    fc.assert(
      fc.property(
        fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true, withTypedArray: true }),
        fc.string({ unit: 'binary', maxLength: 100 }),
        (value, text) => {
          renderJson({ value, [text]: text }).should.equal(JSON.stringify({ value, [text]: text }))
        },
      ),
      { numRuns: 500, seed: 1 },
    ))

  it('writes lone surrogates, escapes, boxed values, holes, functions and toJSON as JSON.stringify does', () => {
    const late = { toJSON: (key: string) => `late ${key}` }
    const values = [
      '\ud800 \u2028 \u007f "\\\n\u0001',
      [undefined, () => 1, Symbol('x'), new Array(2)],
      { a: undefined, b: () => 1, [Symbol('x')]: 1, c: Object.assign(() => 1, late) },
      [Object('x'), Object(1), Object(true)],
      [late, { late }, { twice: { toJSON: () => late } }, { toJSON: () => undefined }],
      { date: new Date(0), invalid: new Date(NaN), never: { toJSON: () => undefined } },
      { toJSON: 1, ['__proto__']: 1 },
      JSON.parse('{"__proto__": {"x": 1}}'),
      new Map([[1, 2]]),
      -0,
    ]
    for (const value of values) renderJson(value).should.equal(JSON.stringify(value))
  })

  it('writes bigints as digits, and undefined as null', () => {
    renderJson([2n ** 64n, Object(-1n)]).should.equal('[18446744073709551616,-1]')
    renderJson(undefined).should.equal('null')
  })

  it('refuses a value that contains itself or is nested more than 200 levels deep', () => {
    const itself: { own?: unknown } = {}
    itself.own = [itself, itself]
    should(() => renderJson(itself)).throw(RangeError, { message: /contains itself/ })
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
    renderJson(nested(200)).should.equal(JSON.stringify(nested(200)))
    should(() => renderJson(nested(201))).throw(/more than 200 levels/)
  })

  it('is left readable by JSON.stringify', () => {
    JSON.stringify([asFloat(25)]).should.equal('[25]')
  })
})

describe('shaped', () => {
  const pose = { position: { x: 'float64', y: 'float32' }, id: 'int32' } as const

  it('marks the numbers that the shape calls floats, in objects and lists', () => {
    const value = { poses: [{ position: { x: 1, y: 2 }, id: 3 }], sizes: [1, 2], name: 'a' }
    renderJson(shaped(value, { poses: [pose], sizes: ['float64'], name: 'string' })).should.equal(
      '{"poses":[{"position":{"x":1.0,"y":2.0},"id":3}],"sizes":[1.0,2.0],"name":"a"}',
    )
    value.sizes.should.eql([1, 2])
  })

  it('keeps missing fields missing, and unknown or unsuitable ones unchanged', () => {
    renderJson(shaped({ position: { x: null }, constructor: 1 }, pose)).should.equal(
      '{"position":{"x":null},"constructor":1}',
    )
    renderJson(shaped({ position: 1 }, pose)).should.equal('{"position":1}')
    renderJson(shaped([1], pose)).should.equal('[1]')
    renderJson(shaped({ a: 1 }, ['float64'])).should.equal('{"a":1}')
    renderJson(shaped([1], [])).should.equal('[1]')
    renderJson(shaped(asFloat(1), 'float64')).should.equal('1.0')
    renderJson(shaped(JSON.parse('{"__proto__":1}'), pose)).should.equal('{"__proto__":1}')
  })
})
