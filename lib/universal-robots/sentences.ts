import { robotErrorsOf } from '../robot-motion'
import { sentencesIn } from '../sentences/sentences-in'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'

export const urError = robotErrorsOf(sentencesIn<typeof en, typeof de>(__dirname))
