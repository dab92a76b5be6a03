import type { OperationId } from '../contract'
import type { AttemptFailure } from './attempt-failure'
import { outcomeUnknown } from './ending'
import type { Engine } from './engine'
import { planOf } from './plan'
import { foundValues, readBackInput, tookEffect } from './read-back'
import { mayAnswer, mayPass } from './repeat'
import { requestOf, type CallInput, type PreparedRequest } from './request-of'
import type { NextStep, Steps } from './steps'
import type { Failure } from './vision-error'

/** Looks at the parameters of a write whose outcome is unknown. */
interface LookUp {
  /** What made it unknown. */
  because: AttemptFailure
  /** When a late write must have arrived, milliseconds. */
  arrivedBy: number
  /** The values at the first look. */
  found?: string
}

/**
 * A write is sent again only where it is certain that the device did not execute it.
 *
 * Where the answer was lost, or may be a gateway's, parameters are looked at. One look proves nothing: a gateway may
 * still hold the write, and the values may have been there before. What counts is the look after the time in which a
 * late write must have arrived. The wanted values are there: done. They are as at the first look: not executed, sent
 * again. Anything else: somebody else writes too, and the outcome is unknown.
 *
 * Where the last answer said that the device is starting, it is asked again before the write goes out: `STARTING` then
 * means for certain that nothing was sent.
 */
export class WriteSteps implements Steps {
  private stage: 'check' | 'write' | LookUp = 'write'
  /** The device was asked whether it is starting, and is not. */
  private isUp = false
  private unsettled: AttemptFailure | undefined

  constructor(
    private readonly engine: Engine,
    private readonly write: PreparedRequest,
    private readonly input: CallInput,
    /** By when the call ends, milliseconds. */
    private readonly endsAt: number,
  ) {}

  next(): PreparedRequest {
    if (this.stage === 'write' && this.engine.starting && !this.isUp) this.stage = 'check'
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
    return mayAnswer(failure) ? { do: 'repeat', because: failure } : { do: 'fail', failure }
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
    // Whatever else the device itself says, it is up.
    if (!failure.untold && !mayAnswer(failure)) return this.goOn()
    this.stage = 'write'
    // The write was not sent, so that no connection ended under it.
    const because: Failure = failure.untold === 'unanswered' ? { ...failure, key: 'unreachable' } : failure
    return mayAnswer(failure) ? { do: 'repeat', because } : { do: 'fail', failure: because }
  }

  private notWritten(failure: AttemptFailure): NextStep {
    if (failure.untold) return this.doubt(failure)
    const mayRepeat = this.write.plan.repeat === 'settled' ? mayAnswer : mayPass
    return mayRepeat(failure) ? { do: 'repeat', because: failure } : { do: 'fail', failure }
  }

  private doubt(failure: AttemptFailure): NextStep {
    this.unsettled = failure
    const arrivedBy = this.engine.deadlines.now() + this.engine.settings.lateArrival
    // Without a look after that, nothing would be proven.
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
