import { detailOf } from './node-error'

/** Catch and the log show an error by its `toString()`; people read the sentence alone. */
export function asSentence(problem: unknown): Error {
  const error = problem instanceof Error ? problem : new Error(detailOf(problem))
  return Object.defineProperty(error, 'toString', { value: () => error.message, configurable: true })
}
