/** The common sentences of all nodes, and errors as sentences. */
import { errorsOf, type Cause, VisionError } from '../../lib/client/vision-error'
import type { ErrorCode } from '../../lib/contract'
import { joined, sentencesIn, type Sentences } from '../../lib/kernel/sentences'
import type shared from './locales/en-US/sentences.json'
import { detailOf, currentLanguage } from './node-error'
import type { OutcomeSummary } from './outcome'
import { NotJson } from '../../lib/kernel/json'
import { RobotError } from '../../lib/robot-motion/state'

type Values = Record<string, unknown>

function speaking<Key extends string>(sentences: Sentences<Key>) {
  const failed = errorsOf(sentences)

  const say = (key: Key, values: Values = {}): string => sentences.say(key, values, currentLanguage())

  const nodeError = (code: ErrorCode, key: Key, values: Values = {}, cause?: Cause): VisionError =>
    failed({ code, key, values, ...(cause && { cause }) }, { language: currentLanguage() })

  return {
    say,
    nodeError,

    summarize: (key: Key, values: Values = {}, more: Omit<OutcomeSummary, 'text'> = {}): OutcomeSummary => ({
      text: say(key, values),
      ...more,
    }),

    /** Refused in the flow; nothing was sent. */
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

export const { say, summarize, nodeError, invalidInput } = speaking(ofAll)

export const nodeSentences = <Key extends string>(own: Sentences<Key>) => speaking(joined(own, ofAll))

/** Catch and the log use `toString()`, which becomes the message alone. */
export function asSentence(problem: unknown): Error {
  const error = problem instanceof Error ? problem : new Error(detailOf(problem))
  return Object.defineProperty(error, 'toString', { value: () => error.message, configurable: true })
}

/** For anything thrown while handling a message, even if it cannot be inspected (throwing getters, circular objects). */
export function withCode(problem: unknown): VisionError | RobotError {
  if (problem instanceof RobotError) return problem.retold(currentLanguage())
  if (problem instanceof VisionError) return problem
  if (problem instanceof NotJson)
    return invalidInput('not-plain', { problem: problem.inLanguage(currentLanguage()) }, problem)
  const error = invalidInput('odd-message', { detail: detailOf(problem) }, problem)
  if (problem instanceof Error && problem.stack) error.stack = problem.stack
  return error
}
