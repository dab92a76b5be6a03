/**
 * Tidies an address copied from a browser: `http://192.168.0.10/api/v2/#top` becomes `192.168.0.10`. Removes
 * query and fragment, the path of the API or of the virtual device's page, trailing slashes and the scheme `http`, which
 * is the default; `https://` stays. `${NAME}` may be anywhere. Returns anything that is not a device address unchanged.
 */
export function tidyAddress(text: string): string {
  const typed = text.trim()
  // A password may contain ? and #.
  const plain = typed.includes('@') ? typed : (typed.split(/[?#]/, 1)[0] ?? '')
  const { scheme, rest } = schemeOf(plain.replaceAll('\\', '/'))
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

/** Whether the last part is empty, or belongs to the device: `api`, `api/v2`, `virtual`. */
function isSurplus(parts: readonly string[]): boolean {
  const [last = '', before = ''] = [parts.at(-1), parts.at(-2)].map((part) => part?.toLowerCase())
  if (last === '') return parts.length > 0
  return (
    parts.length > 1 &&
    (last === 'api' || last === 'virtual' || (parts.length > 2 && before === 'api' && /^v\d+$/.test(last)))
  )
}

/** `::1`; a port needs brackets. */
const isBareIPv6 = (host: string) => host.split(':').length > 2 && /^[\da-f:.]+$/i.test(host)

/** A URL, or undefined. Once compiled, `URL.canParse` of Node.js 20 refuses letters such as ü. */
export function urlIn(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Why a text cannot be the address of a device. */
export type AddressFault = 'reference' | 'scheme' | 'comma' | 'port' | 'ip' | 'host'

/** What is wrong with a tidied address that has no login, or undefined. `${NAME}` may be anywhere. */
export function addressFault(tidy: string): AddressFault | undefined {
  const text = tidy.replace(/\$\{\w+\}/g, reference)
  if (text.includes('${')) return 'reference'
  if (/\s/.test(text)) return 'host'
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(text)
  if (scheme && !/^https?$/i.test(scheme[1] ?? '')) return 'scheme'
  const rest = text.slice(scheme?.[0].length ?? 0)
  if (rest.includes('://')) return 'scheme'
  const [place = ''] = rest.split('/', 1)
  const [host = ''] = /^(?:\[[^\]]*\]|[^:]*)/.exec(place) ?? []
  const port = place.slice(host.length + 1)
  if (host.includes(',')) return 'comma'
  if (/^[\d.]+$/.test(host) && !isIPv4(host)) return 'ip'
  if (!/^(?:[\p{L}\p{N}._-]+|\[[\da-f:.]+\])$/iu.test(host)) return 'host'
  const hasPort = place[host.length] === ':'
  if (hasPort && port !== reference && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536))
    return 'port'
  return (!hasPort && place !== host) || !urlIn(`http://${host}`) ? 'host' : undefined
}

/** In place of `${NAME}`: a name for a host, a part of a path. */
const reference = 'x'

/** Four numbers without leading zeros, which some programs read as octal; a URL parser would complete fewer than four. */
const isIPv4 = (host: string) =>
  /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(host) &&
  host.split('.').every((part) => Number(part) < 256)

/** An address as typed, split from the parts that must not be shown. */
interface TypedAddress {
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
