import { errorsOf, type Cause, type VisionError } from '../../lib/client/vision-error'
import type { ErrorCode } from '../../lib/contract'
import { joined, sentencesIn, type Sentences } from '../../lib/kernel/sentences'
import type shared from './locales/en-US/sentences.json'
import { detailOf, spoken } from './node-error'
import type { OutcomeSummary } from './outcome'

type Values = Record<string, unknown>

/** What a part of the nodes says in its own words, in the language of this Node-RED. */
function speaking<Key extends string>(sentences: Sentences<Key>) {
  const failed = errorsOf(sentences)

  const say = (key: Key, values: Values = {}): string => sentences.say(key, values, spoken())

  const nodeError = (code: ErrorCode, key: Key, values: Values = {}, cause?: Cause): VisionError =>
    failed({ code, key, values, ...(cause && { cause }) }, { language: spoken() })

  return {
    say,
    nodeError,

    /** What people are told, by a sentence. */
    told: (key: Key, values: Values = {}, more: Omit<OutcomeSummary, 'text'> = {}): OutcomeSummary => ({
      text: say(key, values),
      ...more,
    }),

    /** Input that was refused in the flow; nothing was sent. */
    invalidInput: (key: Key, values: Values = {}, problem?: unknown): VisionError =>
      nodeError(
        'INVALID_INPUT',
        key,
        values,
        problem === undefined ? undefined : { detail: detailOf(problem) },
      ),
  }
}

const ofAll = sentencesIn<typeof shared>(__dirname)

/** The sentences that all nodes share. */
export const { say, told, nodeError, invalidInput } = speaking(ofAll)

/** What a node says: its own sentences, and those that all share. */
export const nodeSentences = <Key extends string>(own: Sentences<Key>) => speaking(joined(own, ofAll))
