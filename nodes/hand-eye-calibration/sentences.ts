import { joined, sentencesIn, type KeyOf } from '../../lib/sentences/sentences-in'
import { nodeSentences } from '../shared/sentences'
import type de from './locales/de/sentences.json'
import type deReports from './locales/de/reports.json'
import type en from './locales/en-US/sentences.json'
import type enReports from './locales/en-US/reports.json'

/** What happened, beside the errors. */
const reports = sentencesIn<typeof enReports, typeof deReports>(__dirname, 'reports')
export type ReportSentence = KeyOf<typeof reports>

export const { invalidInput, nodeError, say } = nodeSentences(
  joined(sentencesIn<typeof en, typeof de>(__dirname), reports),
)
