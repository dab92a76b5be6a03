import type { ResultState, OutcomeSummary } from './outcome'
import { anyCodeOf } from './node-error'

/** What a dashboard can show of a message directly; identical on all nodes. */
export interface VisionResult {
  text: string
  state: ResultState
  value: string | number | boolean | null
  code: number | string
  milliseconds: number
  /** ISO 8601, in UTC. */
  at: string
}

/** @param milliseconds duration of the work */
export const visionOf = (
  { text, value, state = 'done', code = 0 }: OutcomeSummary,
  milliseconds: number,
): VisionResult => ({
  text,
  state,
  value: isPlain(value) ? value : null,
  code,
  milliseconds: Math.round(milliseconds),
  at: new Date().toISOString(),
})

export const visionOfError = (error: Error, milliseconds: number): VisionResult =>
  visionOf({ text: error.message, state: 'failed', code: anyCodeOf(error) ?? 'failed' }, milliseconds)

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
