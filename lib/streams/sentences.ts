import { errorsOf } from '../client/vision-error'
import { sentencesIn } from '../sentences/sentences-in'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'

export const streamError = errorsOf(sentencesIn<typeof en, typeof de>(__dirname))
