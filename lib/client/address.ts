import { isIPv6 } from 'node:net'
import { basePath } from '../contract'
import type { Login } from './login'
import { VisionError } from './vision-error'

export interface Address {
  /** `http://192.168.0.10:8080` */
  origin: string
  /** Path of the API below the origin: `/api/v2`, `/cell1/api/v2`. */
  path: string
  /** What may be shown: no login, query or fragment. */
  shown: string
  /** The login that stood in the address. */
  login?: Login
}

/**
 * Reads an address as people write it: `192.168.0.10`, `host:8080`, `https://gateway/cell1`.
 * A login in it is taken out; the API's own path at its end is understood.
 * @throws VisionError `INVALID_INPUT`
 */
export function parseAddress(text: string, language?: string): Address {
  const trimmed = typeof text === 'string' ? text.trim() : ''
  const host = isIPv6(trimmed) ? `[${trimmed}]` : trimmed
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `http://${host}`
  const url = URL.canParse(full) ? new URL(full) : undefined
  if (!url?.hostname || !/^https?:$/.test(url.protocol) || url.search || url.hash) throw unusable(language)

  const below = url.pathname.replace(/\/+$/, '').replace(/\/api(\/v2)?$/, '')
  const address: Address = { origin: url.origin, path: below + basePath, shown: url.origin + below }
  if (url.username || url.password) address.login = loginIn(url, language)
  return address
}

function loginIn({ username, password }: URL, language?: string): Login {
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    throw unusable(language)
  }
}

const unusable = (language?: string) =>
  new VisionError({ code: 'INVALID_INPUT', key: 'bad-address' }, { language })
