import { errorsOf, type Failure } from '../client/vision-error'
import { sentencesIn, type KeyOf } from '../sentences/sentences-in'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'

export const imagesSentences = sentencesIn<typeof en, typeof de>(__dirname)
export const imagesError = errorsOf(imagesSentences)

/** Why images do not come. */
export type ImageFailure = Failure<KeyOf<typeof imagesSentences>>
