import { setImmediate as nextTurn } from 'node:timers/promises'
import should from 'should'
import type { firmware } from '../../lib'
import { ProgressReporter } from '../../lib/firmware/progress-reporter'

describe('progress figures', () => {
  const told = (use: (reporter: ProgressReporter) => void): firmware.Progress[] => {
    const all: firmware.Progress[] = []
    use(new ProgressReporter('upload', (progress) => all.push(progress), 'the device', 'en-US'))
    return all
  }
  const last = (use: (reporter: ProgressReporter) => void) => told(use).at(-1)

  it('have no remaining time and no rate before anything was sent', () => {
    const progress = last((reporter) => reporter.sent(0, 1000, 1))
    should(progress).containDeep({ step: 'upload', sent: 0, total: 1000, stepPercent: 0 })
    should(progress).not.have.properties('secondsLeft', 'bytesPerSecond')
  })

  it('have no remaining time at a rate of zero, or if it exceeds a day', async () => {
    const later = async () => {
      const now = performance.now()
      while (performance.now() - now < 5) await nextTurn()
    }
    const all: firmware.Progress[] = []
    const reporter = new ProgressReporter('upload', (progress) => all.push(progress), 'the device', 'en-US')
    reporter.sent(0, 1e15, 1)
    await later()
    reporter.at('upload', 1)
    reporter.sent(0, 1e15, 2)
    reporter.sent(1e14, 1e15, 2)
    for (const { secondsLeft = 0, stepPercent, percent } of all) {
      secondsLeft.should.be.within(0, 24 * 3600)
      stepPercent.should.be.within(0, 100)
      percent.should.be.within(0, 100)
    }
    await later()
    reporter.sent(1e14 + 1e13 * 6, 1e15, 2)
    await later()
    // Almost no progress: it would take years.
    const slow = new ProgressReporter('upload', (progress) => all.push(progress), 'the device', 'en-US')
    slow.sent(0, 1e15, 1)
    await later()
    slow.sent(1, 1e15, 1)
    should(all.at(-1)?.secondsLeft).be.undefined()
  })

  it('are complete for a size of zero, and never exceed 100 %', () => {
    should(last((reporter) => reporter.sent(0, 0, 1))).containDeep({ stepPercent: 100, secondsLeft: 0 })
    should(last((reporter) => reporter.sent(2000, 1000, 1))).containDeep({ stepPercent: 100, secondsLeft: 0 })
  })

  it('report now and then that the device is away, and that it is back', () => {
    const all = told((reporter) => {
      reporter.sent(500, 1000, 2)
      reporter.away(599.2)
      reporter.away(599)
      reporter.back()
      reporter.back()
    })
    all.map(({ givesUpIn }) => givesUpIn).should.deepEqual([undefined, 600, undefined])
    all.map(({ stepPercent }) => stepPercent).should.deepEqual([50, 50, 50])
    should(all[1]?.text).match(/the device does not answer.*600 s/)
    should(all[2]?.text).match(/again \(attempt 2\)/)
  })

  it('report now and then how long an image has been waited for', () => {
    const all = told((reporter) => {
      reporter.waitsForImage(599.2)
      reporter.waitsForImage(598)
      reporter.back()
    })
    all.map(({ waitsFor, givesUpIn }) => [waitsFor, givesUpIn]).should.deepEqual([['image', 600]])
    should(all[0]?.text).match(/does not list it yet.*600 s/)
  })

  it('do not mention a device that is away before anything has begun', () => {
    told((reporter) => {
      reporter.away(10)
      reporter.back()
    }).should.be.empty()
  })
})
