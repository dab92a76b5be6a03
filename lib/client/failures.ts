/** Failures of attempts and calls, as data that becomes a `VisionError`. */
import { type Failure, type Cause, clientSentences } from './vision-error'
import { withoutSecrets } from './secrets'
import { FileChanged } from './upload'

export type AttemptFailure = Failure & {
  /**
   * The device may have executed the request, and no answer of its own says whether it did: there was none, or one that
   * a gateway may have written. `values.reason` has the answer, for the sentence.
   */
  uncertain?: 'unanswered' | 'unclear'
  final?: true
}

/** Nothing was sent. */
export const notConnected = (milliseconds: number): Failure => ({
  code: 'UNREACHABLE',
  key: 'connect-deadline',
  values: { milliseconds },
})

export const noTurnWithin = (milliseconds: number): Failure => ({
  code: 'TIMEOUT',
  key: 'timeout-waiting',
  values: { milliseconds },
})

/** @param late milliseconds that the last late answer took */
export function noAnswerWithin(milliseconds: number, late: number | undefined, language: string): Failure {
  if (late === undefined || late <= milliseconds) return silence('reason-deadline', milliseconds, language)
  const values = { milliseconds, late }
  const reason = clientSentences.say('reason-deadline-late', values, language)
  return { code: 'TIMEOUT', key: 'timeout-late', values: { ...values, reason } }
}

export const stalled = (milliseconds: number, language: string): Failure =>
  silence('reason-stalled', milliseconds, language)

function silence(why: 'reason-deadline' | 'reason-stalled', milliseconds: number, language: string): Failure {
  const values = { milliseconds }
  return {
    code: 'TIMEOUT',
    key: 'timeout',
    values: { ...values, reason: clientSentences.say(why, values, language) },
  }
}

/** Nothing was sent. */
export const unreadableFile = (file: string | undefined, error: unknown): Failure => ({
  code: 'INVALID_INPUT',
  key: 'unreadable-file',
  values: { file },
  cause: { detail: error instanceof Error ? error.message : String(error) },
})

export const tooLate = (failure: Failure): Failure =>
  failure.code === 'RATE_LIMITED' && failure.cause?.retryAfter !== undefined
    ? { ...failure, key: 'rate-limited-wait' }
    : failure

/** Fails a write whose outcome is unknown. @param cause of its last attempt */
export const outcomeUnknown = (unsettled: AttemptFailure, cause: Cause | undefined): Failure => ({
  code: 'OUTCOME_UNKNOWN',
  key: unsettled.uncertain === 'unclear' ? 'outcome-unclear' : 'outcome-unknown',
  values: { reason: unsettled.values?.reason },
  ...(cause && { cause }),
})

export const faultHere = (error: unknown, maybeDone: boolean): Failure => {
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    code: 'INTERNAL',
    key: maybeDone ? 'internal-sent' : 'internal',
    values: { detail },
    cause: { detail },
  }
}

interface Circumstances {
  sent: boolean
  proven: boolean
  /** Longest accepted answer, bytes. */
  limit: number
  file: string | undefined
  language: string
}

/** Of a broken connection. */
export function networkFailure(
  error: Error,
  { sent, proven, limit, file, language }: Circumstances,
): AttemptFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof FileChanged || code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')
    return { code: 'INVALID_INPUT', key: 'changed-file', values: { file }, final: true }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return tooLong(limit, language)
  if (isGarbage(error, code)) return { ...unreadable(error, language), final: true }

  const reason = code && !code.startsWith('UND_ERR') ? code : error.message
  const about = { values: { reason }, cause: { reason, detail: error.message } }
  if (isPlain(code)) return { code: 'UNREACHABLE', key: 'not-https', ...about, final: true }
  // With TLS 1.3 a missing client certificate shows only after the request was written; the device has not read it.
  if (sent ? !proven && isAboutOurCertificate(code) : isAboutTls(code))
    return { code: 'UNREACHABLE', key: 'certificate', ...about, final: true }
  if (!sent) return { code: 'UNREACHABLE', key: 'unreachable', ...about }
  return { code: 'UNREACHABLE', key: 'lost', ...about, uncertain: 'unanswered' }
}

function tooLong(limit: number, language: string): AttemptFailure {
  const reason = clientSentences.say('reason-too-long', { limit }, language)
  return {
    code: 'BAD_REPLY',
    key: 'too-long-reply',
    values: { limit, reason },
    uncertain: 'unclear',
    final: true,
  }
}

/** For an answer that is not valid HTTP, JSON or UBJSON. */
export function unreadable(
  error: unknown,
  language: string,
  secrets: readonly string[] = [],
): AttemptFailure {
  const detail = withoutSecrets(error instanceof Error ? error.message : String(error), secrets)
  const reason = clientSentences.say('reason-unreadable', { detail }, language)
  return {
    code: 'BAD_REPLY',
    key: 'unreadable-reply',
    values: { detail, reason },
    cause: { detail },
    uncertain: 'unclear',
  }
}

/** The answer is not HTTP, or to another request. One that ends early counts as a lost connection. */
const isGarbage = ({ name, message }: Error, code: string) =>
  code === 'UND_ERR_HEADERS_OVERFLOW' ||
  // undici fails an assertion on an unrequested protocol switch.
  code === 'ERR_ASSERTION' ||
  (name === 'HTTPParserError' && !code.includes('EOF')) ||
  /^bad (response|upgrade)$/.test(message)

export const isPlain = (code: string) => /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code)

export const isAboutTls = (code: string) =>
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|EPROTO|UNABLE_TO|CERT_)|SELF_SIGNED/.test(code)

/** The server's certificate is not trusted, or not valid for its name. */
export const isUntrusted = (code: string) => /^(UNABLE_TO|CERT_|ERR_TLS_CERT)|SELF_SIGNED/.test(code)

export const isAboutOurCertificate = (code: string) =>
  code.startsWith('ERR_SSL_') && code.includes('ALERT') && /CERTIFICATE|CA$|HANDSHAKE|DENIED/.test(code)
