import { constants } from 'node:http2'
import { isAboutOurCertificate, isAboutTls, isPlain } from '../client/failures'
import type { LinkSettings } from './check-options'
import type { ImageFailure } from './status-failure'

/** How far a connection came before it failed. */
interface Progress {
  /** Whether a server that speaks HTTP/2 has answered. */
  proven: boolean
  /** Whether the TCP connection was accepted. */
  connected: boolean
}

/** The failure of a connection that ended with an error. */
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

/** The server does not speak HTTP/2. */
const isForeign = (code: string) => code === 'ERR_HTTP2_ERROR' || code === 'HPE_INVALID_CONSTANT'

/** The failure of a stream that the device reset. @param code of HTTP/2 */
export function resetFailure(code: number): ImageFailure {
  const reason = `stream reset, ${nameOf(code)}`
  const about = { values: { reason, said: '' }, cause: { reason } }
  if (code === constants.NGHTTP2_ENHANCE_YOUR_CALM)
    return { code: 'RATE_LIMITED', key: 'images-too-many', ...about }
  if (code === constants.NGHTTP2_REFUSED_STREAM) return { code: 'STARTING', key: 'images-starting', ...about }
  return { code: 'UNREACHABLE', key: 'images-lost', ...about }
}

/** The failure of a connection that the device gave up. @param code of HTTP/2 */
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
