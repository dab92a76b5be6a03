import { Type } from '@sinclair/typebox'
import type { Operation } from '../operation'
import { UiLock, UiLockAnswer } from '../schemas/system'

/** The lock of the web user interface. */
export const uiLock = {
  /** Reads whether the web user interface is locked. */
  getUiLock: {
    method: 'GET',
    path: '/system/ui_lock',
    summary: 'Reads whether the web user interface is locked.',
    result: UiLock,
    errors: {},
    ubjson: true,
  },
  /** Removes the lock of the web user interface. */
  removeUiLock: {
    method: 'DELETE',
    path: '/system/ui_lock',
    summary: 'Removes the lock of the web user interface.',
    result: UiLockAnswer,
    errors: {},
    ubjson: true,
  },
  /** Verifies the hash of the lock password, or sets it. */
  setUiLock: {
    method: 'POST',
    path: '/system/ui_lock',
    summary: 'Verifies the hash of the lock password, or sets it.',
    query: {
      hash: Type.String({ minLength: 1, description: 'hash of the password' }),
      set: Type.Optional(Type.Boolean({ description: 'true sets the new hash instead of verifying it' })),
    },
    result: UiLockAnswer,
    errors: {},
    ubjson: true,
  },
} as const satisfies Record<string, Operation>
