/** The sentences that all nodes share, and errors as sentences. */
import { errorsOf, type Cause, VisionError } from '../../lib/client/vision-error'
import type { ErrorCode } from '../../lib/contract'
import { joined, sentencesIn, type Sentences } from '../../lib/kernel/sentences'
import type shared from './locales/en-US/sentences.json'
import { detailOf, currentLanguage } from './node-error'
import type { OutcomeSummary } from './outcome'
import { NotJson } from '../../lib/kernel/json'
import { RobotError } from '../../lib/robot-motion/state'

type Values = Record<string, unknown>

/** What a part of the nodes says in its own words, in the language of this Node-RED. */
function speaking<Key extends string>(sentences: Sentences<Key>) {
  const failed = errorsOf(sentences)

  const say = (key: Key, values: Values = {}): string => sentences.say(key, values, currentLanguage())

  const nodeError = (code: ErrorCode, key: Key, values: Values = {}, cause?: Cause): VisionError =>
    failed({ code, key, values, ...(cause && { cause }) }, { language: currentLanguage() })

  return {
    say,
    nodeError,

    /** The summary of an outcome, by a sentence. */
    summarize: (key: Key, values: Values = {}, more: Omit<OutcomeSummary, 'text'> = {}): OutcomeSummary => ({
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
export const { say, summarize, nodeError, invalidInput } = speaking(ofAll)

/** What a node says: its own sentences, and those that all share. */
export const nodeSentences = <Key extends string>(own: Sentences<Key>) => speaking(joined(own, ofAll))

/** Catch and the log show an error by its `toString()`, which becomes the message alone. */
export function asSentence(problem: unknown): Error {
  const error = problem instanceof Error ? problem : new Error(detailOf(problem))
  return Object.defineProperty(error, 'toString', { value: () => error.message, configurable: true })
}

/**
 * Turns anything thrown while handling a message into an error with a code. A message may contain what cannot be
 * inspected: properties that throw when they are read, circular objects. The stack is that of the place where this was
 * noticed.
 */
export function withCode(problem: unknown): VisionError | RobotError {
  if (problem instanceof RobotError) return problem.retold(currentLanguage())
  if (problem instanceof VisionError) return problem
  if (problem instanceof NotJson)
    return invalidInput('not-plain', { problem: problem.inLanguage(currentLanguage()) }, problem)
  const error = invalidInput('odd-message', { detail: detailOf(problem) }, problem)
  if (problem instanceof Error && problem.stack) error.stack = problem.stack
  return error
}
