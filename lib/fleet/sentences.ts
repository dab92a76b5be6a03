import { sentencesIn } from '../sentences/sentences-in'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'

/** The sentences about messages between cells and a centre. */
export const fleetSentences = sentencesIn<typeof en, typeof de>(__dirname)
