/**
 * The address of a device as it is kept, from what people copy out of a browser: `http://192.168.0.10/api/v2/` becomes
 * `192.168.0.10`. Without the API's own path, slashes at the end and the scheme `http`, which is meant without one;
 * `https://` stays. `${NAME}` may stand anywhere. What is no address of a device comes back as it is.
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

/** Also where a colon or a slash of the scheme is missing. */
function schemeOf(typed: string): { scheme: '' | 'https://'; rest: string } {
  const [written = '', name = ''] = /^(https?)?(?::\/+|\/\/)/i.exec(typed) ?? []
  return { scheme: name.toLowerCase() === 'https' ? 'https://' : '', rest: typed.slice(written.length) }
}

/** Whether the last part is empty, or the API's: `api`, `api/v2`. */
function isSurplus(parts: readonly string[]): boolean {
  const [last = '', before = ''] = [parts.at(-1), parts.at(-2)].map((part) => part?.toLowerCase())
  if (last === '') return parts.length > 0
  return parts.length > 1 && (last === 'api' || (parts.length > 2 && before === 'api' && /^v\d+$/.test(last)))
}

/** `::1`; a port needs brackets. */
const isBareIPv6 = (host: string) => host.split(':').length > 2 && /^[\da-f:.]+$/i.test(host)
