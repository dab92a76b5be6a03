import should from 'should'
import { runFleet } from './model/run'

const runs = process.env['CELLSIGHT_LONG'] ? 1000 : 25

describe('a fleet through kills, partitions, wrong clocks, lost, repeated and late messages', function () {
  this.timeout(runs * 5000)

  it('executes no command twice, leaves no device between, and ends each rollout with a true report', async () => {
    const endings: Record<string, number> = {}
    let [faults, rollouts] = [0, 0]
    for (let seed = 1; seed <= runs; seed++) {
      const run = await runFleet(seed)
      should(run.wrong).deepEqual([], `seed ${seed}`)
      faults += run.faults
      rollouts += run.rollouts
      for (const [ending, count] of Object.entries(run.endings))
        endings[ending] = (endings[ending] ?? 0) + count
    }
    // The faults have really happened, and so have all endings.
    should(faults).be.above(10 * runs)
    should(rollouts).be.above(2 * runs)
    for (const ending of ['done', 'failed', 'unknown', 'not-reached', 'skipped'])
      should(endings[ending] ?? 0).be.above(0, ending)
  })
})
