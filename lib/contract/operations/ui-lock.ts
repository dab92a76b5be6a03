import { Type } from '../../typebox'
import type { Operation } from '../operation'
import { UiLock, UiLockAnswer } from '../schemas/system'

/** The lock of the web user interface. */
export const uiLock = {
  getUiLock: {
    method: 'GET',
    path: '/system/ui_lock',
    summary: 'Read the lock of the web interface: whether it is set',
    result: UiLock,
    errors: {},
    ubjson: true,
  },
  removeUiLock: {
    method: 'DELETE',
    path: '/system/ui_lock',
    summary: 'Remove the lock of the web interface',
    result: UiLockAnswer,
    errors: {},
    ubjson: true,
    farReaching: true,
  },
  setUiLock: {
    method: 'POST',
    path: '/system/ui_lock',
    summary: 'Check or set the lock of the web interface: by the hash of its password',
    query: {
      hash: Type.String({ minLength: 1, description: 'hash of the password' }),
      set: Type.Optional(Type.Boolean({ description: 'true sets the new hash instead of verifying it' })),
    },
    result: UiLockAnswer,
    errors: {},
    ubjson: true,
    farReaching: true,
  },
} as const satisfies Record<string, Operation>
