import { sentencesIn } from '../../sentences/sentences-in'
import { plcErrorsOf, type PlcError } from '../plc-error'
import type { MapFault } from './map-fault'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'
import type { ValueFault } from './typed-value'

const sentences = sentencesIn<typeof en, typeof de>(__dirname)
const dataError = plcErrorsOf(sentences)

/** What is wrong with a line of a map, and what to do about it. */
export const mapFaultText = ({ key, values }: MapFault, language?: string): string =>
  sentences.say(key, values, language)

export const mapFaultError = ({ key, values, line }: MapFault): PlcError =>
  dataError({ code: 'INVALID_INPUT', key, values: { ...values, line } })

/** A value that does not fit, as the error that ends its cycle. */
export const valueFaultError = ({ problem, label, type, value, least, most, line }: ValueFault): PlcError =>
  dataError({
    code: 'DOES_NOT_FIT',
    key: `value-${problem}`,
    values: { row: label, type, value: shown(value), least: shown(least), most: shown(most), line },
  })

/** As a person writes it: a REAL has seven digits. */
const shown = (value: number | string | undefined) =>
  typeof value === 'number' ? String(Number(value.toPrecision(10))) : value
