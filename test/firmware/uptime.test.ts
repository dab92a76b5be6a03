import should from 'should'
import type { JournalEntry } from '../../lib/firmware/journal'
import { type DeviceState, hasBooted, observations } from '../../lib/firmware/run'

describe('a restart of a device that is updated', () => {
  it('is remembered where it proved a restart, also when it cannot any more', () => {
    const mark = { uptime: 100, asked: 0, answered: 0, clock: 'one' }
    const now = {
      mark: { uptime: 20, asked: 60_000, answered: 60_000, clock: 'one' },
      pending: false,
    } as DeviceState
    const entry = { mark, pendingSeen: false } as JournalEntry
    should(observations(entry, now)).eql({ bootSeen: true })
    const later = { ...now, mark: { ...now.mark, uptime: 200, clock: 'other' } }
    hasBooted(entry, later).should.be.false()
    hasBooted({ ...entry, bootSeen: true }, later).should.be.true()
    should(observations({ ...entry, bootSeen: true }, later)).be.undefined()
  })
})
