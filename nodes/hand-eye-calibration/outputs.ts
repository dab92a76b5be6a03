import { ToOutput, type Outcome } from '../shared/outcome'
import { told } from './line'
import type { Report } from './report'

/** What the node tells while the calibration is under way; its results; where the robot shall go. */
export const outputs = { progress: 0, result: 1, move: 2 } as const

const results: readonly string[] = ['calibrated', 'saved', 'checked']

/** A report to the output that it belongs to. */
export const toItsOutput = (report: Report): Outcome =>
  new ToOutput(results.includes(report.event) ? outputs.result : outputs.progress, { payload: told(report) })
