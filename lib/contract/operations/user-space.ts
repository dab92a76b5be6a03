import type { Operation } from '../operation'
import { UserSpace } from '../schemas/user-space'

export const userSpace = {
  /** Lists the applications that run on the device. */
  getUserSpace: {
    method: 'GET',
    path: '/userspace',
    summary: 'Lists the applications that run on the device.',
    result: UserSpace,
    errors: {},
    ubjson: true,
    variants: ['multi'],
  },
} as const satisfies Record<string, Operation>
