import { numberOf } from '../shared/fields/checked-fields'
import { restartDevice } from '../device/on-input'
import { deviceTime } from './device-time'
import { systemNode, type ActionName } from './fields'
import { networkSettings } from './network-settings'
import type { Task } from './task'
import { invalidInput } from '../shared/sentences'

/** The actions; each returns the payload. */
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

/** Actions that can disconnect a device from its cell or its users. */
const cuttingOff: ReadonlySet<ActionName> = new Set(['reboot', 'setNetwork', 'setUiLock', 'removeUiLock'])

export const mustBeConfirmed = (action: ActionName): boolean => cuttingOff.has(action)

/** Addresses of servers, given as comma-separated text or as an array; none removes those that are set. */
function servers(given: unknown): string[] {
  const list: unknown[] = typeof given === 'string' ? given.split(',') : asArray(given)
  return list.map(asText).filter((server) => server !== '')
}

function asArray(given: unknown): unknown[] {
  if (Array.isArray(given)) return given
  throw invalidInput('not-a-list', { field: 'value' })
}

function asText(given: unknown): string {
  if (typeof given === 'string') return given.trim()
  throw invalidInput('not-a-list', { field: 'value' })
}
