import { joined, sentencesIn } from '../../lib/sentences/sentences-in'
import { nodeSentences } from '../shared/sentences'
import type de from './locales/de/sentences.json'
import type deReports from './locales/de/reports.json'
import type en from './locales/en-US/sentences.json'
import type enReports from './locales/en-US/reports.json'

export const { invalidInput, nodeError, say, told } = nodeSentences(
  joined(
    sentencesIn<typeof en, typeof de>(__dirname),
    sentencesIn<typeof enReports, typeof deReports>(__dirname, 'reports'),
  ),
)
