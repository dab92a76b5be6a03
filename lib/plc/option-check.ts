import { sentencesIn } from '../kernel/sentences'
import type en from './locales/en-US/sentences.json'
import { plcErrorsOf } from './plc-error'

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
