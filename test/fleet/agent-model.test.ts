import should from 'should'
import { runAgent } from './agent-model'

const runs = process.env.CELLSIGHT_LONG ? 1000 : 60

describe('a cell agent through kills, lost, repeated and late messages', function () {
  this.timeout(runs * 2000)

  it('executes no command twice, and ends each with exactly one final answer', async () => {
    const finals: Record<string, number> = {}
    let restarts = 0
    for (let seed = 1; seed <= runs; seed++) {
      const run = await runAgent(seed, 40)
      should(run.wrong).deepEqual([], `seed ${seed}`)
      restarts += run.restarts
      for (const [end, count] of Object.entries(run.finals)) finals[end] = (finals[end] ?? 0) + count
    }
    // The faults have really happened.
    should(restarts).be.above(3 * runs)
    for (const end of [
      ...['done ', 'failed REFUSED', 'refused NOT_ALLOWED', 'refused EXPIRED', 'refused RESTARTED'],
      ...['unknown INTERRUPTED', 'failed INTERRUPTED', 'refused BUSY'],
    ])
      should(finals[end] ?? 0).be.above(0, end)
  })
})
