import should from 'should'
import { families, type FamilyId } from '../../../lib/plc/families'
import { simulate } from './model/simulation'

const isLong = process.env['CELLSIGHT_LONG'] === '1'
/** For each family, over all its runs. */
const steps = isLong ? 1_000_000 : 10_000
const stepsOfRun = 5_000
/** Replays one run: the seed that a failure names. */
const given = process.env['CELLSIGHT_SEED']
const first = Number(given ?? (isLong ? Math.floor(Math.random() * 1e9) : 1))
const seeds = Array.from(
  { length: given === undefined ? steps / stepsOfRun : 1 },
  (_, index) => first + index,
)

describe('the handshake with random PLCs, devices and Node-REDs', function () {
  this.timeout(isLong ? 1_200_000 : 60_000)

  for (const family of Object.keys(families) as FamilyId[])
    for (const isServed of [true, false])
      it(`executes nothing twice, mixes up no answers and leaves nobody waiting: ${family}, ${isServed ? 'server' : 'client'}`, () => {
        let done = 0
        for (const seed of seeds) {
          const run = simulate(family, seed, stepsOfRun, isServed)
          should(run.wrong).eql([], `replay with CELLSIGHT_SEED=${seed}`)
          done += run.done
        }
        if (given === undefined) done.should.be.above(seeds.length)
      })
})
