import { sentencesIn, type KeyOf } from '../../kernel/sentences'
import { plcErrorsOf } from '../plc-error'
import type en from './locales/en-US/sentences.json'
import type reportsEn from './locales/en-US/reports.json'

const texts = sentencesIn<typeof reportsEn>(__dirname)

export const programError = plcErrorsOf(sentencesIn<typeof en>(__dirname))

/** What a comment, or a cell of a table, says. */
export const programText = (
  key: KeyOf<typeof texts>,
  values: Record<string, unknown> = {},
  language?: string,
): string => texts.say(key, values, language)
