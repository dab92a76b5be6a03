import { text } from '../../dialog'

/** A device's address in a few characters: without `http://`, login and trailing slash. */
export function addressOf(device: EditorNode): string {
  const address = text(device['address']).trim()
  const scheme = address.includes('://') ? address.slice(0, address.indexOf('://') + 3) : ''
  const place = address.slice(scheme.length)
  const [host = ''] = place.split('/', 1)
  const shown = place.slice(host.lastIndexOf('@') + 1)
  return `${scheme === 'http://' ? '' : scheme}${shown.endsWith('/') ? shown.slice(0, -1) : shown}`
}
