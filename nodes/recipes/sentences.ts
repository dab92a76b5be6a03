import { sentencesIn } from '../../lib/sentences/sentences-in'
import { nodeSentences } from '../shared/sentences'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'

export const { invalidInput, nodeError, say, told } = nodeSentences(
  sentencesIn<typeof en, typeof de>(__dirname),
)
