import type { Estimate } from './estimate'
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

export function misfits(
  { unknowns, white: { error, q } }: Estimate,
  stations: readonly Station[],
  robotMounted: boolean,
): Misfit[] {
  return stations.map((each, index) => {
    const [a = 0, b = 0, c = 0, x = 0, y = 0, z = 0] = residual(each, unknowns, robotMounted).error
    const rows = [index * residualCount, (index + 1) * residualCount] as const
    const own = error.slice(...rows)
    // The part of the error that the pose itself determines is not unexpected.
    const expected = residualCount - sumOf(q.slice(...rows), (row) => dot(row, row))
    return {
      translation: Math.hypot(x, y, z),
      rotationDegrees: degrees(Math.hypot(a, b, c)),
      surprise: Math.sqrt(dot(own, own) / Math.max(1e-9, expected)),
    }
  })
}
