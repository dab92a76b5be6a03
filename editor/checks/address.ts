import { tidyAddress } from '../../lib/contract/reading/tidy-address'
import { sharedText } from '../shared-text'
import { check } from './check'

/**
 * The address of a device: host, host:port or an http(s) URL, with `${NAME}` anywhere. Removes what a browser's address
 * bar adds.
 */
export const address = (field: string) =>
  check(
    field,
    (_node, value) => {
      if (value === '') return sharedText('reason.required')
      const resolved = kept(value).replace(/\$\{\w+\}/g, '1')
      const url = parseUrl(resolved.includes('://') ? resolved : `http://${resolved}`)
      if (/\s/.test(value) || !url?.hostname || !/^https?:$/.test(url.protocol))
        return sharedText('reason.address')
      if (url.username || url.password) return sharedText('reason.login')
      return url.search || url.hash ? sharedText('reason.search') : undefined
    },
    kept,
  )

/** A login in it is refused, and never shown elsewhere. */
const kept = (typed: string) => (typed.includes('@') ? typed : tidyAddress(typed))

function parseUrl(value: string) {
  try {
    return new URL(value)
  } catch {
    return undefined
  }
}
