import { VisionError } from '../../lib/client/vision-error'
import { NotJson } from '../../lib/kernel/json'
import { RobotError } from '../../lib/robot-motion/state'
import { detailOf, spoken } from './node-error'
import { invalidInput } from './sentences'

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
  if (problem instanceof RobotError) return problem.retold(spoken())
  if (problem instanceof VisionError) return problem
  if (problem instanceof NotJson)
    return invalidInput('not-plain', { problem: problem.inLanguage(spoken()) }, problem)
  const error = invalidInput('odd-message', { detail: detailOf(problem) }, problem)
  if (problem instanceof Error && problem.stack) error.stack = problem.stack
  return error
}
