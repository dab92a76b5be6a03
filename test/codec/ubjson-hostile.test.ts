import fc from 'fast-check'
import should from 'should'
import { decodeUbjson, encodeUbjson, UbjsonError } from '../../lib/codec/ubjson'
import { seededRandom } from '../../virtual-device/values'
import { block } from './ubjson-block'

const inputs = process.env['CELLSIGHT_LONG'] ? 1_000_000 : 10_000
const free = 1000

describe('UBJSON from untrusted sources', function () {
  this.timeout(process.env['CELLSIGHT_LONG'] ? 1_200_000 : 120_000)

  it('refuses announced lengths that the bytes cannot hold, before allocating memory', () => {
    const counts = ['[l] 7fffffff', '[L] 7fffffffffffffff', '[L] 0010000000000000']
    const heads = [
      '[T',
      '[#',
      '[$T#',
      '[$U#',
      '[$D#',
      '[$S#',
      '[$[#',
      '[${#',
      '{#',
      '{$Z#',
      '{$[#',
      'S',
      'H',
      '{',
    ]
    const before = process.memoryUsage().heapUsed
    for (const head of heads) {
      for (const count of counts) {
        refused(Buffer.concat([Buffer.from(head), block(count), Buffer.from('aaaa')]))
      }
    }
    ;(process.memoryUsage().heapUsed - before).should.be.below(8e6)
  })

  it('limits the values that have no bytes of their own, all lists together', () => {
    should(decodeUbjson(block('[[][$][T][#][l] 000186a0'))).have.length(100_000)
    refused(block('[[][$][T][#][l] 000186a1'))
    refused(block('[[] [[][$][T][#][l] 0000c351 [[][$][Z][#][l] 0000c350 []]'))
    refused(block('[[][$][[][#][i] 02 [$][F][#][l] 00010000 [$][F][#][l] 00010000'))
    should(decodeUbjson(block('[[][$][Z][#][i] 02'), { maxFreeValues: 2 })).eql([null, null])
    refused(block('[[][$][Z][#][i] 03'), { maxFreeValues: 2 })
  })

  it('reads exactly 200 levels, of any kind', () => {
    const nestings: ((levels: number) => string)[] = [
      (levels) => '[[]'.repeat(levels) + '[]]'.repeat(levels),
      (levels) => `${'[{][i] 01 [a]'.repeat(levels - 1)}[{]${'[}]'.repeat(levels)}`,
      (levels) => `${'[[][#][i] 01'.repeat(levels - 1)}[[][]]`,
      (levels) => `[[]${'[$][[][#][i] 01'.repeat(levels - 1)}[]]`,
      (levels) => `[{]${'[$][{][#][i] 01 [i] 01 [a]'.repeat(levels - 1)}[}]`,
    ]
    for (const nested of nestings) {
      decodeUbjson(block(nested(200)))
      refused(block(nested(201)))
      refused(block(nested(20_000)))
    }
  })

  it('refuses a message that is truncated anywhere', () => {
    const message = encodeUbjson([
      { name: 'fps', value: 25.5, list: [1, 300, 70000, 2n ** 60n, 2n ** 70n, 'é', true] },
    ])
    for (let length = 0; length < message.length; length++) refused(message.subarray(0, length))
  })

  it('reads back every value that it wrote', () => {
    const value = fc.anything({
      maxDepth: 4,
      values: [
        fc.string({ unit: 'binary' }),
        fc.integer(),
        fc.maxSafeInteger(),
        finite(),
        fc.boolean(),
        fc.constant(null),
        beyondSafe(),
      ],
      key: fc.string({ unit: 'grapheme' }),
    })
    fc.assert(
      fc.property(value, (written) => {
        should(decodeUbjson(encodeUbjson(written))).eql(written)
      }),
      { numRuns: inputs, seed: 1 },
    )
  })

  it('either reads bytes or says what is wrong with them, within the memory limit', () => {
    const random = seededRandom(1)
    const below = (limit: number) => Math.floor(random() * limit)
    const alphabet = Buffer.from('ZNTFiUIlLdDHCS[]{}$#[[$$##iiiUS')
    for (let input = 0; input < inputs; input++) {
      const bytes = Buffer.alloc(below(64))
      for (let at = 0; at < bytes.length; at++) {
        const kind = random()
        bytes[at] = kind < 0.6 ? (alphabet[below(alphabet.length)] ?? 0) : kind < 0.9 ? below(8) : below(256)
      }
      // Inside a container, more of the bytes are read.
      if (bytes.length > 0 && random() < 0.7) bytes[0] = random() < 0.7 ? 0x5b : 0x7b
      read(bytes)
    }
  })

  it('does so for valid messages with changed bytes, too', () => {
    const random = seededRandom(2)
    const below = (limit: number) => Math.floor(random() * limit)
    const [good] = fc.sample(fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 500, maxLength: 500 }), {
      numRuns: 1,
      seed: 3,
    })
    const messages = (good ?? []).map((value) =>
      encodeUbjson({ name: 'fps', value, list: Buffer.from('abc') }),
    )
    for (let input = 0; input < inputs; input++) {
      const bytes = Buffer.from(messages[below(messages.length)] ?? [])
      for (let changes = below(4); changes >= 0; changes--) bytes[below(bytes.length)] = below(256)
      read(random() < 0.2 ? bytes.subarray(0, below(bytes.length)) : bytes)
    }
  })
})

const finite = () => fc.double({ noNaN: true, noDefaultInfinity: true })
const beyondSafe = () =>
  fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }).filter((value) => !Number.isSafeInteger(Number(value)))

function refused(bytes: Uint8Array, options?: { maxFreeValues?: number }): void {
  should(() => decodeUbjson(bytes, options)).throw(UbjsonError)
}

function read(bytes: Uint8Array): void {
  try {
    const value = decodeUbjson(bytes, { maxFreeValues: free })
    size(value).should.be.belowOrEqual(bytes.length + free)
    encodeUbjson(value)
  } catch (error) {
    if (!(error instanceof UbjsonError)) throw error
    error.offset.should.be.within(0, bytes.length)
  }
}

/** Number of values inside the value, and of characters in its texts. */
function size(value: unknown): number {
  if (typeof value === 'string') return Math.max(1, value.length)
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, one) => sum + size(one), 1)
}
