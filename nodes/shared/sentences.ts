import { joined, sentencesIn, type Sentences } from '../../lib/sentences/sentences-in'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'
import { speaking } from './speaking'

const shared = sentencesIn<typeof en, typeof de>(__dirname)

export const { say, told, nodeError, invalidInput } = speaking(shared)

/** What a node says: its own sentences, and those that all share. */
export const nodeSentences = <Key extends string>(own: Sentences<Key>) => speaking(joined(own, shared))
