/**
 * Tidies an address that was copied from a browser: `http://192.168.0.10/api/v2/` becomes `192.168.0.10`. Removes the
 * API's own path, trailing slashes and the scheme `http`, which is the default; `https://` stays. `${NAME}` may be
 * anywhere. Returns anything that is not a device address unchanged.
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
