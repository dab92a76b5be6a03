import { sentencesIn, type KeyOf } from '../../../lib/sentences/sentences-in'
import { nodeSentences } from '../../shared/sentences'
import type de from './locales/de/reports.json'
import type en from './locales/en-US/reports.json'

const reports = sentencesIn<typeof en, typeof de>(__dirname, 'reports')
export type DriveSentence = KeyOf<typeof reports>

export const { say } = nodeSentences(reports)
