import type { Estimate } from './estimate'
import { whitening } from './noise'
import { residual, residualCount, type Station } from './station'
import { dot, sumOf } from './sums'
import { degrees } from '../quaternion'

/** How far the observation at one pose deviates from the common result of all poses. */
export interface Misfit {
  /** Metres. */
  translation: number
  rotationDegrees: number
  /** About 1 for an ordinary pose; above 3 the pose does not fit the others. */
  surprise: number
}

/** @param partOf for each station, the index of the one that was solved with it */
export function misfits(
  { unknowns, noise, white: { q } }: Estimate,
  stations: readonly Station[],
  partOf: readonly number[],
  robotMounted: boolean,
): Misfit[] {
  return stations.map((each, index) => {
    const seen = residual(each, unknowns, robotMounted)
    const [a = 0, b = 0, c = 0, x = 0, y = 0, z = 0] = seen.error
    const solved = partOf[index] ?? index
    const rows = [solved * residualCount, (solved + 1) * residualCount] as const
    const own = whitening(seen, noise)(seen.error)
    // The part of the error that the pose itself determines is not unexpected.
    const expected = residualCount - sumOf(q.slice(...rows), (row) => dot(row, row))
    return {
      translation: Math.hypot(x, y, z),
      rotationDegrees: degrees(Math.hypot(a, b, c)),
      surprise: Math.sqrt(dot(own, own) / Math.max(1e-9, expected)),
    }
  })
}
