import { shown } from '../shared/shown'
import { sentencesOf } from '../sentences'
import type { NetworkSettings } from '../../lib/contract'
import { isObject } from '../shared/is-object'
import type { PlacedFile } from '../shared/allowed-place'
import type { TypedName } from '../shared/read-fields'
import { type NodeInput, restartDevice } from '../device/on-input'
import { type SystemFields, systemNode, type ActionName } from './fields'
import { numberOf } from '../shared/fields/checked-fields'

const { invalidInput } = sentencesOf('system')

/**
 * `YYYY-MM-DD hh:mm:ss` in UTC, from a `Date`, milliseconds since 1970, or text. Text without a zone is UTC; empty is now.
 * @throws INVALID_INPUT
 */
export function deviceTime(value: unknown): string {
  if (value === '' || value === undefined || value === null) return asUtc(new Date())
  const time =
    value instanceof Date || typeof value === 'number'
      ? new Date(value)
      : typeof value === 'string'
        ? new Date(withZone(value.trim()))
        : undefined
  if (time && !Number.isNaN(time.getTime())) return asUtc(time)
  throw invalidInput('bad-time', { value: shown(value) })
}

const asUtc = (time: Date) => time.toISOString().slice(0, 19).replace('T', ' ')

const withZone = (text: string) =>
  /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text

interface Task extends NodeInput<TypedName<SystemFields>> {
  fields: SystemFields
  hash: () => string
  /** Resolves the path in the value; throws if it is not allowed. */
  placed: (path: string) => Promise<PlacedFile>
}

/** The device's present settings with the node's changes. @throws INVALID_INPUT */
function networkSettings(
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

function settings(value: unknown): Partial<NetworkSettings> {
  if (isObject(value)) return value
  throw invalidInput('not-an-object', { field: 'value' })
}

export const actions: Record<ActionName, (task: Task) => Promise<unknown>> = {
  info: ({ device, signal }) => device.client.getSystem({ signal }),
  reboot: (task) => restartDevice(task, numberOf(systemNode, task.fields, 'readyWithin'), 1),
  getTime: async ({ device, signal }) => (await device.client.getTime({ signal })).utc,
  setTime: async ({ device, signal, read }) =>
    (await device.client.setTime({ utc: deviceTime(read('value')) }, { signal })).utc,
  getNtp: async ({ device, signal }) => (await device.client.getNtp({ signal })).ntp,
  setNtp: async ({ device, signal, read }) =>
    (await device.client.setNtp({ manual_ntp_servers: servers(read('value')) }, { signal })).ntp,
  getDns: async ({ device, signal }) => (await device.client.getDns({ signal })).dns,
  setDns: async ({ device, signal, read }) =>
    (await device.client.setDns({ manual_dns_servers: servers(read('value')) }, { signal })).dns,
  getNetwork: ({ device, signal }) => device.client.getNetwork({ signal }),
  setNetwork: async (task) => {
    const { device, signal } = task
    const present = await device.client.getNetworkSettings({ signal })
    return device.client.setNetworkSettings(networkSettings(task, present), { signal })
  },
  getLicense: ({ device, signal }) => device.client.getLicense({ signal }),
  uploadLicense: async ({ device, signal, read, placed }) => {
    const given = read('value')
    if (Buffer.isBuffer(given)) return device.client.uploadLicense({ file: given }, { signal })
    if (typeof given !== 'string' || !given.trim()) throw invalidInput('empty-field', { field: 'value' })
    return device.client.uploadLicense({ file: await placed(given.trim()) }, { signal })
  },
  getUiLock: ({ device, signal }) => device.client.getUiLock({ signal }),
  checkUiLock: ({ device, signal, hash }) => device.client.setUiLock({ hash: hash() }, { signal }),
  setUiLock: ({ device, signal, hash }) => device.client.setUiLock({ hash: hash(), set: true }, { signal }),
  removeUiLock: ({ device, signal }) => device.client.removeUiLock({ signal }),
}

const cuttingOff: ReadonlySet<ActionName> = new Set(['reboot', 'setNetwork', 'setUiLock', 'removeUiLock'])

export const mustBeConfirmed = (action: ActionName): boolean => cuttingOff.has(action)

/** Comma-separated text or an array; empty removes all. */
function servers(value: unknown): string[] {
  const list: unknown[] = typeof value === 'string' ? value.split(',') : asArray(value)
  return list.map(asText).filter((server) => server !== '')
}

function asArray(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw invalidInput('not-a-list', { field: 'value' })
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  throw invalidInput('not-a-list', { field: 'value' })
}
