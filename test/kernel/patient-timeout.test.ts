import { mock } from 'node:test'
import 'should'
import { patientTimeout } from '../../lib/kernel/timers'
import { MovedClock } from '../support/moved-clock'

describe('a patient timeout', () => {
  let clock: MovedClock
  beforeEach(() => (clock = new MovedClock()))
  afterEach(() => clock.stop())

  it('passes once, after its time', async () => {
    let passed = 0
    patientTimeout(() => passed++, 10_000)
    await clock.move(9_750)
    passed.should.equal(0)
    await clock.move(60_000)
    passed.should.equal(1)
  })

  it('can be cancelled, and does not mind that afterwards', async () => {
    let passed = 0
    const cancel = patientTimeout(() => passed++, 10_000)
    await clock.move(5_000)
    cancel()
    cancel()
    await clock.move(60_000)
    passed.should.equal(0)
  })

  it('counts time for which the process was stopped as one step', async () => {
    let passed = 0
    patientTimeout(() => passed++, 10_000)
    // All timers that are due fire, once: the next step begins only then.
    mock.timers.setTime(60_000)
    await clock.move(8_500)
    passed.should.equal(0)
    await clock.move(1_000)
    passed.should.equal(1)
  })
})
