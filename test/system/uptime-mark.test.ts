import fc from 'fast-check'
import 'should'
import { hasRestarted, markedState, type UptimeMark } from '../../lib/system'
import type { SysInfo } from '../../lib/contract'

/** What a device that booted at that time says when it is asked, on a network that takes its time. Seconds. */
const asked = (boot: number, at: number, latency: number, share: number): UptimeMark => ({
  uptime: at + latency * share - boot,
  asked: 1000 * at,
  answered: 1000 * (at + latency),
})
const seconds = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const latency = seconds(0, 2)
const share = seconds(0, 1)

describe('the uptime of a device', () => {
  it('never proves a restart that did not happen', () => {
    fc.assert(
      fc.property(
        seconds(1, 1e6),
        seconds(0, 1e6),
        latency,
        share,
        latency,
        share,
        (up, later, l1, s1, l2, s2) => {
          const before = asked(0, up, l1, s1)
          hasRestarted(before, asked(0, up + l1 + later, l2, s2)).should.be.false()
        },
      ),
    )
  })

  it('proves one that did, also long after it, when it is higher than before', () => {
    fc.assert(
      fc.property(
        seconds(10, 1e6),
        seconds(0, 100),
        seconds(0.5, 5000),
        share,
        share,
        (up, down, later, s1, s2) => {
          const before = asked(0, up, 0.05, s1)
          const boot = up + 1 + down
          hasRestarted(before, asked(boot, boot + later, 0.05, s2)).should.be.true()
        },
      ),
    )
  })

  it('proves by a clock that was set, or by that of another start of this computer, only what it shows by itself', () => {
    const mark = (uptime: number, hours: number, clock: string) => ({
      ...{ uptime, clock },
      asked: hours * 3_600_000,
      answered: hours * 3_600_000,
    })
    hasRestarted(mark(100, 0, 'one'), mark(101, 1, 'one')).should.be.true()
    hasRestarted(mark(100, 0, 'one'), mark(101, 1, 'other')).should.be.false()
    hasRestarted(mark(100, 0, 'one'), mark(99, 1, 'other')).should.be.true()
  })

  it('may be a value that the device renews every second', () => {
    const renewed = ({ uptime, ...mark }: UptimeMark, age: number) => ({
      ...mark,
      uptime: Math.floor(100 * (uptime - age)) / 100,
    })
    fc.assert(
      fc.property(
        seconds(10, 1e6),
        seconds(2, 5000),
        share,
        share,
        seconds(0, 100),
        (up, later, a1, a2, down) => {
          const before = renewed(asked(0, up, 0.05, 1), a1)
          hasRestarted(before, renewed(asked(0, up + later, 0.05, 0), a2)).should.be.false()
          const boot = up + 1 + down
          hasRestarted(before, renewed(asked(boot, boot + later, 0.05, 0), a2)).should.be.true()
        },
      ),
    )
  })

  it('may be told in whole seconds', () => {
    const mark = (uptime: number, at: number) => ({ uptime, asked: 1000 * at, answered: 1000 * at })
    hasRestarted(mark(100, 0.9), mark(101, 2.8)).should.be.false()
    hasRestarted(mark(100, 0), mark(2, 60)).should.be.true()
  })

  it('is as exact as it is told', () => {
    const mark = (uptime: number, at: number) => ({ uptime, asked: 1000 * at - 10, answered: 1000 * at + 10 })
    hasRestarted(mark(0.5, 100.5), mark(0.75, 101.35)).should.be.true()
    hasRestarted(mark(70.25, 170.25), mark(130.5, 230.51)).should.be.false()
    hasRestarted(mark(70.2, 170.2), mark(75.1, 175.2)).should.be.false()
    hasRestarted(mark(70, 170), mark(75, 175.9)).should.be.false()
    hasRestarted(mark(70, 170), mark(71, 173.1)).should.be.true()
  })

  it('is marked with the time between question and answer', async () => {
    const { system, mark } = await markedState(() => Promise.resolve({ uptime: 7.5 } as SysInfo))
    system.uptime.should.equal(7.5)
    mark.uptime.should.equal(7.5)
    mark.answered.should.be.aboveOrEqual(mark.asked)
    mark.should.have.property('clock')
  })
})
