import fc from 'fast-check'
import should from 'should'
import { jsonSteps, stepBytes } from '../../lib/codec/json'
import { decodeUbjson, encodeUbjson, UbjsonError, ubjsonSteps } from '../../lib/codec/ubjson'
import { stepValues } from '../../lib/codec/ubjson/decode'
import { seededRandom } from '../../virtual-device/values'

const megabyte = 1024 * 1024
const keys = Array.from({ length: 10_000 }, (_, index) => `k${index.toString(36)}`)
const entry = { component: 'dev_camera', level: 'INFO', message: 'fps [set] to {25}, "so"\\', timestamp: 1.5 }

const someKeys = Object.fromEntries(keys.slice(0, 300).map((key) => [key, 1] as const))

/** Long bodies, each with different content. */
const values: Record<string, unknown> = {
  'unique keys': Object.fromEntries(keys.map((key) => [key, null])),
  'a log': { name: 'a.log', date: 1, log: new Array<object>(3000).fill(entry) },
  'a list of numbers': Array.from({ length: 10_000 }, (_, index) => index / 7),
  'long lists in lists': nested(new Array<number>(5000).fill(1), 150),
  'long objects in objects': keys
    .slice(0, 150)
    .reduce<object>((inner, key) => ({ ...someKeys, [key]: inner, z: 0 }), {}),
  'long texts': ['x'.repeat(megabyte), { ['é"\\\u0000'.repeat(30_000)]: '\\"[{,'.repeat(50_000) }],
  'a text alone': 'x'.repeat(megabyte),
  'nothing in much': [[], {}, [[]], { a: {} }, new Array<object>(10_000).fill([{}])],
}

describe('a long body', () => {
  for (const [what, value] of Object.entries(values)) {
    it(`of ${what} gives the same result in steps, for UBJSON and JSON`, () => {
      const plain = JSON.stringify(value)
      should(JSON.stringify(inSteps(ubjsonSteps(encodeUbjson(value))).value) === plain).be.true('UBJSON')
      for (const text of [plain, ` \n${JSON.stringify(value, null, 3)}\r\n\t`])
        should(JSON.stringify(inSteps(jsonSteps(Buffer.from(text))).value) === plain).be.true('JSON')
    })
  }

  it('gives the same result if a step of a text ends after a backslash', () => {
    for (let offset = 0; offset < 4; offset++) {
      const value = ['x'.repeat(offset), '"[\\'.repeat(stepBytes), 1]
      should(inSteps(jsonSteps(Buffer.from(JSON.stringify(value)))).value).eql(value)
    }
  })

  it('lets others have their turn after a bounded amount of work', () => {
    for (const value of [values['unique keys'], values['a list of numbers']]) {
      const steps = inSteps(ubjsonSteps(encodeUbjson(value))).count
      steps.should.be.aboveOrEqual(Math.floor(10_000 / (stepValues + 1)))
    }
    // A body with few values but many bytes pauses by bytes, even if it is invalid at the end.
    for (const text of ['{"key":0,', '[0,0,', '["x', '    ']) {
      const bytes = Buffer.from(text + text.slice(1).repeat(megabyte / text.length))
      stepsOf(jsonSteps(bytes)).should.be.aboveOrEqual(Math.floor(bytes.length / stepBytes / 2))
    }
  })

  it('pauses between closing brackets that leave much to read', () => {
    const levels = 100
    const text = `[${'0,'.repeat(stepBytes / 2)}`.repeat(levels) + '0' + ']'.repeat(levels)
    // By its bytes, and once for each bracket.
    inSteps(jsonSteps(Buffer.from(text))).count.should.be.aboveOrEqual(
      Math.floor(text.length / stepBytes) + levels - 1,
    )
  })

  it('keeps every key as an own property, and the last of equal ones', () => {
    const long = `[${'0,'.repeat(stepBytes)}0]`
    const text = `{"a":1,"__proto__":${long},"a":${long},"2":0,"1":${long},"a":2,"constructor":{"__proto__":null}}`
    const value = inSteps(jsonSteps(Buffer.from(text))).value as object
    JSON.stringify(value).should.equal(JSON.stringify(JSON.parse(text)))
    should(Object.getPrototypeOf(value)).equal(Object.prototype)
  })

  it('is refused if it is not valid JSON, wherever the error is', () => {
    const long = `[${'0,'.repeat(stepBytes)}0]`
    const faults = [
      ...[
        '',
        ' ',
        ',',
        `${long},`,
        `${long}${long}`,
        `${long} 1`,
        `1${long}`,
        `"a":${long}`,
        `${long}]`,
        `[${long}`,
      ],
      ...[
        `[${long}${long}]`,
        `[${long}[]]`,
        `[${long},]`,
        `[,${long}]`,
        `[1,,${long}]`,
        `[${long} 1]`,
        `[1${long}]`,
      ],
      ...[
        `{${long}}`,
        `{"a"${long}}`,
        `{"a":${long},}`,
        `{"a":${long}"b":1}`,
        `{"a":1 ${long}}`,
        `{"a":${long}]`,
      ],
      ...[`{"a":"b":${long}}`, `["a":${long}]`, `[${long}}`, `[-${long}]`, `[${long},"]`, `[${long}\u00a0]`],
      ...[
        long.slice(0, -1),
        long.replace(',', ',,'),
        long.replace('0]', ']'),
        `\ufeff${long}`,
        `${long}\u0000`,
      ],
    ]
    for (const text of faults) {
      should(() => JSON.parse(text) as unknown).throw(SyntaxError)
      should(() => inSteps(jsonSteps(Buffer.from(text)))).throw(SyntaxError)
    }
    const deep = '['.repeat(201) + ']'.repeat(201)
    should(() => inSteps(jsonSteps(Buffer.from(deep)))).throw(RangeError)
    should(() => inSteps(jsonSteps(Buffer.from(deep.slice(1)), { levels: 199 }))).throw(RangeError)
    should(() => inSteps(jsonSteps(Buffer.from(`[${'{},'.repeat(megabyte)}0]`)))).throw(RangeError)
  })

  it('is refused for an object with too many fields, before the rest is read', () => {
    const names = Array.from({ length: 16_385 }, (_, index) => `k${index.toString(36)}`)
    const objectOf = (count: number) =>
      Object.fromEntries(names.slice(0, count).map((name) => [name, 'text'] as const))
    const long = new Array<number>(stepBytes).fill(0)
    const most = [objectOf(16_384), objectOf(16_384)]
    for (const value of [objectOf(16_385), { ...objectOf(16_384), long }]) {
      should(() => inSteps(ubjsonSteps(encodeUbjson(value)))).throw(UbjsonError)
      should(() => inSteps(jsonSteps(Buffer.from(JSON.stringify(value))))).throw(RangeError)
    }
    inSteps(ubjsonSteps(encodeUbjson(most)))
    inSteps(jsonSteps(Buffer.from(JSON.stringify(most))))
    // 2 MiB of the same field, of which a part is read.
    const bytes = Buffer.from(`{${'U\u0001aZ'.repeat(megabyte / 2)}`, 'latin1')
    const steps = ubjsonSteps(bytes)
    let count = 0
    should(() => {
      for (; !steps.next().done; count++);
    }).throw(UbjsonError)
    count.should.be.below(16_385 / stepValues)
  })

  it('is read or refused as it is without steps, whatever it contains', () => {
    const random = seededRandom(3)
    const below = (limit: number) => Math.floor(random() * limit)
    const samples = fc.sample(fc.jsonValue({ maxDepth: 4 }), { numRuns: 300, seed: 5 })
    for (const sample of samples) {
      const ubjson = encodeUbjson([sample, sample])
      const json = Buffer.from(JSON.stringify({ a: sample, b: [sample] }))
      // A long member moves the positions at which pieces are cut.
      const long = Buffer.concat([
        Buffer.from(`[${' '.repeat(stepBytes)}`),
        json,
        Buffer.from(`${','.padEnd(stepBytes)}${json.toString()}]`),
      ])
      for (const bytes of [ubjson, json, long])
        for (const wrong of [false, true]) {
          const given = Buffer.from(bytes)
          if (wrong) given[below(given.length)] = '[]{},:"0 $#Z'.charCodeAt(below(12))
          const [atOnce, steps] =
            bytes === ubjson
              ? [() => decodeUbjson(given), () => inSteps(ubjsonSteps(given)).value]
              : [() => JSON.parse(given.toString()) as unknown, () => inSteps(jsonSteps(given)).value]
          outcome(steps).should.equal(outcome(atOnce))
        }
    }
  })
})

function nested(list: unknown[], levels: number): unknown[] {
  return levels === 0 ? [] : [...list.slice(0, 50), nested(list, levels - 1), ...list.slice(0, levels)]
}

function inSteps(work: Generator<undefined, unknown>): { value: unknown; count: number } {
  for (let count = 0; ; count++) {
    const { done, value } = work.next()
    if (done) return { value, count }
  }
}

/** Number of steps until it is read or refused. */
function stepsOf(work: Generator<undefined, unknown>): number {
  let count = 0
  try {
    while (!work.next().done) count++
  } catch (error) {
    should(error).be.instanceof(SyntaxError)
  }
  return count
}

function outcome(work: () => unknown): string {
  try {
    return JSON.stringify(work(), (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
  } catch (error) {
    return (error as Error).name
  }
}
