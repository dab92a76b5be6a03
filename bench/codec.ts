import { renderJson } from '../lib/codec/json'
import { decodeUbjson, encodeUbjson } from '../lib/codec/ubjson'
import { median, type BenchRow } from './row'
import { codecBodies } from './support/codec-bodies'

const rounds = 31
/** Long enough for the clock, short enough that fluctuations affect both sides alike. */
const roundSeconds = 0.008

interface Comparison {
  what: string
  ours: () => unknown
  against: string
  theirs: () => unknown
}

/** Encoding and decoding, beside the engine's JSON. */
export const run = (): Promise<BenchRow[]> =>
  Promise.resolve(codecBodies.flatMap(({ name, bodies }) => comparisons(name, bodies).map(compare)))

function comparisons(name: string, bodies: readonly unknown[]): Comparison[] {
  const texts = bodies.map(renderJson)
  const jsonBytes = texts.map((text) => Buffer.from(text))
  const plain = texts.map((text) => JSON.parse(text) as unknown)
  const ubjson = bodies.map(encodeUbjson)
  return [
    {
      what: `renderJson, ${name}`,
      // Reading the length makes the engine flatten the text.
      ours: each(bodies, (body) => Buffer.byteLength(renderJson(body))),
      against: 'JSON.stringify',
      theirs: each(plain, (body) => Buffer.byteLength(JSON.stringify(body))),
    },
    {
      what: `encodeUbjson, ${name}`,
      ours: each(bodies, encodeUbjson),
      against: 'JSON.stringify to bytes',
      theirs: each(plain, (body) => Buffer.from(JSON.stringify(body))),
    },
    {
      what: `decodeUbjson, ${name}`,
      ours: each(ubjson, (bytes) => decodeUbjson(bytes)),
      against: 'JSON.parse',
      theirs: each(texts, (text) => JSON.parse(text) as unknown),
    },
    {
      what: `decodeUbjson, ${name}`,
      ours: each(ubjson, (bytes) => decodeUbjson(bytes)),
      against: 'JSON.parse from bytes',
      theirs: each(jsonBytes, (bytes) => JSON.parse(bytes.toString()) as unknown),
    },
  ]
}

function each<T>(items: readonly T[], work: (item: T) => unknown): () => unknown {
  let next = 0
  return () => work(items[next++ % items.length] as T)
}

function compare({ what, ours, against, theirs }: Comparison): BenchRow {
  const calls = { ours: callsPerRound(ours), theirs: callsPerRound(theirs) }
  const times: number[] = []
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const time = microseconds(ours, calls.ours)
    times.push(time)
    ratios.push(time / microseconds(theirs, calls.theirs))
  }
  return { what, value: median(times), unit: 'µs', against, ratio: median(ratios) }
}

/** Also warms up the work. */
function callsPerRound(work: () => unknown): number {
  microseconds(work, 300)
  return Math.ceil((roundSeconds * 1e6) / microseconds(work, 300))
}

function microseconds(work: () => unknown, calls: number): number {
  const started = process.hrtime.bigint()
  for (let call = 0; call < calls; call++) work()
  return Number(process.hrtime.bigint() - started) / 1000 / calls
}

if (require.main === module) {
  const round = (number = NaN) => Number(number.toPrecision(3))
  void run().then((rows) =>
    console.table(rows.map((row) => ({ ...row, value: round(row.value), ratio: round(row.ratio) }))),
  )
}
