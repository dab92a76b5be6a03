import 'should'
import { LossCount, Meter } from '../../lib/streams/receiver'
import { seededRandom } from '../../virtual-device/values'

const start = 1_700_000_000

/** Timestamps of a stream without losses. */
const stamps = (count: number, rate: number) =>
  Array.from({ length: count }, (_, index) => start + index / rate)

function losses(times: readonly number[], period?: number) {
  const count = new LossCount(period)
  let newest = times[0] ?? 0
  for (const time of times.slice(1)) if (count.add(time - newest)) newest = time
  return count.losses
}
const nothing = { gaps: 0, longestGap: 0, lost: 0, late: 0, repeated: 0, pauses: 0 }

describe('losses by timestamp', () => {
  it('are zero if every message arrived, at any rate', () => {
    for (const rate of [10, 12.5, 25, 200, 1000]) losses(stamps(500, rate)).should.deepEqual(nothing)
  })

  it('are zero if the camera is not perfectly regular', () => {
    const random = seededRandom(1)
    losses(stamps(1000, 25).map((time) => time + (random() - 0.5) * 0.01)).should.deepEqual(nothing)
  })

  it('are counted one by one, including those before the rate was known', () => {
    for (const gone of [[3], [3, 4, 5], [100], [2, 50, 51, 300]])
      losses(stamps(400, 200).filter((_, index) => !gone.includes(index))).lost.should.equal(gone.length)
  })

  it('are counted if two of three messages are lost at random', () => {
    const random = seededRandom(2)
    const all = stamps(3000, 200)
    const times = all.filter((_, index) => index === 0 || index === 2999 || random() < 1 / 3)
    losses(times, 1 / 200).lost.should.equal(all.length - times.length)
  })

  it('are grouped in gaps', () => {
    const times = stamps(400, 200).filter((_, index) => !(index >= 100 && index < 140) && index !== 200)
    const { gaps, lost, longestGap } = losses(times)
    ;[gaps, lost].should.deepEqual([2, 41])
    longestGap.should.be.approximately(41 / 200, 1e-6)
  })

  it('are taken back when the message arrives late', () => {
    const times = stamps(100, 200)
    const late = times.splice(50, 1)
    times.splice(53, 0, ...late)
    losses(times).should.containEql({ lost: 0, late: 1, gaps: 1 })
  })

  it('do not include repeated messages', () => {
    losses(stamps(100, 200).flatMap((time) => [time, time])).should.containEql({ repeated: 100, lost: 0 })
  })

  it('do not include pauses of a device or changes of its clock', () => {
    const first = stamps(100, 200)
    for (const jump of [-3600, 11, 86_400])
      losses([...first, ...first.map((time) => time + 0.5 + jump)]).should.containEql({
        pauses: 1,
        lost: 0,
        gaps: 0,
      })
  })
})

describe('the meter of a stream', () => {
  const timestamp = (seconds: number) => {
    const sec = Math.floor(seconds)
    return { sec, nsec: 1000 * Math.round((seconds - sec) * 1e6) }
  }
  /** Messages that arrive from 5000 ms on, each this many ms late. */
  const measured = (count: number, rate: number, delay: (index: number) => number) => {
    const meter = new Meter()
    for (let index = 0; index < count; index++)
      meter.message(timestamp(start + index / rate), 5000 + (index * 1000) / rate + delay(index))
    return meter
  }

  it('measures the rate, and notices that nothing arrives any more', () => {
    for (const rate of [10, 25, 200, 5000]) {
      const meter = measured(3 * rate, rate, () => 0)
      const end = 5000 + ((3 * rate - 1) * 1000) / rate
      meter.report(end).rate.should.be.approximately(rate, 0.01 * rate)
      meter.report(end + 3000).rate.should.equal(0)
      meter.silence(end + 3000).should.be.approximately(3000, 1e-6)
    }
  })

  it('measures how unevenly messages arrive', () => {
    measured(500, 200, () => 0)
      .report(8000)
      .jitter.should.be.below(1e-3)
    measured(500, 200, (index) => (index % 2 ? 2 : 0))
      .report(8000)
      .jitter.should.be.approximately(2, 0.01)
  })

  it('has no values before the first message', () => {
    new Meter().report(1000).should.deepEqual({ rate: 0, jitter: 0, ...nothing })
    new Meter().silence(1000).should.equal(Infinity)
  })

  it('has the newest timestamp', () => {
    const report = measured(3, 200, () => 0).report(5030)
    report.should.containDeep({ timestamp: { sec: start, nsec: 10_000_000 }, silence: 20 })
  })
})
