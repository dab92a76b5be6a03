import { CodedError, errorsAs } from '../kernel/errors'
import { type Sentences, sentencesIn } from '../kernel/sentences'
import type en from './locales/en-US/sentences.json'

/** What went wrong between cell and PLC; each word means what it means of a device. */
const plcErrorCodes = {
  INVALID_INPUT: 'a setting or a value cannot be used; nothing was sent',
  UNREACHABLE: 'no connection to the PLC, or it was lost before the answer to a read',
  TIMEOUT: 'the PLC did not answer a read in time',
  OUTCOME_UNKNOWN: 'a write was sent and not answered: it may or may not have taken effect',
  ABORTED: 'closed by the cell',
  BAD_REPLY: 'what came is not Modbus TCP, or does not answer the request',
  REFUSED: 'the PLC answered with an exception',
  BUSY: 'too many requests are already waiting',
  DOES_NOT_FIT: 'a result does not fit the type that the map gives it',
  INTERNAL: 'an internal error in this software',
} as const

/** One of `plcErrorCodes`. */
export type PlcErrorCode = keyof typeof plcErrorCodes

/** What is known about a failure beyond its code. */
export interface PlcErrorCause {
  /** Code of the network error, for example `ECONNREFUSED`. */
  reason?: string
  /** Exception code of the PLC, 1 to 11. */
  exception?: number
}

/** The error of everything between cell and PLC. `code` is stable; the message says what failed and what to do. */
export class PlcError extends CodedError<PlcErrorCode, PlcErrorCause> {
  override readonly name = 'PlcError'
}

/** Returns a function that creates the errors of a part with its own sentences. */
export const plcErrorsOf = <Key extends string>(sentences: Sentences<Key>) => errorsAs(PlcError, sentences)

const optionError = plcErrorsOf(sentencesIn<typeof en>(__dirname))

/** @throws PlcError `INVALID_INPUT` with the option, what it was, and what is expected */
export function checkOption(option: string, value: unknown, fits: boolean, expected: string): void {
  if (fits) return
  const given = typeof value === 'string' || typeof value === 'number' ? String(value) : typeof value
  throw optionError({ code: 'INVALID_INPUT', key: 'plc-option', values: { option, given, expected } })
}

export const isWithin = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most

export const isWholeWithin = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && isWithin(value, least, most)
