import type { Operation } from '../operation'
import { NotShown } from '../schemas/not-shown'
import { SysInfo } from '../schemas/system'
import { backup } from './backup'
import { firmware } from './firmware'
import { license } from './license'
import { network } from './network'
import { time } from './time'
import { uiLock } from './ui-lock'

const whole = {
  getSystem: {
    method: 'GET',
    path: '/system',
    summary: 'Read the system state: firmware, network, time, readiness',
    result: SysInfo,
    errors: {},
    ubjson: true,
  },
  reboot: {
    method: 'PUT',
    path: '/system/reboot',
    summary: 'Restart the device',
    result: NotShown,
    errors: {},
    ubjson: true,
    farReaching: true,
  },
} as const satisfies Record<string, Operation>

/** The device as a whole. */
export const system = { ...whole, ...backup, ...network, ...license, ...time, ...firmware, ...uiLock }
