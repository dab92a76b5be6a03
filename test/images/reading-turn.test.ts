import { setImmediate as nextTurn } from 'node:timers/promises'
import should from 'should'
import { ReadingTurn } from '../../lib/images/frame-splitter'

/** A turn by a clock that only its work moves. */
function start() {
  let now = 0
  let resumed = 0
  const turn = new ReadingTurn(
    () => resumed++,
    () => now,
  )
  return {
    /** @param milliseconds that the use of a piece takes */
    take: (milliseconds: number) => turn.take(() => (now += milliseconds)),
    resumed: () => resumed,
  }
}

describe('a turn of reading', () => {
  it('ends when it has lasted too long; the next one reads on', async () => {
    const { take, resumed } = start()
    should([take(1), take(1), resumed()]).eql([true, false, 0])
    await nextTurn()
    should([resumed(), take(1)]).eql([1, true])
  })

  it('resumes nothing that goes on reading', async () => {
    const { take, resumed } = start()
    take(1)
    await nextTurn()
    should([resumed(), take(1)]).eql([0, true])
  })
})
