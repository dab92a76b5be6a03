import { sentencesIn } from '../sentences/sentences-in'
import type de from './locales/de/reports.json'
import type en from './locales/en-US/reports.json'

export const plotTexts = sentencesIn<typeof en, typeof de>(__dirname, 'reports')
