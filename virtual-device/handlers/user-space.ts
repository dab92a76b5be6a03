import type { Device } from '../device/device'
import { Refusal } from '../refusal'
import type { Handlers } from './handler'

const noProxy = { http_proxy: '', https_proxy: '' }

export const userSpaceState = ({ system }: Device) => ({
  available: true,
  enabled: system.userSpace?.enabled ?? false,
})

export const userSpace = {
  getUserSpace: all,
  configureUserSpace: (device, { action }) => {
    const reset = action === 'reset'
    const { proxy = noProxy } = device.system.userSpace ?? {}
    device.change({ userSpace: { enabled: action === 'enable', proxy: reset ? noProxy : proxy } })
    device.note('INFO', `user space: ${action}`)
    return all(device)
  },
  getUserSpaceProxy: proxyOf,
  setUserSpaceProxy: (device, changes) => {
    for (const [name, address] of Object.entries(changes))
      if (address !== '' && !/^https?:\/\/[^\s/]+\/?$/.test(address))
        // The value is not shown, because it may contain a password.
        throw new Refusal(400, `${name}: expected the address of a proxy, http://host:port, or an empty text`)
    const { enabled } = userSpaceState(device)
    device.change({ userSpace: { enabled, proxy: { ...proxyOf(device), ...changes } } })
    return proxyOf(device)
  },
} satisfies Partial<Handlers>

/** No applications run on a virtual device. */
function all(device: Device) {
  return { apps: [], ...userSpaceState(device), proxy: proxyOf(device) }
}

function proxyOf({ system }: Device) {
  return system.userSpace?.proxy ?? noProxy
}
