import { basePath } from '../contract'
import {
  addressFault,
  type AddressFault,
  tidyAddress,
  typedAddress,
  urlIn,
} from '../contract/reading/address'
import type { Login } from './secrets'
import { VisionError } from './vision-error'

export interface Address {
  /** `http://192.168.0.10:8080` */
  origin: string
  /** Below the origin: `/api/v2`, `/cell1/api/v2`. */
  path: string
  /** Without login, query and fragment. */
  shown: string
  login?: Login
}

/**
 * Parses an address as typed: `192.168.0.10`, `host:8080`, `https://gateway/cell1`. Extracts a login and removes what a
 * browser's address bar adds. @throws VisionError `INVALID_INPUT`
 */
export function parseAddress(text: string, language?: string): Address {
  const tidy = typeof text === 'string' ? tidyAddress(text) : ''
  const fault = addressFault(typedAddress(tidy).shown)
  if (tidy && fault) throw unusable(language, fault)
  const full = tidy.includes('://') ? tidy : `http://${tidy}`
  const url = urlIn(full)
  if (!url?.hostname || !/^https?:$/.test(url.protocol) || url.search || url.hash) throw unusable(language)

  const below = url.pathname === '/' ? '' : url.pathname
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

const unusable = (language?: string, fault?: AddressFault) =>
  new VisionError(
    { code: 'INVALID_INPUT', key: fault ? `bad-address-${fault}` : 'bad-address' },
    { language },
  )
