import { setTimeout as wait } from 'node:timers/promises'
import should from 'should'
import { startPolling } from '../../../lib/plc/client'
import { MovedClock } from '../../support/moved-clock'

describe('startPolling', () => {
  let clock: MovedClock
  beforeEach(() => {
    clock = new MovedClock(1)
  })
  afterEach(() => clock.stop())

  it('keeps to whole multiples of the interval, however long each poll takes', async () => {
    const at: number[] = []
    const polling = startPolling(async () => {
      at.push(clock.now)
      await wait(at.length % 5 ? 17 : 55)
    }, 40)
    await clock.move(1000)
    polling.stop()
    // Every fifth takes longer than the interval. The shortest timer takes a millisecond.
    const begun = [...Array(26).keys()].filter((slot) => slot % 6 !== 5).map((slot) => 40 * slot)
    at.should.eql([1, ...begun.slice(1)])
    const { mean = NaN, longest, skipped } = polling.measured
    skipped.should.equal(4)
    should(longest).equal(80)
    mean.should.be.approximately(999 / 21, 1e-9)
  })

  it('begins no poll while one has not ended, and makes up for none', async () => {
    let underWay = 0
    let most = 0
    const at: number[] = []
    const polling = startPolling(async () => {
      at.push(clock.now)
      most = Math.max(most, ++underWay)
      await wait(35)
      underWay--
    }, 10)
    await clock.move(250)
    polling.stop()
    most.should.equal(1)
    at.should.eql([1, 40, 80, 120, 160, 200, 240])
    polling.measured.skipped.should.equal(3 * 6)
  })

  it('polls no more after it was stopped, in the middle of a poll too', async () => {
    let count = 0
    let end = () => {}
    const polling = startPolling(() => {
      count++
      return new Promise((resolve) => (end = resolve))
    }, 1)
    await clock.move(5)
    count.should.equal(1)
    polling.stop()
    end()
    await clock.move(10)
    count.should.equal(1)
  })
})
