import should from 'should'
import { Durations, durationSteps } from '../../lib/plc/handshake/figures'

describe('durations of cycles', () => {
  it('are nothing before the first', () => should(new Durations().summary).be.undefined())

  it('are told by the median, the 99th percentile, the longest, and bars', () => {
    const durations = new Durations()
    for (let each = 1; each <= 100; each++) durations.add(each)
    const { bars = [], ...numbers } = durations.summary ?? {}
    should(numbers).deepEqual({ count: 100, p50: 50, p99: 99, most: 100 })
    should(bars.slice(0, 7)).deepEqual([1, 1, 3, 5, 10, 30, 50])
    should(bars).have.length(durationSteps.length + 1)
  })

  it('of more than five seconds stand in the last bar', () => {
    const durations = new Durations()
    durations.add(60_000)
    should(durations.summary?.bars.at(-1)).equal(1)
  })

  it('are those of the last thousand', () => {
    const durations = new Durations()
    durations.add(9999)
    for (let each = 0; each < 1000; each++) durations.add(7)
    should(durations.summary).match({ count: 1000, p50: 7, p99: 7, most: 7 })
  })
})
