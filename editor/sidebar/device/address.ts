import type { DeviceState } from '../../../nodes/device-config/admin/states'
import { typedAddress } from '../../../lib/contract/reading/typed-address'
import { text } from '../../dialog'

/**
 * A device's address in a few characters: without `http://`, login and trailing slash. Only the runtime knows the values
 * of environment variables in it.
 * @param running what Node-RED knows about the device, if it runs with these settings
 */
export function addressOf(device: EditorNode, running: DeviceState | undefined): string {
  const typed = text(device['address']).trim()
  const shown = typed.includes('${') && running ? running.address : typedAddress(typed).shown
  const short = shown.startsWith('http://') ? shown.slice('http://'.length) : shown
  return short.endsWith('/') ? short.slice(0, -1) : short
}
