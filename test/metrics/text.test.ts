import 'should'
import { metricsText, SeriesGroup, type Families } from '../../lib/metrics'

const families = {
  things_total: { type: 'counter', help: 'Things: "a\\b"\nof all kinds.', labels: ['kind'] },
  heat_celsius: { type: 'gauge', help: 'Heat.', labels: ['place'] },
  wait_seconds: { type: 'histogram', help: 'Waits.', buckets: [0.5, 1] },
} as const satisfies Families

const groupOf = (name: string, most?: number) => new SeriesGroup(families, { device: name }, most)
const textOf = (...groups: SeriesGroup[]) => [...metricsText(families, groups)].join('')
const linesOf = (text: string) => text.split('\n').filter((line) => line && !line.startsWith('#'))

describe('the text for Prometheus', () => {
  it('has the series of a metric together, below its help and type', () => {
    const [one, other] = [groupOf('one'), groupOf('other')]
    one.counter('things_total', { kind: 'a' }).value += 2
    other.counter('things_total', { kind: 'a' }).value++
    other.gauge('heat_celsius', '', 2, () => [
      { labels: { place: 'left' }, value: 40.5 },
      { labels: { place: 'right' }, value: Infinity },
    ])
    textOf(one, other).should.equal(`# HELP things_total Things: "a\\\\b"\\nof all kinds.
# TYPE things_total counter
things_total{device="one",kind="a"} 2
things_total{device="other",kind="a"} 1
# HELP heat_celsius Heat.
# TYPE heat_celsius gauge
heat_celsius{device="other",place="left"} 40.5
heat_celsius{device="other",place="right"} +Inf
`)
  })

  it('has cumulative buckets, a bound belongs to its bucket, and sum and count', () => {
    const group = groupOf('one')
    const histogram = group.histogram('wait_seconds')
    for (const value of [0.25, 0.5, 0.75, 2]) histogram.observe(value)
    linesOf(textOf(group)).should.deepEqual([
      'wait_seconds_bucket{device="one",le="0.5"} 2',
      'wait_seconds_bucket{device="one",le="1"} 3',
      'wait_seconds_bucket{device="one",le="+Inf"} 4',
      'wait_seconds_sum{device="one"} 3.5',
      'wait_seconds_count{device="one"} 4',
    ])
  })

  it('escapes label values and shortens long ones', () => {
    const group = groupOf('back\\slash "quoted"\nline')
    group.counter('things_total', { kind: 'x'.repeat(1000) })
    const [line = ''] = linesOf(textOf(group))
    line.should.startWith('things_total{device="back\\\\slash \\"quoted\\"\\nline",kind="xxx')
    line.should.endWith('x…"} 0')
    line.length.should.be.below(200)
  })

  it('leaves out what exceeds the limit of a thing, and says so', () => {
    const group = groupOf('one', 10)
    for (let kind = 0; kind < 1000; kind++) group.counter('things_total', { kind: String(kind) }).value++
    group.histogram('wait_seconds').observe(1)
    linesOf(textOf(group)).length.should.equal(10)
    group.isFull.should.be.true()
  })

  it('has room again for what replaces a gauge that was taken away', () => {
    const group = groupOf('one', 1)
    const place = (name: string) =>
      group.gauge('heat_celsius', name, 1, () => [{ labels: { place: name }, value: 1 }])
    const takeAway = place('left')
    takeAway()
    takeAway()
    place('right')
    place('third')
    linesOf(textOf(group)).should.deepEqual(['heat_celsius{device="one",place="right"} 1'])
  })

  it('comes in short pieces, however many things there are', () => {
    const groups = Array.from({ length: 1000 }, (_, index) => groupOf(`device ${index}`))
    for (const group of groups)
      for (let kind = 0; kind < 40; kind++) group.counter('things_total', { kind: String(kind) }).value++
    const pieces = [...metricsText(families, groups)]
    Math.max(...pieces.map((piece) => linesOf(piece).length)).should.be.below(150)
    linesOf(pieces.join('')).length.should.equal(40_000)
  })
})
