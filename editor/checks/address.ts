import { sharedText } from '../shared-text'
import { check } from './check'

/** What a device can be reached at: host, host:port or an http(s) URL, with `${NAME}` anywhere in it. */
export const address = (field: string) =>
  check(field, (_node, value) => {
    if (value === '') return sharedText('reason.required')
    const resolved = value.replace(/\$\{\w+\}/g, '1')
    const url = parseUrl(resolved.includes('://') ? resolved : `http://${resolved}`)
    if (/\s/.test(value) || !url?.hostname || !/^https?:$/.test(url.protocol))
      return sharedText('reason.address')
    if (url.username || url.password) return sharedText('reason.login')
    if (/\/api(\/v\d+)?\/?$/.test(url.pathname) || url.search || url.hash) return sharedText('reason.path')
    return undefined
  })

function parseUrl(value: string) {
  try {
    return new URL(value)
  } catch {
    return undefined
  }
}
