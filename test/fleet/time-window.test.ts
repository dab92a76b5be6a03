import should from 'should'
import { isZone, minutesOpen } from '../../lib/fleet/centre/plan'

const at = (text: string) => Date.parse(text)

describe('the window of time of a cell', () => {
  const night = { from: '22:00', to: '05:00' }

  it('is told in the local time of the cell, over midnight too', () => {
    // Berlin is one hour ahead in November, Chicago six behind.
    minutesOpen(night, 'Europe/Berlin', at('2026-11-26T20:59:00Z')).should.equal(0)
    minutesOpen(night, 'Europe/Berlin', at('2026-11-26T21:00:00Z')).should.equal(7 * 60)
    minutesOpen(night, 'Europe/Berlin', at('2026-11-27T03:59:00Z')).should.equal(1)
    minutesOpen(night, 'Europe/Berlin', at('2026-11-27T04:00:00Z')).should.equal(0)
    minutesOpen(night, 'America/Chicago', at('2026-11-27T04:00:00Z')).should.equal(7 * 60)
    minutesOpen({ from: '08:00', to: '09:30' }, 'UTC', at('2026-11-26T09:00:00Z')).should.equal(30)
  })

  it('follows summer time', () => {
    minutesOpen(night, 'Europe/Berlin', at('2026-07-01T20:00:00Z')).should.equal(7 * 60)
  })

  it('opens on its days only, and stays open until the morning after', () => {
    // The 28th is a Saturday.
    const saturday = { ...night, days: [6] }
    minutesOpen(saturday, 'UTC', at('2026-11-27T23:00:00Z')).should.equal(0)
    minutesOpen(saturday, 'UTC', at('2026-11-28T23:00:00Z')).should.equal(6 * 60)
    minutesOpen(saturday, 'UTC', at('2026-11-29T04:00:00Z')).should.equal(60)
    minutesOpen(saturday, 'UTC', at('2026-11-28T04:00:00Z')).should.equal(0)
  })

  it('knows a zone by its name only', () => {
    should(['Europe/Berlin', 'UTC', 'America/Sao_Paulo'].every(isZone)).be.true()
    should(['Europe/Atlantis', '', 'x'.repeat(100_000)].some(isZone)).be.false()
  })
})
