import { sentencesIn, type KeyOf } from '../../sentences/sentences-in'
import { plcErrorsOf } from '../plc-error'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'
import type reportsDe from './locales/de/reports.json'
import type reportsEn from './locales/en-US/reports.json'

const texts = sentencesIn<typeof reportsEn, typeof reportsDe>(__dirname, 'reports')

export const programError = plcErrorsOf(sentencesIn<typeof en, typeof de>(__dirname))

/** What a comment, or a cell of a table, says. */
export const programText = (
  key: KeyOf<typeof texts>,
  values: Record<string, unknown> = {},
  language?: string,
): string => texts.say(key, values, language)
