const every = ['0.0.0.0', '::']

/** The device's own page as this machine reaches it; undefined if it listens on a network address alone. */
export function pageUrl(address: string, port: number): string | undefined {
  if (every.includes(address) || address.startsWith('127.'))
    return `http://${address.startsWith('127.') ? address : '127.0.0.1'}:${port}/virtual/`
  return address === '::1' ? `http://[::1]:${port}/virtual/` : undefined
}
