import { mock } from 'node:test'
import 'should'
import { RateMeter, Throttle, TokenBucket } from '../../lib/kernel/rate'

describe('a throttle', () => {
  let passed: number[]
  let throttle: Throttle<number>
  let now = 0

  /** @param milliseconds in steps of one, as a timer and the clock go together */
  const elapse = (milliseconds: number) => {
    for (let step = 0; step < milliseconds; step++) {
      now++
      mock.timers.tick(1)
    }
  }

  beforeEach(() => {
    now = 0
    passed = []
    mock.timers.enable({ apis: ['setTimeout'] })
    mock.method(performance, 'now', () => now)
    throttle = new Throttle<number>(100, (value) => passed.push(value))
  })
  afterEach(() => {
    throttle.close()
    mock.timers.reset()
    mock.restoreAll()
  })

  it('passes on the first value at once, and then the newest at the end of the period', () => {
    throttle.push(1)
    passed.should.eql([1])
    throttle.push(2)
    throttle.push(3)
    elapse(99)
    passed.should.eql([1])
    elapse(1)
    passed.should.eql([1, 3])
    throttle.skipped.should.equal(1)
  })

  it('passes on at once what comes after a pause', () => {
    throttle.push(1)
    elapse(250)
    throttle.push(2)
    passed.should.eql([1, 2])
    throttle.skipped.should.equal(0)
  })

  it('passes on nothing after it is closed', () => {
    throttle.push(1)
    throttle.push(2)
    throttle.close()
    elapse(500)
    throttle.push(3)
    elapse(500)
    passed.should.eql([1])
  })

  it('waits again where a timer fires early', () => {
    throttle.push(1)
    throttle.push(2)
    now -= 1
    elapse(100)
    passed.should.eql([1])
    elapse(1)
    passed.should.eql([1, 2])
  })
})

describe('a rate meter', () => {
  it('measures over its last events', () => {
    const meter = new RateMeter({ events: 3 })
    meter.rate().should.equal(0)
    for (const at of [0, 1000, 1100, 1200]) meter.add(at)
    meter.rate().should.be.approximately(10, 1e-9)
    meter.count.should.equal(4)
    meter.lastAt.should.equal(1200)
  })

  it('forgets what is older than its span', () => {
    const meter = new RateMeter({ events: 100, span: 500 })
    for (let at = 0; at <= 400; at += 100) meter.add(at)
    meter.rate(400).should.be.approximately(10, 1e-9)
    meter.rate(850).should.equal(0)
    meter.rate(2000).should.equal(0)
  })
})

describe('a token bucket', () => {
  it('allows a burst, then so many per second', () => {
    let now = 0
    const bucket = new TokenBucket(2, 1, () => now)
    ;[bucket.take(), bucket.take(), bucket.take()].should.eql([true, true, false])
    now = 1000
    ;[bucket.take(), bucket.take()].should.eql([true, false])
  })
})
