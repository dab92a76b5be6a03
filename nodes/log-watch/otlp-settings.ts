/**
 * The address for logs of a collector: `/v1/logs` is appended to one without a path.
 * @returns undefined for what is no address of HTTP
 */
export function logsAddress(endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return undefined
  const url = new URL(endpoint)
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  if (url.pathname === '/') url.pathname = '/v1/logs'
  return url.href
}

/** Headers that the request has already, or that would break it. */
const own = new Set(['content-type', 'content-length', 'host', 'connection', 'transfer-encoding'])

/**
 * Headers as in `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,other=value`, with percent-encoded values.
 * @returns undefined if they are not
 */
export function headersOf(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const part of text.split(',')) {
    if (!part.trim()) continue
    const [, name = '', encoded = ''] = /^\s*([!#$%&'*+.^`|~\w-]+)\s*=(.*)$/.exec(part) ?? []
    const value = decoded(encoded.trim())
    if (!name || own.has(name.toLowerCase()) || !value || !/^[\x20-\x7e]+$/.test(value)) return undefined
    headers[name] = value
  }
  return headers
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
