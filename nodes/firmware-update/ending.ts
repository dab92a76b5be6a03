import type { Report } from '../../lib/firmware/types'
import { NodeAnswer, type Properties, type OutcomeSummary } from '../shared/outcome'
import { sentencesOf } from '../sentences'

const { nodeError, told } = sentencesOf('firmware-update')

/** The outcome for one device of several. */
export type Result = { device: string; wave: number } & (
  | { state: 'done'; ok: boolean; result: Report }
  | { state: 'failed'; ok: false; error: unknown }
  | { state: 'skipped'; ok: false }
)

/** The output after one device. @throws REFUSED, or ABORTED, with the outcome as its message */
export function endOfOne(report: Report): NodeAnswer {
  if (report.ok) return new NodeAnswer({ payload: report }, { text: report.text, value: report.active })
  const { text, outcome } = report
  throw nodeError(outcome === 'aborted' ? 'ABORTED' : 'REFUSED', 'firmware-ended', { text })
}

/** The output after several devices. @throws REFUSED naming those that failed or were not begun */
export function endOfAll(
  results: readonly Result[],
  tell: (summary: Properties, told: OutcomeSummary) => void,
): NodeAnswer {
  const payload = results.map(shown)
  const left = results.filter(({ ok }) => !ok)
  const count = results.length - left.length
  const about = told('result-devices', { count }, { value: count })
  if (left.length === 0) return new NodeAnswer({ payload }, about)
  tell({ step: 'end', results: payload }, about)
  const names = left.map(({ device }) => device).join(', ')
  throw nodeError('REFUSED', 'firmware-waves', { count: left.length, all: results.length, names })
}

const shown = (result: Result): Properties => {
  const { device, wave, state, ok } = result
  if (state === 'done') return { device, wave, state, ok, report: result.result }
  if (state === 'skipped') return { device, wave, state, ok }
  const { code, message } = result.error as { code?: string; message: string }
  return { device, wave, state, ok, error: { code, message } }
}
