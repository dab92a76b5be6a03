import { NodeAnswer, type OutcomeSummary } from '../shared/outcome'
import { told } from './line'
import type { Report, ToldReport } from './report'

/** Progress of the calibration; its results; moves for the robot. */
export const outputs = { progress: 0, result: 1, move: 2 } as const

const results: readonly string[] = ['calibrated', 'saved', 'checked']

/** Sends a report to its output. */
export function toItsOutput(report: Report): NodeAnswer {
  const payload = told(report)
  const output = results.includes(report.event) ? outputs.result : outputs.progress
  return new NodeAnswer({ payload }, toldOf(payload), output)
}

/** A report for people: its accuracy in millimetres, or the number of its pose. */
export const toldOf = ({ text, ok, event, number, errors, millimetres }: ToldReport): OutcomeSummary => ({
  text,
  state: ok ? 'done' : 'failed',
  code: ok ? 0 : event,
  value: millimetres ?? (errors as { millimetres?: number } | undefined)?.millimetres ?? number,
})
