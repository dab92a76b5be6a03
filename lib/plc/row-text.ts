import { sentencesIn } from '../kernel/sentences'
import type en from './locales/en-US/reports.json'
import type { RowName } from './rows'

const texts = sentencesIn<typeof en>(__dirname)

/** What a row means, for a person: a few words, and after a semicolon what they mean in detail. */
export const rowText = (row: RowName, language?: string): string => texts.say(`row-${row}`, {}, language)

/** The meaning alone, without the detail. */
export const shortRowText = (row: RowName, language?: string): string =>
  rowText(row, language).split(';')[0] ?? row
