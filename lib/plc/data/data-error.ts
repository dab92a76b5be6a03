import { sentencesIn, type KeyOf } from '../../kernel/sentences'
import { plcErrorsOf, type PlcError } from '../plc-error'
import type { MapFault } from './map-fault'
import type en from './locales/en-US/sentences.json'
import { RowLabel } from './row-label'
import type { ValueFault } from './typed-value'

const texts = sentencesIn<typeof en>(__dirname)

/** Values of the map are called by what they mean, in the language of the sentence. */
const sentences: typeof texts = {
  has: (key): key is KeyOf<typeof texts> => texts.has(key),
  say: (key, values = {}, language) => texts.say(key, named(values, language), language),
}

const named = (values: Readonly<Record<string, unknown>>, language?: string) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof RowLabel ? value.inLanguage(language) : value,
    ]),
  )

const dataError = plcErrorsOf(sentences)

/** What is wrong with a line of a map, and what to do about it. */
export const mapFaultText = ({ key, values }: MapFault, language?: string): string =>
  sentences.say(key, values, language)

export const mapFaultError = ({ key, values, line }: MapFault): PlcError =>
  dataError({ code: 'INVALID_INPUT', key, values: { ...values, line } })

/** A value that does not fit, as the error that ends its cycle. */
export const valueFaultError = ({ problem, subject, type, value, least, most, line }: ValueFault): PlcError =>
  dataError({
    code: 'DOES_NOT_FIT',
    key: `value-${problem}`,
    values: { row: subject, type, value: shown(value), least: shown(least), most: shown(most), line },
  })

/** As a person writes it: a REAL has seven digits. */
const shown = (value: number | string | undefined) =>
  typeof value === 'number' ? String(Number(value.toPrecision(10))) : value
