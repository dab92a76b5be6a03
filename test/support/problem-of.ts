import { errorCodes } from '../../lib'
import type { End } from './ends'

/** Forbidden in sentences. */
const gibberish = /\{\{|undefined|\[object|TypeError|Cannot |is not (a function|iterable|defined)|reading '/

/** Not exactly one end, no stable code, no sentence, or a revealed secret. */
export function problemOf({ done, errors }: End, secrets: readonly string[] = []): string | undefined {
  if (done + errors.length !== 1) return `${done} done and ${errors.length} errors`
  const [error] = errors as (Error & { code?: string; cause?: unknown })[]
  if (!error) return undefined
  const { code = '', message, cause } = error
  const excerpt = `${code} "${message.slice(0, 1000)}"`
  if (!(code in errorCodes)) return `no stable code: ${excerpt} ${error.stack ?? ''}`
  // Errors thrown by reading the message are quoted.
  const own = message.replace(/^The message contains an unsupported value \(.*\)\./, '')
  if (gibberish.test(own) || !message.endsWith('.') || message.length > 2500) return `no sentence: ${excerpt}`
  if (secrets.some((secret) => `${message} ${JSON.stringify(cause)}`.includes(secret)))
    return `a secret: ${excerpt}`
  return undefined
}
