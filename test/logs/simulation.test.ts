import should from 'should'
import type { Faults } from './simulated-device'
import { simulate } from './simulation'

const isLong = process.env['CELLSIGHT_LONG'] === '1'
const runs = isLong ? 100 : 10
const entries = isLong ? 10_000 : 2_000
/** Replays one run: the seed named by a failure. */
const given = process.env['CELLSIGHT_SEED']
const first = Number(given ?? (isLong ? Math.floor(Math.random() * 1e9) : 1))
const seeds = Array.from({ length: given === undefined ? runs : 1 }, (_, index) => first + index)

const kinds = ['clock', 'network', 'vanish', 'reboot'] as const
const everything: Faults = {
  holds: 1500,
  beginsAnew: false,
  mayBeEmpty: true,
  burst: 2000,
  equalBurst: 800,
  kinds,
}

describe('following simulated logs', function () {
  this.timeout(isLong ? 600_000 : 120_000)

  const check = async (
    title: string,
    faults: Faults,
    most: number,
    ofGaps: (gaps: number, replay: string) => void,
  ) => {
    let all = 0
    for (const seed of seeds) {
      const { wrong, gaps, batch, mostOpen, repeated } = await simulate(seed, entries, faults, most)
      const replay = `${title}: replay with CELLSIGHT_SEED=${seed}`
      should(wrong).eql([], replay)
      ofGaps(gaps, replay)
      // What can be repeated: after a kill what was being delivered, after a power failure what was announced.
      should(mostOpen.kill).be.belowOrEqual(batch, replay)
      should(mostOpen.power).be.belowOrEqual(500, replay)
      all += repeated
    }
    if (given === undefined) should(all).be.above(0)
  }

  for (const beginsAnew of [false, true])
    it(`loses nothing without a gap and delivers nothing twice, in logs that ${beginsAnew ? 'begin anew' : 'drop their oldest entries'}`, () =>
      check('everything', { ...everything, beginsAnew, mayBeEmpty: !beginsAnew }, 400, () => undefined))

  it('has no gap if everything is visible, whatever clock, network and process do', () =>
    check(
      'seen',
      { ...everything, holds: 1e9, mayBeEmpty: false, kinds: ['clock', 'network', 'vanish'] },
      1e9,
      (gaps, replay) => should(gaps).equal(0, replay),
    ))
})
