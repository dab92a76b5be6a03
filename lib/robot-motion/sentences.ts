import { sentencesIn } from '../sentences/sentences-in'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'
import { robotErrorsOf } from './robot-error'

export const robotError = robotErrorsOf(sentencesIn<typeof en, typeof de>(__dirname))
