import { setTimeout as wait } from 'node:timers/promises'
import 'should'
import { startPolling } from '../../../lib/plc/modbus/polling'
import { eventually } from '../../support/eventually'

describe('startPolling', () => {
  it('keeps to whole multiples of the interval, however long each poll takes', async () => {
    const at: number[] = []
    const started = performance.now()
    const polling = startPolling(async () => {
      at.push(performance.now() - started)
      await wait(7)
    }, 10)
    await eventually(() => at.length.should.be.aboveOrEqual(40))
    polling.stop()
    // Intervals and pauses of 7 ms would add up to 17 ms each. A busy computer may leave some out, which is counted.
    const slots = at.map((each) => Math.floor((each + 1.5) / 10))
    new Set(slots).size.should.be.aboveOrEqual(slots.length - 1)
    const { mean = NaN, longest = NaN, skipped } = polling.measured
    mean.should.be.above(9)
    longest.should.be.aboveOrEqual(mean)
    slots.at(-1)?.should.be.belowOrEqual(slots.length + skipped + 1)
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
