import { VisionError } from '../../lib/client/vision-error'
import { detailOf } from './node-error'
import { invalidInput } from './sentences'

/** Catch and the log show an error by its `toString()`; people read the sentence alone. */
export function asSentence(problem: unknown): Error {
  const error = problem instanceof Error ? problem : new Error(detailOf(problem))
  return Object.defineProperty(error, 'toString', { value: () => error.message, configurable: true })
}

/**
 * What failed on a message as an error with a code. A message may hold what cannot even be looked at: properties that
 * throw when they are read, objects that contain themselves. Its stack stays the one of where that was noticed.
 */
export function withCode(problem: unknown): VisionError {
  if (problem instanceof VisionError) return problem
  const error = invalidInput('odd-message', { detail: detailOf(problem) }, problem)
  if (problem instanceof Error && problem.stack) error.stack = problem.stack
  return error
}
