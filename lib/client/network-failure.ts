import type { AttemptFailure } from './attempt-failure'
import { unreadable } from './read-answer'
import { clientSentences } from './vision-error'
import { FileChanged } from './upload'

interface Circumstances {
  /** Whether the device may have received the request. */
  sent: boolean
  /** Whether the connection had already carried an answer. */
  proven: boolean
  /** Longest answer accepted, bytes. */
  limit: number
  /** Path of the file being sent. */
  file: string | undefined
  language: string
}

/** The failure of a request whose connection failed. */
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
  return { code: 'UNREACHABLE', key: 'lost', ...about, untold: 'unanswered' }
}

function tooLong(limit: number, language: string): AttemptFailure {
  const reason = clientSentences.say('reason-too-long', { limit }, language)
  return {
    code: 'BAD_REPLY',
    key: 'too-long-reply',
    values: { limit, reason },
    untold: 'unclear',
    final: true,
  }
}

/**
 * The answer is not HTTP or does not belong to this request. An answer that merely ends early counts as a lost
 * connection.
 */
const isGarbage = ({ name, message }: Error, code: string) =>
  code === 'UND_ERR_HEADERS_OVERFLOW' ||
  // undici fails an assertion on an unrequested protocol switch.
  code === 'ERR_ASSERTION' ||
  (name === 'HTTPParserError' && !code.includes('EOF')) ||
  /^bad (response|upgrade)$/.test(message)

/** The server's answer to the TLS handshake is not TLS. */
export const isPlain = (code: string) => /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code)

export const isAboutTls = (code: string) =>
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|EPROTO|UNABLE_TO|CERT_)|SELF_SIGNED/.test(code)

/** The certificate of the server is not trusted, or not valid for its name. */
export const isUntrusted = (code: string) => /^(UNABLE_TO|CERT_|ERR_TLS_CERT)|SELF_SIGNED/.test(code)

/** The server's alert that our certificate is missing or rejected. */
export const isAboutOurCertificate = (code: string) =>
  code.startsWith('ERR_SSL_') && code.includes('ALERT') && /CERTIFICATE|CA$|HANDSHAKE|DENIED/.test(code)
