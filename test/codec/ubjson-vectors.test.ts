import should from 'should'
import { asFloat, renderJson, HighPrecision } from '../../lib/codec/json'
import { decodeUbjson, encodeUbjson, UbjsonError } from '../../lib/codec/ubjson'
import { block } from './ubjson-block'

/** Values and their bytes in the block notation of the draft, for both directions. */
const both: [unknown, string][] = [
  [null, '[Z]'],
  [true, '[T]'],
  [false, '[F]'],
  [16, '[i] 10'],
  [-1, '[i] ff'],
  [127, '[i] 7f'],
  [-128, '[i] 80'],
  [128, '[U] 80'],
  [255, '[U] ff'],
  [256, '[I] 0100'],
  [-129, '[I] ff7f'],
  [32767, '[I] 7fff'],
  [-32768, '[I] 8000'],
  [32768, '[l] 00008000'],
  [2147483647, '[l] 7fffffff'],
  [-2147483648, '[l] 80000000'],
  [2147483648, '[L] 0000000080000000'],
  [-2147483649, '[L] ffffffff7fffffff'],
  [1364482090592, '[L] 0000013db1786660'],
  [Number.MAX_SAFE_INTEGER, '[L] 001fffffffffffff'],
  [Number.MIN_SAFE_INTEGER, '[L] ffe0000000000001'],
  [2n ** 53n, '[L] 0020000000000000'],
  [9223372036854775807n, '[L] 7fffffffffffffff'],
  [-9223372036854775808n, '[L] 8000000000000000'],
  [9223372036854775808n, '[H][i] 13 [9223372036854775808]'],
  [new HighPrecision('3.14159265358979323846'), '[H][i] 16 [3.14159265358979323846]'],
  [new HighPrecision('-1.93E+1900'), '[H][i] 0b [-1.93E+1900]'],
  [0.5, '[D] 3fe0000000000000'],
  [-0, '[D] 8000000000000000'],
  [2 ** 53, '[D] 4340000000000000'],
  [1e300, '[D] 7e37e43c8800759c'],
  ['', '[S][i] 00'],
  ['ham', '[S][i] 03 [ham]'],
  ['ŷ€😀', '[S][i] 09 c5b7 e282ac f09f9880'],
  ['\ufeff\ufffd', '[S][i] 06 efbbbf efbfbd'],
  ['é'.repeat(70), `[S][U] 8c ${'c3a9'.repeat(70)}`],
  ['x'.repeat(300), `[S][I] 012c [${'x'.repeat(300)}]`],
  ['x'.repeat(40000), `[S][l] 00009c40 [${'x'.repeat(40000)}]`],
  [[], '[[][]]'],
  [{}, '[{][}]'],
  [[null, true, false, 2147483647, 'ham'], '[[][Z][T][F][l] 7fffffff [S][i] 03 [ham][]]'],
  [
    { post: { id: 1137, author: 'rkalla', timestamp: 1364482090592, body: 'I totally agree!' } },
    `[{][i] 04 [post][{]
       [i] 02 [id][I] 0471
       [i] 06 [author][S][i] 06 [rkalla]
       [i] 09 [timestamp][L] 0000013db1786660
       [i] 04 [body][S][i] 10 [I totally agree!]
     [}][}]`,
  ],
]

/** Encodings used only by other writers. */
const readOnly: [unknown, string][] = [
  ['a', '[C][a]'],
  [3, '[l] 00000003'],
  [1, '[L] 0000000000000001'],
  [29.5, '[d] 41ec0000'],
  [null, '[D] 7ff0000000000000'],
  [null, '[D] 7ff8000000000000'],
  [null, '[d] ff800000'],
  [1.5, '[H][i] 04 [1.50]'],
  [-0, '[H][i] 02 [-0]'],
  [1e30, '[H][i] 04 [1E30]'],
  [9007199254740991, '[H][i] 10 [9007199254740991]'],
  [9007199254740993n, '[H][i] 10 [9007199254740993]'],
  ['ab', '[S][L] 0000000000000002 [ab]'],
  [1, '[N][N][i] 01 [N][N]'],
  [['a', 'b'], '[[][N][C][a][N][N][C][b][N][]]'],
  [{ a: 1 }, '[{][N][i] 01 [a][N][i] 01 [N][}]'],
  [[1, 2], '[[][#][i] 02 [N][i] 01 [N][i] 02'],
  [[], '[[][#][i] 00'],
  [[29.5, 31], '[[][$][d][#][i] 02 41ec0000 41f80000'],
  [[1, 255], '[[][$][U][#][i] 02 01ff'],
  [['a', ''], '[[][$][S][#][i] 02 [i] 01 [a] [i] 00'],
  [[1.25], '[[][$][H][#][i] 01 [i] 04 [1.25]'],
  [[[1], [], [2, 3]], '[[][$][[][#][i] 03 [i] 01 []] [#][i] 00 [$][i][#][i] 02 0203'],
  [[{ a: 1 }, {}], '[[][$][{][#][i] 02 [i] 01 [a][i] 01 [}] [}]'],
  [Array(512).fill(false), '[[][$][F][#][I] 0200'],
  [{ lat: 29.5, alt: 67 }, '[{][$][d][#][i] 02 [i] 03 [lat] 41ec0000 [i] 03 [alt] 42860000'],
  [{ lat: 1 }, '[{][#][i] 01 [i] 03 [lat][i] 01'],
  [{ name: null, email: null }, '[{][$][Z][#][i] 02 [i] 04 [name][i] 05 [email]'],
  [{ a: 2 }, '[{][i] 01 [a][i] 01 [i] 01 [a][i] 02 [}]'],
]

describe('UBJSON', () => {
  it('encodes and decodes the values of the draft byte for byte', () => {
    for (const [value, bytes] of both) {
      encodeUbjson(value).toString('hex').should.equal(block(bytes).toString('hex'), bytes)
      should(decodeUbjson(block(bytes))).eql(value, bytes)
    }
  })

  it('decodes the other forms of the draft', () => {
    for (const [value, bytes] of readOnly) should(decodeUbjson(block(bytes))).eql(value, bytes)
  })

  it('decodes bytes in the middle of a larger buffer', () => {
    const within = block('[Z][Z][S][i] 03 [ham][Z]')
    should(decodeUbjson(within.subarray(2, 8))).equal('ham')
    should(decodeUbjson(new Uint8Array(within).subarray(2, 8))).equal('ham')
  })

  it('writes floats as float64, bytes as a list of uint8, and what JSON cannot hold as JSON does', () => {
    encodeUbjson(asFloat(25)).should.eql(block('[D] 4039000000000000'))
    encodeUbjson(5n).should.eql(block('[L] 0000000000000005'))
    encodeUbjson(Buffer.from([1, 2])).should.eql(block('[[][$][U][#][i] 02 0102'))
    for (const nothing of [NaN, Infinity, asFloat(NaN), undefined, () => 1, Symbol('x')]) {
      encodeUbjson(nothing).should.eql(block('[Z]'))
    }
    const lists = [
      undefined,
      new Date(0),
      Object('x'),
      { a: undefined, toJSON: 1 },
      { toJSON: () => undefined },
    ]
    should(decodeUbjson(encodeUbjson(lists))).eql(JSON.parse(JSON.stringify(lists)))
    encodeUbjson('\ud800').should.eql(block('[S][i] 03 efbfbd'))
  })

  it('keeps high-precision numbers on the way to device JSON', () => {
    const digits = '1.00000000000000000000001'
    renderJson(decodeUbjson(encodeUbjson(new HighPrecision(digits)))).should.equal(digits)
    JSON.stringify([new HighPrecision(digits)]).should.equal(`["${digits}"]`)
    for (const text of ['', '1.', '+1', '01', 'NaN', '1e', ' 1', '1'.repeat(4097)]) {
      should(() => new HighPrecision(text)).throw(RangeError)
    }
  })

  it('makes every key an own property of the object', () => {
    const read = decodeUbjson(encodeUbjson(JSON.parse('{"__proto__":{"polluted":1},"constructor":2}')))
    Object.keys(read as object).should.eql(['__proto__', 'constructor'])
    should(Object.getPrototypeOf(read)).equal(Object.prototype)
    should(({} as { polluted?: unknown }).polluted).be.undefined()
    const listed = decodeUbjson(block('[{][$][Z][#][i] 01 [i] 09 [__proto__]'))
    Object.hasOwn(listed as object, '__proto__').should.be.true()
  })

  it('refuses to write a value that contains itself or is nested more than 200 levels deep', () => {
    const itself: unknown[] = []
    itself.push(itself, itself)
    should(() => encodeUbjson(itself)).throw(RangeError)
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { in: nested(levels - 1) })
    should(decodeUbjson(encodeUbjson(nested(200)))).eql(nested(200))
    should(() => encodeUbjson(nested(201))).throw(/more than 200 levels/)
  })

  it('encodes a message while another one is being encoded', () => {
    const outer = {
      a: 1,
      inner: { toJSON: () => encodeUbjson('inner').toString('latin1') },
      b: 'x'.repeat(5000),
    }
    should(decodeUbjson(encodeUbjson(outer))).eql({ a: 1, inner: 'Si\x05inner', b: 'x'.repeat(5000) })
  })

  it('says in a sentence what is wrong and where', () => {
    const wrong: [string, RegExp, number][] = [
      ['', /ends where a value/, 0],
      ['[N][N]', /ends where a value/, 2],
      ['[Z][Z]', /More bytes follow/, 1],
      ['[x]', /No value begins/, 0],
      ['[S][i] 05 [ham]', /ends 2 bytes too early/, 3],
      ['[S][i] ff [ham]', /length is negative/, 1],
      ['[S][D] 3ff0000000000000 [a]', /length must be an integer/, 1],
      ['[S][i] 02 c328', /not UTF-8/, 3],
      ['[S][i] 03 eda080', /not UTF-8/, 3],
      ['[C] 80', /not ASCII/, 1],
      ['[H][i] 02 [1.]', /high-precision/, 1],
      ['[[][T]', /ends where a value/, 2],
      ['[[][}]', /No value begins/, 1],
      ['[{][S][i] 01 [a]', /length must be an integer/, 1],
      ['[[][$][N][#][i] 02', /of this type/, 2],
      ['[[][$][$][#][i] 02', /of this type/, 2],
      ['[[][$][i] 0102', /lacks its count/, 3],
      ['[[][#][i] ff', /length is negative/, 2],
      ['[[][#][i] 02 [T]', /more values than bytes/, 1],
      ['[[][#][i] 01 [T][]]', /More bytes follow/, 5],
    ]
    for (const [bytes, sentence, offset] of wrong) {
      should(() => decodeUbjson(block(bytes))).throw(UbjsonError, {
        message: sentence,
        offset,
        name: 'UbjsonError',
      })
    }
  })
})
