import { errorCodes } from '../../lib'
import type { End } from './ends'

/** What a sentence for people must not contain. */
const gibberish = /\{\{|undefined|\[object|TypeError|Cannot |is not (a function|iterable|defined)|reading '/

/**
 * What is wrong with the end of a message: it did not end exactly once, or its error has no stable code, is not a
 * sentence or reveals a secret.
 */
export function problemOf({ done, errors }: End, secrets: readonly string[] = []): string | undefined {
  if (done + errors.length !== 1) return `${done} done and ${errors.length} errors`
  const [error] = errors as (Error & { code?: string; cause?: unknown })[]
  if (!error) return undefined
  const { code = '', message, cause } = error
  const told = `${code} "${message.slice(0, 1000)}"`
  if (!(code in errorCodes)) return `no stable code: ${told} ${error.stack ?? ''}`
  // An error thrown by the message itself when it is read is quoted.
  const own = message.replace(/^The message contains an unsupported value \(.*\)\./, '')
  if (gibberish.test(own) || !message.endsWith('.') || message.length > 2500) return `no sentence: ${told}`
  if (secrets.some((secret) => `${message} ${JSON.stringify(cause)}`.includes(secret)))
    return `a secret: ${told}`
  return undefined
}
