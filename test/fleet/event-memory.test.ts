import should from 'should'
import { EventMemory } from '../../lib/fleet/centre/incoming'

describe('the events that a centre has heard', () => {
  it('are known again, as many as a cell may repeat', () => {
    const memory = new EventMemory()
    const events = Array.from({ length: 1000 }, (_, seq) => ({ plant: 'p', cell: 'c', boot: 'b', seq }))
    should(events.filter((event) => memory.isNew(event)).length).equal(1000)
    should(events.filter((event) => memory.isNew(event)).length).equal(0)
    should(memory.isNew({ plant: 'p', cell: 'other', boot: 'b', seq: 0 })).be.true()
    should(memory.isNew({ plant: 'p', cell: 'c', boot: 'b', seq: 1000 })).be.true()
  })
})
