import type { Handlers } from './handler'

/** The lock of the web pages; the API stays open. The web pages compute the hash, which is only compared here. */
export const uiLock = {
  getUiLock: ({ system }) => ({ enabled: system.uiLock !== null }),
  removeUiLock: (device) => {
    device.change({ uiLock: null })
    device.note('INFO', 'lock of the user interface removed')
    return { enabled: false, valid: false }
  },
  setUiLock: (device, { hash, set = false }) => {
    if (set) {
      device.change({ uiLock: hash })
      device.note('INFO', 'lock of the user interface set')
    }
    return { enabled: device.system.uiLock !== null, valid: device.system.uiLock === hash }
  },
} satisfies Partial<Handlers>
