/** Why images do not arrive: gRPC statuses and connection failures, as errors for people. */
import { constants } from 'node:http2'
import { isAboutOurCertificate, isAboutTls, isPlain } from '../client/failures'
import type { LinkSettings } from './options'
import { codeOfStatus, type ErrorCode } from '../contract/error-codes'
import { messageIn } from '../client/error-answer'
import { errorsOf, type Failure } from '../client/vision-error'
import { sentencesIn, type KeyOf } from '../kernel/sentences'
import type en from './locales/en-US/sentences.json'

export const imagesSentences = sentencesIn<typeof en>(__dirname)

export const imagesError = errorsOf(imagesSentences)

export type ImageFailure = Failure<KeyOf<typeof imagesSentences>>

type Key = ImageFailure['key']

/** By gRPC status; all others are a `BAD_REPLY`. */
const meanings: Readonly<Partial<Record<number, readonly [ErrorCode, Key]>>> = {
  0: ['UNREACHABLE', 'images-ended'],
  // CANCELLED, but not by us.
  1: ['UNREACHABLE', 'images-ended'],
  // INVALID_ARGUMENT, OUT_OF_RANGE
  3: ['BAD_REQUEST', 'images-bad-request'],
  11: ['BAD_REQUEST', 'images-bad-request'],
  // DEADLINE_EXCEEDED
  4: ['TIMEOUT', 'images-deadline'],
  // NOT_FOUND, UNIMPLEMENTED
  5: ['NOT_FOUND', 'images-not-served'],
  12: ['NOT_FOUND', 'images-not-served'],
  // ALREADY_EXISTS, FAILED_PRECONDITION, ABORTED
  6: ['REFUSED', 'images-refused'],
  9: ['REFUSED', 'images-refused'],
  10: ['REFUSED', 'images-refused'],
  // PERMISSION_DENIED
  7: ['FORBIDDEN', 'images-refused'],
  // RESOURCE_EXHAUSTED
  8: ['RATE_LIMITED', 'images-too-many'],
  // INTERNAL, DATA_LOSS
  13: ['DEVICE_FAULT', 'images-fault'],
  15: ['DEVICE_FAULT', 'images-fault'],
  // UNAVAILABLE
  14: ['STARTING', 'images-starting'],
  // UNAUTHENTICATED
  16: ['UNAUTHORIZED', 'images-unauthorized'],
}

const licenceStatuses: ReadonlySet<number> = new Set([7, 9]) // A missing licence may be reported with these

export function statusFailure(
  status: number,
  message: string | undefined,
  language: string | undefined,
): ImageFailure {
  const text = messageIn(unescaped(message))
  const said = text === undefined ? '' : imagesSentences.say('said', { text }, language)
  const isLicence = licenceStatuses.has(status) && /licen[cs]e|lizenz/i.test(text ?? '')
  const [code, key] = isLicence
    ? (['REFUSED', 'images-licence'] as const)
    : (meanings[status] ?? (['BAD_REPLY', 'images-status'] as const))
  return {
    ...{ code, key, values: { status, said } },
    cause: { reason: `gRPC status ${status}`, ...(text !== undefined && { detail: text }) },
  }
}

export function httpFailure(status: number): ImageFailure {
  if (status === 404) return { ...statusFailure(12, undefined, undefined), cause: { status } }
  const code = codeOfStatus[status]
  const key = code === 'STARTING' ? 'images-starting' : 'images-http-status'
  return { code: code ?? 'BAD_REPLY', key, values: { status, said: '' }, cause: { status } }
}

/** Percent-encoded UTF-8, which a server may have encoded wrongly. */
function unescaped(message: string | undefined): string | undefined {
  try {
    return message === undefined ? undefined : decodeURIComponent(message)
  } catch {
    return message
  }
}

/** How far a connection got before it failed. */
interface Progress {
  proven: boolean
  connected: boolean
}

export function connectionFailure(
  error: NodeJS.ErrnoException,
  { proven, connected }: Progress,
  { tls }: Pick<LinkSettings, 'tls'>,
): ImageFailure {
  const { code = '', message } = error
  const reason = code && code !== 'ERR_HTTP2_ERROR' && code !== 'EPROTO' ? code : message
  const about = { values: { reason, said: '' }, cause: { reason, detail: message } }
  if (tls && isPlain(code)) return { code: 'UNREACHABLE', key: 'images-not-tls', ...about }
  // With TLS 1.3 a missing client certificate shows only after the handshake.
  if (tls && !proven && (isAboutTls(code) || isAboutOurCertificate(code)))
    return { code: 'UNREACHABLE', key: 'images-certificate', ...about }
  if (!proven && isForeign(code)) return { code: 'BAD_REPLY', key: 'images-not-grpc', ...about }
  if (!proven && !connected) return { code: 'UNREACHABLE', key: 'images-unreachable', ...about }
  return { code: 'UNREACHABLE', key: 'images-lost', ...about }
}

const isForeign = (code: string) => code === 'ERR_HTTP2_ERROR' || code === 'HPE_INVALID_CONSTANT'

/** @param code of HTTP/2 */
export function resetFailure(code: number): ImageFailure {
  const reason = `stream reset, ${nameOf(code)}`
  const about = { values: { reason, said: '' }, cause: { reason } }
  if (code === constants.NGHTTP2_ENHANCE_YOUR_CALM)
    return { code: 'RATE_LIMITED', key: 'images-too-many', ...about }
  if (code === constants.NGHTTP2_REFUSED_STREAM) return { code: 'STARTING', key: 'images-starting', ...about }
  return { code: 'UNREACHABLE', key: 'images-lost', ...about }
}

/** @param code of HTTP/2 */
export function goawayFailure(code: number): ImageFailure {
  const reason = `connection given up, ${nameOf(code)}`
  const about = { values: { reason, said: '' }, cause: { reason } }
  return code === constants.NGHTTP2_ENHANCE_YOUR_CALM
    ? { code: 'RATE_LIMITED', key: 'images-too-many', ...about }
    : { code: 'UNREACHABLE', key: 'images-lost', ...about }
}

const names: readonly string[] = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
]

const nameOf = (code: number) => names[code] ?? `code ${code}`
