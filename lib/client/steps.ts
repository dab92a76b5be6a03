/** What a call sends next: when a request may be repeated, and how a write whose answer was lost is settled. */
import { retryPause } from '../kernel/connection'
import type { AbsenceReason, Engine } from './engine'
import { type AttemptFailure, outcomeUnknown } from './failures'
import { type PreparedRequest, planOf, requestOf, type CallInput } from './request'
import type { Failure } from './vision-error'
import { renderJson } from '../codec/json'
import type { Parameter, OperationId } from '../contract'

/** The device did not execute the request and may do so next time: nothing was sent, or it answered 429. */
const mayPass = ({ code, uncertain, final }: AttemptFailure): boolean =>
  !final && !uncertain && (code === 'RATE_LIMITED' || code === 'UNREACHABLE')

const mayAnswer = (failure: AttemptFailure): boolean =>
  mayPass(failure) || (!failure.final && (failure.code === 'STARTING' || failure.code === 'UNREACHABLE'))

/**
 * Why the device accepts no requests; undefined if it does, or if waiting will not help: a host name that cannot be
 * resolved is more often misspelled than missing for a moment. @param failure of a request that was not sent or is
 * harmless to repeat
 */
export function absenceIn({ code, uncertain, final, cause }: AttemptFailure): AbsenceReason | undefined {
  if (final) return undefined
  if (code === 'STARTING') return code
  return code === 'UNREACHABLE' && !uncertain && cause?.reason !== 'ENOTFOUND' ? code : undefined
}

/** Milliseconds before repetition number `count`, from 1: the full time that the device asked for, or full jitter. */
export function waitBefore(count: number, retryAfter: number | undefined, random: () => number): number {
  if (retryAfter !== undefined) return retryAfter * 1000
  return retryPause(count - 1, { shortest: 0, random })
}

export type NextStep =
  | { do: 'succeed'; result: unknown }
  | { do: 'fail'; failure: Failure }
  /** Sends the next request immediately. */
  | { do: 'go-on' }
  /** Sends the next request after this many milliseconds. */
  | { do: 'wait'; milliseconds: number }
  /** If the call has a repetition left. */
  | { do: 'repeat'; because: Failure }
  /** When the device, which accepts no requests now, may be back. */
  | { do: 'await'; because: AttemptFailure }

/** For a request that was not sent or is harmless to repeat. */
const afterFailure = (failure: AttemptFailure): NextStep =>
  absenceIn(failure) ? { do: 'await', because: failure } : { do: 'repeat', because: failure }

export interface Steps {
  next: () => PreparedRequest
  answered: (result: unknown) => NextStep
  failed: (failure: AttemptFailure) => NextStep
  /** The device may have changed something. @param sent it may have received the last request of `next` */
  maybeDone: (sent: boolean) => boolean
  /** The failure that ends the call after this one. */
  ending: (failure: Failure, sent: boolean) => Failure
}

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

function readBackInput({ pipeline, node, param, parameters }: Input): Input {
  if (!Array.isArray(parameters)) return { pipeline, node, param }
  return { pipeline, node, name: [...writtenValues({ parameters }).keys()] }
}

function tookEffect(input: Input, result: unknown): boolean {
  return [...writtenValues(input)].every(([name, written]) => {
    const record = recordOf(name, result)
    return record !== undefined && isSame(record.value, written, record.type)
  })
}

/** The device's values that differ from the written ones, for comparing two read-backs. */
function foundValues(input: Input, result: unknown): string {
  return renderJson([...writtenValues(input).keys()].map((name) => recordOf(name, result)?.value ?? null))
}

function recordOf(name: unknown, result: unknown): Parameter | undefined {
  const records = (Array.isArray(result) ? result : [result]) as Parameter[]
  return records.find((one) => one.name === name)
}

/** If a name is written twice, the device keeps the last value. */
function writtenValues({ param, value, parameters }: Input): Map<unknown, unknown> {
  if (!Array.isArray(parameters)) return new Map([[param, value]])
  return new Map((parameters as Parameter[]).map((one) => [one.name, one.value]))
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

function isSame(stored: unknown, written: unknown, type: string): boolean {
  if (isNumber(stored) && isNumber(written)) {
    // A float32 returns 0.1 as 0.10000000149011612, the same number in that type.
    return type === 'float32'
      ? Math.fround(Number(stored)) === Math.fround(Number(written))
      : Number(stored) === Number(written)
  }
  return stored === written || renderJson(stored) === renderJson(written)
}

interface ReadBack {
  because: AttemptFailure
  /** When a late write must have arrived, milliseconds. */
  arrivedBy: number
  found?: string
}

/**
 * Repeats a write only if it is certain that the device did not execute it.
 *
 * If the answer was lost, or may be a gateway's, the parameters are read back. One read-back proves nothing: a gateway
 * may still hold the write, and the values may have been there before. What counts is a read-back after the time in
 * which a late write must have arrived: if it shows the written values, the write succeeded; if it shows the same
 * values as the first one, the write was not executed and is sent again; otherwise another client writes too, and the
 * outcome is unknown.
 *
 * If the device may be starting (by the last answer, by `mayBeStarting`, or because it just refused a connection), it
 * is queried before the write, so that `STARTING` means that nothing was sent.
 */
export class WriteSteps implements Steps {
  private stage: 'check' | 'write' | ReadBack = 'write'
  private isUp = false // the device was queried and is not starting
  private wasAway = false // A connection was refused: the device may have restarted since
  private unsettled: AttemptFailure | undefined

  constructor(
    private readonly engine: Engine,
    private readonly write: PreparedRequest,
    private readonly input: CallInput,
    private readonly endsAt: number, // deadline of the call, milliseconds
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
    return this.stage === 'check' ? this.proceed() : this.afterReadBack(this.stage, result)
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

  private proceed(): NextStep {
    this.isUp = true
    this.stage = 'write'
    return { do: 'go-on' }
  }

  private notChecked(failure: AttemptFailure): NextStep {
    // Any other answer of the device itself shows that it has started.
    if (!failure.uncertain && !mayAnswer(failure)) return this.proceed()
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
    // Without a later read-back, nothing would be proven.
    if (this.write.plan.repeat === 'once' || arrivedBy >= this.endsAt) return { do: 'fail', failure }
    this.stage = { because: failure, arrivedBy }
    return { do: 'go-on' }
  }

  private afterReadBack(readBack: ReadBack, result: unknown): NextStep {
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
