import type { Failure } from './vision-error'

/** Why one attempt gave no result. */
export type AttemptFailure = Failure & {
  /**
   * The device may have executed the request, and no answer of its own says whether it did: there was no answer, or one
   * that a gateway may have written. `values.reason` holds what was received, for the error sentence.
   */
  untold?: 'unanswered' | 'unclear'
  /** Another attempt cannot succeed. */
  final?: true
}
