import type { Failure } from './vision-error'

/** Why one attempt did not bring the result. */
export type AttemptFailure = Failure & {
  /**
   * The device may have done what it was asked, and nothing that came back is its own word on that: no answer came, or
   * one that a gateway may have made. For a sentence, `values.reason` says what came.
   */
  untold?: 'unanswered' | 'unclear'
  /** Trying again cannot help. */
  final?: true
}
