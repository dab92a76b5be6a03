import { text } from '../../dialog'

/** Where a device is, in a few characters: without `http://`, a login, and the slash at the end. */
export function addressOf(device: EditorNode): string {
  const address = text(device['address']).trim()
  const scheme = address.includes('://') ? address.slice(0, address.indexOf('://') + 3) : ''
  const place = address.slice(scheme.length)
  const [host = ''] = place.split('/', 1)
  const shown = place.slice(host.lastIndexOf('@') + 1)
  return `${scheme === 'http://' ? '' : scheme}${shown.endsWith('/') ? shown.slice(0, -1) : shown}`
}
