import { sentencesIn, type KeyOf } from '../sentences/sentences-in'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'

/** What the client says of calls and answers. */
export const clientSentences = sentencesIn<typeof en, typeof de>(__dirname)
export type ClientSentence = KeyOf<typeof clientSentences>
