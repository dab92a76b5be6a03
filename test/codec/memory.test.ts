import should from 'should'
import { checkJson, cost, mostMemory } from '../../lib/codec/json'
import { decodeUbjson, encodeUbjson, UbjsonError } from '../../lib/codec/ubjson'

const MiB = 1024 * 1024
const size = 2 * MiB

/** Bodies that would take many times their size in memory. */
const ubjson: Record<string, () => string> = {
  'empty objects': () => `[${'{}'.repeat(size / 2)}]`,
  'empty lists': () => `[${'[]'.repeat(size / 2)}]`,
  'objects without their ends': () => `[${'{}'.repeat(size / 2)}`,
  'lists of one': () => `[${'[[]]'.repeat(size / 4)}]`,
  'counted empty objects': () => `[$[#l\u0000\u0010\u0000\u0000${'#U\u0000'.repeat(size / 2)}`,
  'fields without a name': () => `{${'U\u0000Z'.repeat(size / 3)}}`,
}
const json: Record<string, () => string> = {
  'empty objects': () => `[${'{},'.repeat(size / 3)}0]`,
  'empty lists': () => `[${'[],'.repeat(size / 3)}0]`,
  'empty objects behind one another': () => '{}'.repeat(size / 2),
  'opening brackets': () => '['.repeat(size),
  'nested objects': () => '{"a":'.repeat(size / 5),
  'short fields': () => `{${'"":0,'.repeat((16 * MiB) / 5)}"":0}`,
}

describe('the memory of a body', () => {
  for (const [what, body] of Object.entries(ubjson))
    it(`is bounded for UBJSON of ${what}`, () => {
      const bytes = Buffer.from(body(), 'latin1')
      const error = failureOf(() => decodeUbjson(bytes))
      should(error).be.instanceof(UbjsonError)
      // It stops after as many values as the limit allows, and never reads the rest.
      const { offset } = error as UbjsonError
      offset.should.be.belowOrEqual(bytes.length)
      offset.should.be.below((mostMemory(bytes.length) / cost.value) * 3)
    })

  for (const [what, body] of Object.entries(json))
    it(`is bounded for JSON of ${what}, before it is parsed`, () =>
      should(failureOf(() => checkJson(Buffer.from(body())))).be.instanceof(RangeError))

  it('is limited to 40 MiB by default, whatever is sent', () => {
    for (const bytes of [16 * MiB, 1024 * MiB]) mostMemory(bytes).should.equal(40 * MiB)
    mostMemory(1000).should.be.below(2.1 * MiB)
  })

  it('suffices for real answers: the longest log, thousands of parameters, long lists and texts', () => {
    const entry = { component: 'dev_camera', level: 'INFO', message: 'fps set to 25', timestamp: 1.5 }
    const parameter = {
      name: 'fps',
      type: 'float64',
      value: 1.5,
      default: 25,
      min: 1,
      max: 25,
      description: '',
    }
    const bodies = [
      { name: 'a.log', date: 1, log: new Array<object>(100_000).fill(entry) },
      new Array<object>(10_000).fill({ ...parameter, description: 'rate (Hz)' }),
      new Array<number>(1_000_000).fill(0),
      new Array<boolean>(500_000).fill(true),
      ['[{,:'.repeat(500_000), '\\"[{'.repeat(100_000)],
      new Array<object>(1000).fill({ regions: [], items: {} }),
    ]
    for (const body of bodies) {
      checkJson(Buffer.from(JSON.stringify(body)))
      should(JSON.stringify(decodeUbjson(encodeUbjson(body))) === JSON.stringify(body)).be.true()
    }
  })
})

function failureOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}
