import { joined, sentencesIn } from '../../lib/sentences/sentences-in'
import { nodeSentences } from '../shared/sentences'
import type reportsDe from './locales/de/reports.json'
import type de from './locales/de/sentences.json'
import type reportsEn from './locales/en-US/reports.json'
import type en from './locales/en-US/sentences.json'

export const { invalidInput, nodeError, say, told } = nodeSentences(
  joined(
    sentencesIn<typeof en, typeof de>(__dirname),
    sentencesIn<typeof reportsEn, typeof reportsDe>(__dirname, 'reports'),
  ),
)
