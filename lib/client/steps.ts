/** What a call sends next: when a request may be repeated, and how a write whose answer was lost is settled. */
import { retryPause } from '../kernel/connection'
import type { AbsenceReason, Engine } from './engine'
import { type AttemptFailure, outcomeUnknown } from './failures'
import { type PreparedRequest, planOf, requestOf, type CallInput } from './request'
import type { Failure } from './vision-error'
import { renderJson } from '../codec/json'
import type { Parameter, OperationId } from '../contract'

/** Whether the device did not execute the request and may do so next time: nothing was sent, or it answered 429. */
const mayPass = ({ code, uncertain, final }: AttemptFailure): boolean =>
  !final && !uncertain && (code === 'RATE_LIMITED' || code === 'UNREACHABLE')

/** Whether a request that is harmless to repeat may succeed next time. */
const mayAnswer = (failure: AttemptFailure): boolean =>
  mayPass(failure) || (!failure.final && (failure.code === 'STARTING' || failure.code === 'UNREACHABLE'))

/**
 * Why the device takes no requests at present; undefined if it does, or if waiting will not help: a host name that
 * cannot be resolved is more often misspelled than missing for a moment.
 * @param failure of a request that was not sent or is harmless to repeat
 */
export function absenceIn({ code, uncertain, final, cause }: AttemptFailure): AbsenceReason | undefined {
  if (final) return undefined
  if (code === 'STARTING') return code
  return code === 'UNREACHABLE' && !uncertain && cause?.reason !== 'ENOTFOUND' ? code : undefined
}

/**
 * Milliseconds to wait before repetition number `count`, from 1: the full time that the device asked for, or a random
 * time up to a limit that doubles (full jitter), so that many clients do not return at the same moment.
 */
export function waitBefore(count: number, retryAfter: number | undefined, random: () => number): number {
  if (retryAfter !== undefined) return retryAfter * 1000
  return retryPause(count - 1, { shortest: 0, random })
}

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
const afterFailure = (failure: AttemptFailure): NextStep =>
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

type Input = Record<string, unknown>

/** The input of the operation that reads back what a parameter write changes. */
function readBackInput({ pipeline, node, param, parameters }: Input): Input {
  if (!Array.isArray(parameters)) return { pipeline, node, param }
  return { pipeline, node, name: [...wantedValues({ parameters }).keys()] }
}

/** Whether every parameter has the value that the write sets. */
function tookEffect(input: Input, result: unknown): boolean {
  return [...wantedValues(input)].every(([name, wanted]) => {
    const record = recordOf(name, result)
    return record !== undefined && isSame(record.value, wanted, record.type)
  })
}

/** The device's values that differ from those of the write, in a form for comparing two read-backs. */
function foundValues(input: Input, result: unknown): string {
  return renderJson([...wantedValues(input).keys()].map((name) => recordOf(name, result)?.value ?? null))
}

function recordOf(name: unknown, result: unknown): Parameter | undefined {
  const records = (Array.isArray(result) ? result : [result]) as Parameter[]
  return records.find((one) => one.name === name)
}

/** If a name is written twice, the device keeps the last value. */
function wantedValues({ param, value, parameters }: Input): Map<unknown, unknown> {
  if (!Array.isArray(parameters)) return new Map([[param, value]])
  return new Map((parameters as Parameter[]).map((one) => [one.name, one.value]))
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

function isSame(kept: unknown, wanted: unknown, type: string): boolean {
  if (isNumber(kept) && isNumber(wanted)) {
    // A float32 returns 0.1 as 0.10000000149011612, which is the same number in that type.
    return type === 'float32'
      ? Math.fround(Number(kept)) === Math.fround(Number(wanted))
      : Number(kept) === Number(wanted)
  }
  return kept === wanted || renderJson(kept) === renderJson(wanted)
}

/** The read-back of parameters after a write whose outcome is unknown. */
interface ReadBack {
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
 * as the first one, the write was not executed and is sent again. Otherwise another client writes too, and the
 * outcome is unknown.
 *
 * If the device may be starting (by the last answer, by `mayBeStarting`, or because it did not accept a connection
 * just now), it is asked before the write is sent, so that `STARTING` means for certain that nothing was sent.
 */
export class WriteSteps implements Steps {
  private stage: 'check' | 'write' | ReadBack = 'write'
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
    if (!failure.uncertain && !mayAnswer(failure)) return this.goOn()
    this.stage = 'write'
    // The write was not sent, so no connection ended while it was in flight.
    const because: AttemptFailure =
      failure.uncertain === 'unanswered' ? { ...failure, key: 'unreachable' } : failure
    return mayAnswer(failure) ? afterFailure(because) : { do: 'fail', failure: because }
  }

  private notWritten(failure: AttemptFailure): NextStep {
    if (failure.uncertain) return this.doubt(failure)
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

  private looked(readBack: ReadBack, result: unknown): NextStep {
    const values = foundValues(this.input, result)
    const milliseconds = readBack.arrivedBy - this.engine.deadlines.now()
    if (milliseconds > 0) {
      readBack.found ??= values
      return { do: 'wait', milliseconds }
    }
    if (tookEffect(this.input, result)) return { do: 'succeed', result }
    if (readBack.found === undefined) {
      readBack.found = values
      return { do: 'go-on' }
    }
    if (values !== readBack.found) return { do: 'fail', failure: readBack.because }
    this.unsettled = undefined
    this.stage = 'write'
    return { do: 'repeat', because: readBack.because }
  }
}
