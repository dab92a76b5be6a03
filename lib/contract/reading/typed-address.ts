/** An address as somebody typed it, split from the parts that must not be shown. */
export interface TypedAddress {
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
  // A password may contain characters that end the host part: what follows its colon is not a port then.
  const isPlace = rest[end] === '/' && (/^[^:]*(?::\d*)?$/.test(place) || place.startsWith('['))
  const isWhole = end < 0 || place.includes('@') || isPlace
  const at = (isWhole ? place : rest).lastIndexOf('@')
  const [shown = ''] = rest.slice(at + 1).split(/[?#]/, 1)
  return { shown: typed.slice(0, start) + shown, login: rest.slice(0, Math.max(at, 0)) }
}
