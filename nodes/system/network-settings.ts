import type { NetworkSettings } from '../../lib/contract'
import { isObject } from '../shared/is-object'
import type { Task } from './task'
import { invalidInput } from '../shared/sentences'

/**
 * The network settings to write: the device's present ones with the node's changes.
 * @throws INVALID_INPUT
 */
export function networkSettings(
  { fields, name, text, read }: Pick<Task, 'fields' | 'name' | 'text' | 'read'>,
  present: NetworkSettings,
): NetworkSettings {
  switch (fields.network) {
    case 'dhcp':
      return { ...present, dhcp_enabled: true, persistent_ip_enabled: false }
    case 'fixed':
      return {
        ...present,
        persistent_ip_enabled: true,
        persistent_ip_address: name('ip'),
        persistent_subnet_mask: name('mask'),
        persistent_default_gateway: text('gateway'),
      }
    case 'object':
      return { ...present, ...settings(read('value')) }
  }
}

function settings(given: unknown): Partial<NetworkSettings> {
  if (isObject(given)) return given
  throw invalidInput('not-an-object', { field: 'value' })
}
