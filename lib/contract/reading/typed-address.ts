/** An address as somebody typed it, with what must not be shown of it apart. */
export interface TypedAddress {
  /** What may be shown: no login, and nothing behind `?` or `#`. */
  shown: string
  /** `user:password` as it was typed; empty where there is none. */
  login: string
}

/** Takes an address apart, with or without a scheme. What only may be a login counts as one. */
export function typedAddress(typed: string): TypedAddress {
  const slashes = typed.indexOf('//')
  const start = slashes < 0 ? 0 : slashes + 2
  const rest = typed.slice(start)
  const end = rest.search(/[/?#]/)
  const place = end < 0 ? rest : rest.slice(0, end)
  // A password may hold what ends the place of others: what stands behind its colon is no port then.
  const isPlace = rest[end] === '/' && (/^[^:]*(?::\d*)?$/.test(place) || place.startsWith('['))
  const isWhole = end < 0 || place.includes('@') || isPlace
  const at = (isWhole ? place : rest).lastIndexOf('@')
  const [shown = ''] = rest.slice(at + 1).split(/[?#]/, 1)
  return { shown: typed.slice(0, start) + shown, login: rest.slice(0, Math.max(at, 0)) }
}
