import { setTimeout as wait } from 'node:timers/promises'
import 'should'
import { startPolling } from '../../../lib/plc/modbus/polling'
import { eventually } from '../../support/eventually'

/** Polling, and when its polls began, by its own clock: it is started anew if the computer paused meanwhile. */
function startedAtOnce() {
  for (;;) {
    const at: number[] = []
    const started = performance.now()
    const polling = startPolling(async () => {
      at.push(performance.now() - started)
      await wait(17)
    }, 40)
    if (performance.now() - started < 1) return { at, polling }
    polling.stop()
  }
}

describe('startPolling', () => {
  it('keeps to whole multiples of the interval, however long each poll takes', async () => {
    const { at, polling } = startedAtOnce()
    await eventually(() => at.length.should.be.aboveOrEqual(25))
    polling.stop()
    // Pauses after each poll would add up, and spread the polls over the whole interval. A timer may fire a little early, and
    // a busy computer late.
    const late = at.map((each) => (each + 1.5) % 40).sort((one, other) => one - other)
    ;(late[12] ?? NaN).should.be.below(10)
    const slots = at.map((each) => Math.floor((each + 1.5) / 40))
    // So does a late poll that ends just before the next.
    new Set(slots).size.should.be.aboveOrEqual(slots.length - 2)
    const { mean = NaN, longest = NaN, skipped } = polling.measured
    mean.should.be.above(38)
    longest.should.be.aboveOrEqual(mean)
    slots.at(-1)?.should.be.belowOrEqual(slots.length + skipped)
  })

  it('begins no poll while one has not ended, and makes up for none', async () => {
    let underWay = 0
    let most = 0
    let count = 0
    const polling = startPolling(async () => {
      count++
      most = Math.max(most, ++underWay)
      await wait(35)
      underWay--
    }, 10)
    await eventually(() => count.should.be.aboveOrEqual(6))
    polling.stop()
    most.should.equal(1)
    polling.measured.skipped.should.be.aboveOrEqual((count - 1) * 2)
    polling.measured.mean?.should.be.above(34)
  })

  it('polls no more after it was stopped, in the middle of a poll too', async () => {
    let count = 0
    let end = () => {}
    const polling = startPolling(() => {
      count++
      return new Promise((resolve) => (end = resolve))
    }, 1)
    await eventually(() => count.should.equal(1))
    polling.stop()
    end()
    await wait(10)
    count.should.equal(1)
  })
})
