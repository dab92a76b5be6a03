import 'should'
import type { ReceiverStatistics } from '../../lib/streams'
import { statusFor, type ReceptionState } from '../../nodes/stream-receive/receive'

const nothing: ReceiverStatistics = {
  ...{ messages: 0, garbage: 0, truncated: 0, foreign: 0 },
  ...{ rate: 0, jitter: 0, gaps: 0, longestGap: 0, lost: 0, late: 0, repeated: 0, pauses: 0 },
}
const word = (statistics: Partial<ReceiverStatistics>, seen: Partial<ReceptionState> = {}) =>
  statusFor({
    listening: 10_000,
    losing: false,
    dynamicsStopped: false,
    statistics: { ...nothing, ...statistics },
    ...seen,
  })

describe('what stream-receive shows', () => {
  it('is the rate in two digits while data arrives', () => {
    for (const [rate, shown] of [
      [199.4, 200],
      [24.96, 25],
      [3.14, 3.1],
      [0.512, 0.51],
    ] as const)
      word({ messages: 5, rate, silence: 4 }).should.deepEqual(['receiving', shown])
  })

  it('adds losses to the rate', () =>
    word({ messages: 5, rate: 150, silence: 4 }, { losing: true }).should.deepEqual(['losing', 150]))

  it('is that it waits at first', () => word({}, { listening: 500 }).should.deepEqual(['awaitingData', 0]))

  it('is the most likely reason if nothing arrives', () => {
    word({})[0].should.equal('noData')
    word({ foreign: 3 })[0].should.equal('foreignData')
    word({ garbage: 3 })[0].should.equal('unreadableData')
    word({ truncated: 3 })[0].should.equal('unreadableData')
    word({ messages: 9, silence: 4000 })[0].should.equal('dataEnded')
    word({ messages: 9, silence: 4000 }, { dynamicsStopped: true })[0].should.equal('dynamicsStopped')
    word({}, { unlisted: 'destinationsFull', dynamicsStopped: true })[0].should.equal('destinationsFull')
  })
})
