/**
 * Tidies an address copied from a browser: `http://192.168.0.10/api/v2/` becomes `192.168.0.10`. Removes the API's
 * path, trailing slashes and `http`, the default; `https://` stays. `${NAME}` may be anywhere. Anything that is not a
 * device address is returned unchanged.
 */
export function tidyAddress(text: string): string {
  const typed = text.trim()
  const { scheme, rest } = schemeOf(typed.replaceAll('\\', '/'))
  if (/[\s?#]/.test(rest) || rest.includes('://') || schemeOf(rest).rest !== rest) return typed
  const parts = rest.split('/')
  while (isSurplus(parts)) parts.pop()
  const [host = '', ...path] = parts
  if (host === '') return typed
  return [scheme + (isBareIPv6(host) ? `[${host}]` : host), ...path].join('/')
}

/** Accepts a scheme whose colon or slash is missing. */
function schemeOf(typed: string): { scheme: '' | 'https://'; rest: string } {
  const [written = '', name = ''] = /^(https?)?(?::\/+|\/\/)/i.exec(typed) ?? []
  return { scheme: name.toLowerCase() === 'https' ? 'https://' : '', rest: typed.slice(written.length) }
}

/** Whether the last part is empty, or belongs to the API: `api`, `api/v2`. */
function isSurplus(parts: readonly string[]): boolean {
  const [last = '', before = ''] = [parts.at(-1), parts.at(-2)].map((part) => part?.toLowerCase())
  if (last === '') return parts.length > 0
  return parts.length > 1 && (last === 'api' || (parts.length > 2 && before === 'api' && /^v\d+$/.test(last)))
}

/** `::1`; a port needs brackets. */
const isBareIPv6 = (host: string) => host.split(':').length > 2 && /^[\da-f:.]+$/i.test(host)

/** An address as typed, split from the parts that must not be shown. */
interface TypedAddress {
  /** The part that may be shown: no login, and nothing after `?` or `#`. */
  shown: string
  /** `user:password` as typed; empty if there is none. */
  login: string
}

/** Splits an address, with or without a scheme. Anything that could be a login counts as one. */
export function typedAddress(typed: string): TypedAddress {
  const slashes = typed.indexOf('//')
  const start = slashes < 0 ? 0 : slashes + 2
  const rest = typed.slice(start)
  const end = rest.search(/[/?#]/)
  const place = end < 0 ? rest : rest.slice(0, end)
  // A password may contain characters that end the host part: then no port follows its colon.
  const isPlace = rest[end] === '/' && (/^[^:]*(?::\d*)?$/.test(place) || place.startsWith('['))
  const isWhole = end < 0 || place.includes('@') || isPlace
  const at = (isWhole ? place : rest).lastIndexOf('@')
  const [shown = ''] = rest.slice(at + 1).split(/[?#]/, 1)
  return { shown: typed.slice(0, start) + shown, login: rest.slice(0, Math.max(at, 0)) }
}
