import 'should'
import { plannedRun } from '../../bench/support/planned-runs'
import { sheetCell } from '../../bench/support/sheet-sets'

const isLong = Boolean(process.env['CELLSIGHT_LONG'])
const runs = isLong ? 500 : 40
/** Of a few runs, chance decides more. */
const [least, most] = isLong ? [93, 97] : [80, 100]

describe('planned calibrations from any pose, for both mountings', function () {
  this.timeout(isLong ? 1_800_000 : 240_000)

  it('end as accurate as wanted, and the truth is within the bound that they promise in 95 % of them', () => {
    const ended = Array.from({ length: runs }, (_, run) => plannedRun(sheetCell(run % 2 === 0, 90_000 + run)))
    const done = ended.flatMap(({ end, errors, attempts }) => {
      const error = errors.at(-1)
      return end.kind === 'done' && error ? [{ result: end.result, error, attempts: attempts.length }] : []
    })
    done.length.should.be.aboveOrEqual(0.99 * runs)
    const share = (isInside: (one: (typeof done)[number]) => boolean) =>
      (100 * done.filter(isInside).length) / done.length
    share(({ error, result }) => error.millimetres <= 1000 * result.translationBound).should.be.within(
      least,
      most,
    )
    share(({ error, result }) => error.degrees <= result.rotationBoundDegrees).should.be.within(least, most)
    // More than the slots of a device.
    Math.max(...done.map(({ attempts }) => attempts)).should.be.belowOrEqual(16)
  })
})
