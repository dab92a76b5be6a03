import type { AttemptFailure } from './attempt-failure'
import { mayAnswer } from './repeat'
import type { PreparedRequest } from './request-of'
import type { Failure } from './vision-error'

/** What a call does after an attempt. */
export type NextStep =
  | { do: 'succeed'; result: unknown }
  | { do: 'fail'; failure: Failure }
  /** Sends the next request without delay. */
  | { do: 'go-on' }
  /** Sends the next request after that many milliseconds. */
  | { do: 'wait'; milliseconds: number }
  /** Sends once more, if the call may: as one of its repetitions. */
  | { do: 'repeat'; because: Failure }

/** Which requests a call is made of, and what their answers mean to it. */
export interface Steps {
  /** What to send now. */
  next: () => PreparedRequest
  answered: (result: unknown) => NextStep
  failed: (failure: AttemptFailure) => NextStep
  /** Whether the device may have changed something. `sent`: it may have what `next` gave last. */
  maybeDone: (sent: boolean) => boolean
  /** As what the call ends with this failure; `sent` as above. */
  ending: (failure: Failure, sent: boolean) => Failure
}

/** A read is sent again until it is answered. */
export class ReadSteps implements Steps {
  constructor(private readonly request: PreparedRequest) {}

  next(): PreparedRequest {
    return this.request
  }

  answered(result: unknown): NextStep {
    return { do: 'succeed', result }
  }

  failed(failure: AttemptFailure): NextStep {
    return mayAnswer(failure) ? { do: 'repeat', because: failure } : { do: 'fail', failure }
  }

  maybeDone(): boolean {
    return false
  }

  ending(failure: Failure): Failure {
    return failure
  }
}
