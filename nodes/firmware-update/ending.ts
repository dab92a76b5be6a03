import type { Report } from '../../lib/firmware/types'
import type { Properties } from '../shared/outcome'
import { nodeError } from '../shared/node-error'

/** What became of one device of several. */
export type Result = { device: string; wave: number } & (
  | { state: 'done'; ok: boolean; result: Report }
  | { state: 'failed'; ok: false; error: unknown }
  | { state: 'skipped'; ok: false }
)

/** What leaves the node after one device. @throws REFUSED, or ABORTED, with the outcome as its sentence */
export function endOfOne(report: Report): Properties {
  if (report.ok) return { payload: report }
  const { text, outcome } = report
  throw nodeError(outcome === 'aborted' ? 'ABORTED' : 'REFUSED', 'firmware-outcome-said', { text })
}

/** What leaves the node after several. @throws REFUSED naming those that failed or were not begun */
export function endOfAll(results: readonly Result[], tell: (summary: Properties) => void): Properties {
  const payload = results.map(shown)
  const left = results.filter(({ ok }) => !ok)
  if (left.length === 0) return { payload }
  tell({ step: 'end', results: payload })
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
