import type { OperationId } from '../contract'
import type { AttemptFailure } from './attempt-failure'
import { outcomeUnknown } from './ending'
import type { Engine } from './engine'
import { planOf } from './plan'
import { foundValues, readBackInput, tookEffect } from './read-back'
import { absenceIn, mayAnswer, mayPass } from './repeat'
import { requestOf, type CallInput, type PreparedRequest } from './request-of'
import { afterFailure, type NextStep, type Steps } from './steps'
import type { Failure } from './vision-error'

/** The read-back of parameters after a write whose outcome is unknown. */
interface LookUp {
  /** The failure that made the outcome unknown. */
  because: AttemptFailure
  /** The time by which a late write must have arrived, milliseconds. */
  arrivedBy: number
  /** The values at the first read-back. */
  found?: string
}

/**
 * Repeats a write only if it is certain that the device did not execute it.
 *
 * If the answer was lost, or may be a gateway's, the parameters are read back. One read-back proves nothing: a gateway
 * may still hold the write, and the values may have been there before. What counts is a read-back after the time in
 * which a late write must have arrived. If it shows the wanted values, the write succeeded. If it shows the same values
 * as the first one, the write was not executed and is sent again. Otherwise somebody else writes too, and the outcome
 * is unknown.
 *
 * If the device may be starting (by the last answer, for whoever watches it, or because it did not accept a connection
 * just now), it is asked before the write is sent, so that `STARTING` means for certain that nothing was sent.
 */
export class WriteSteps implements Steps {
  private stage: 'check' | 'write' | LookUp = 'write'
  /** Whether the device was asked if it is starting and is not. */
  private isUp = false
  /** Whether a connection was not accepted: the device may have restarted since. */
  private wasAway = false
  private unsettled: AttemptFailure | undefined

  constructor(
    private readonly engine: Engine,
    private readonly write: PreparedRequest,
    private readonly input: CallInput,
    /** Deadline of the call, milliseconds. */
    private readonly endsAt: number,
  ) {}

  next(): PreparedRequest {
    if (this.stage === 'write' && !this.isUp && (this.wasAway || this.engine.mayBeStarting))
      this.stage = 'check'
    const { settings } = this.engine
    if (this.stage === 'write') return this.write
    if (this.stage === 'check') return requestOf(planOf('getSystem'), {}, settings)
    const { readBack } = this.write.plan.operation
    return requestOf(planOf(readBack as OperationId), readBackInput(this.input), settings)
  }

  answered(result: unknown): NextStep {
    if (this.stage === 'write') return { do: 'succeed', result }
    return this.stage === 'check' ? this.goOn() : this.looked(this.stage, result)
  }

  failed(failure: AttemptFailure): NextStep {
    if (this.stage === 'write') return this.notWritten(failure)
    if (this.stage === 'check') return this.notChecked(failure)
    return mayAnswer(failure) ? afterFailure(failure) : { do: 'fail', failure }
  }

  maybeDone(sent: boolean): boolean {
    return this.unsettled !== undefined || (sent && this.stage === 'write')
  }

  ending(failure: Failure, sent: boolean): Failure {
    return this.maybeDone(sent) ? outcomeUnknown(this.unsettled ?? failure, failure.cause) : failure
  }

  private goOn(): NextStep {
    this.isUp = true
    this.stage = 'write'
    return { do: 'go-on' }
  }

  private notChecked(failure: AttemptFailure): NextStep {
    // Any other answer of the device itself shows that it has started.
    if (!failure.untold && !mayAnswer(failure)) return this.goOn()
    this.stage = 'write'
    // The write was not sent, so no connection ended while it was in flight.
    const because: AttemptFailure =
      failure.untold === 'unanswered' ? { ...failure, key: 'unreachable' } : failure
    return mayAnswer(failure) ? afterFailure(because) : { do: 'fail', failure: because }
  }

  private notWritten(failure: AttemptFailure): NextStep {
    if (failure.untold) return this.doubt(failure)
    const mayRepeat = this.write.plan.repeat === 'settled' ? mayAnswer : mayPass
    if (!mayRepeat(failure)) return { do: 'fail', failure }
    if (absenceIn(failure)) {
      this.wasAway = true
      this.isUp = false
    }
    return afterFailure(failure)
  }

  private doubt(failure: AttemptFailure): NextStep {
    this.unsettled = failure
    const arrivedBy = this.engine.deadlines.now() + this.engine.settings.lateArrival
    // Without a read-back after that time, nothing would be proven.
    if (this.write.plan.repeat === 'once' || arrivedBy >= this.endsAt) return { do: 'fail', failure }
    this.stage = { because: failure, arrivedBy }
    return { do: 'go-on' }
  }

  private looked(lookUp: LookUp, result: unknown): NextStep {
    const values = foundValues(this.input, result)
    const milliseconds = lookUp.arrivedBy - this.engine.deadlines.now()
    if (milliseconds > 0) {
      lookUp.found ??= values
      return { do: 'wait', milliseconds }
    }
    if (tookEffect(this.input, result)) return { do: 'succeed', result }
    if (lookUp.found === undefined) {
      lookUp.found = values
      return { do: 'go-on' }
    }
    if (values !== lookUp.found) return { do: 'fail', failure: lookUp.because }
    this.unsettled = undefined
    this.stage = 'write'
    return { do: 'repeat', because: lookUp.because }
  }
}
