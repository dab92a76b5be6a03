import type { AttemptFailure } from './attempt-failure'
import { absenceIn, mayAnswer } from './repeat'
import type { PreparedRequest } from './request-of'
import type { Failure } from './vision-error'

/** What a call does after an attempt. */
export type NextStep =
  | { do: 'succeed'; result: unknown }
  | { do: 'fail'; failure: Failure }
  /** Sends the next request immediately. */
  | { do: 'go-on' }
  /** Sends the next request after this many milliseconds. */
  | { do: 'wait'; milliseconds: number }
  /** Sends the request again, if the call has a repetition left. */
  | { do: 'repeat'; because: Failure }
  /** Sends the request again when the device, which takes no requests at present, may be back. */
  | { do: 'await'; because: AttemptFailure }

/** What a call does after a failure of a request that was not sent or is harmless to repeat. */
export const afterFailure = (failure: AttemptFailure): NextStep =>
  absenceIn(failure) ? { do: 'await', because: failure } : { do: 'repeat', because: failure }

/** The requests of a call, and what their answers mean for it. */
export interface Steps {
  /** The request to send now. */
  next: () => PreparedRequest
  answered: (result: unknown) => NextStep
  failed: (failure: AttemptFailure) => NextStep
  /** Whether the device may have changed something. `sent`: it may have received the last request from `next`. */
  maybeDone: (sent: boolean) => boolean
  /** The failure that the call ends with after this one; `sent` as above. */
  ending: (failure: Failure, sent: boolean) => Failure
}

/** Repeats a read until it is answered. */
export class ReadSteps implements Steps {
  constructor(private readonly request: PreparedRequest) {}

  next(): PreparedRequest {
    return this.request
  }

  answered(result: unknown): NextStep {
    return { do: 'succeed', result }
  }

  failed(failure: AttemptFailure): NextStep {
    return mayAnswer(failure) ? afterFailure(failure) : { do: 'fail', failure }
  }

  maybeDone(): boolean {
    return false
  }

  ending(failure: Failure): Failure {
    return failure
  }
}
