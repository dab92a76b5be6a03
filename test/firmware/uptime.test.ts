import fc from 'fast-check'
import should from 'should'
import type { Entry } from '../../lib/firmware/journal'
import { bootedSince, type Look, type UptimeMark } from '../../lib/firmware/look'
import { hasBooted, sightings } from '../../lib/firmware/situation'

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

  it('proves by a clock that was set, or by that of another start of this computer, only what it shows by itself', () => {
    const mark = (uptime: number, hours: number, clock: string) => ({
      ...{ uptime, clock },
      asked: hours * 3_600_000,
      answered: hours * 3_600_000,
    })
    bootedSince(mark(100, 0, 'one'), mark(101, 1, 'one')).should.be.true()
    bootedSince(mark(100, 0, 'one'), mark(101, 1, 'other')).should.be.false()
    bootedSince(mark(100, 0, 'one'), mark(99, 1, 'other')).should.be.true()
  })

  it('is remembered where it proved a restart, also when it cannot any more', () => {
    const mark = { uptime: 100, asked: 0, answered: 0, clock: 'one' }
    const now = { uptime: 20, asked: 60_000, answered: 60_000, clock: 'one', pending: false } as Look
    const entry = { mark, pendingSeen: false } as Entry
    should(sightings(entry, now)).eql({ bootSeen: true })
    const later = { ...now, uptime: 200, clock: 'other' }
    hasBooted(entry, later).should.be.false()
    hasBooted({ ...entry, bootSeen: true }, later).should.be.true()
    should(sightings({ ...entry, bootSeen: true }, later)).be.undefined()
  })

  it('may be told in whole seconds', () => {
    const mark = (uptime: number, at: number) => ({ uptime, asked: 1000 * at, answered: 1000 * at })
    bootedSince(mark(100, 0.9), mark(101, 2.8)).should.be.false()
    bootedSince(mark(100, 0), mark(2, 60)).should.be.true()
  })
})
