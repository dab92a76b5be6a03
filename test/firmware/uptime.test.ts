import fc from 'fast-check'
import 'should'
import { bootedSince, type UptimeMark } from '../../lib/firmware/look'

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
          bootedSince(before, asked(0, up + l1 + later, l2, s2)).should.be.false()
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
          bootedSince(before, asked(boot, boot + later, 0.05, s2)).should.be.true()
        },
      ),
    )
  })

  it('may be told in whole seconds', () => {
    const mark = (uptime: number, at: number) => ({ uptime, asked: 1000 * at, answered: 1000 * at })
    bootedSince(mark(100, 0.9), mark(101, 2.8)).should.be.false()
    bootedSince(mark(100, 0), mark(2, 60)).should.be.true()
  })
})
