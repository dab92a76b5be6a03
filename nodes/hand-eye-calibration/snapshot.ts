import { coveragePlot } from '../../lib/plots/calibration'
import type { PlotTheme } from '../../lib/plots/canvas'
import { assess, type Pose } from '../../lib/robotics'
import { slotCount } from './hand-eye-device'
import type { DriveSnapshot } from './drive/snapshot'
import type { Session } from './session'
import type { Setup } from './setup'

/** A calibration under way, for a person. */
export interface CalibrationSnapshot {
  /** Number of recorded poses. */
  poses: number
  /** Whether a calibration is possible with them. */
  ready: boolean
  /** Coverage of directions, turns and distances, as an SVG file. */
  coverage: string
  /** The result that may be saved: errors (standard deviations) beside their limits. */
  result?: {
    good: boolean
    errors: { millimetres: number | undefined; degrees: number | undefined }
    limits: { millimetres: number; degrees: number }
  }
  /** Where the robot drives itself. */
  drive?: DriveSnapshot
}

/** What is recorded so far, and which poses would make the set complete. */
export function snapshotOf(
  { poses, unseen, failures, result }: Session,
  setup: Pick<Setup, 'axis' | 'grid'>,
  options: { theme: PlotTheme; language: string | undefined },
): CalibrationSnapshot {
  const recorded = [...poses]
    .sort(([one], [other]) => one - other)
    .map(([slot, pose]) => ({ number: slot + 1, pose }))
  const { theme, language = 'en-US' } = options
  const taken = recorded.map(({ pose }) => pose)
  const rejected = { rejected: unseen, failures }
  return {
    poses: recorded.length,
    ready: assess(taken, wanted(setup)).usable,
    coverage: coveragePlot(
      { recorded, unseen, missing: missingAfter(taken, { ...wanted(setup), ...rejected }) },
      { theme, language },
    ),
    ...(result && { result: { good: result.good, errors: result.errors, limits: result.limits } }),
  }
}

const wanted = ({ axis, grid }: Pick<Setup, 'axis' | 'grid'>) => ({ grid, ...(axis && { axis }) })

/** The advised poses one after the other, as if each were recorded. */
function missingAfter(taken: readonly Pose[], options: Parameters<typeof assess>[1]): Pose[] {
  const missing: Pose[] = []
  while (taken.length + missing.length < slotCount) {
    const { next } = assess([...taken, ...missing], options)
    if (!next) break
    missing.push(next.pose)
  }
  return missing
}
