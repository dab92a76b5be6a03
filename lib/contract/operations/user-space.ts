import { Type } from '@sinclair/typebox'
import type { Operation } from '../operation'
import { UserSpace, UserSpaceProxy } from '../schemas/user-space'

const beyond = { ubjson: true, variants: ['multi'], beyondSpecification: true } as const

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
  /**
   * Enables, disables or resets the user space.
   * @throws VisionError 400 invalid action
   */
  configureUserSpace: {
    method: 'PUT',
    path: '/userspace/configure',
    summary: 'Enables, disables or resets the user space.',
    query: {
      action: Type.String({ pattern: '^(enable|disable|reset)$', description: 'enable, disable or reset' }),
    },
    result: UserSpace,
    errors: { 400: 'invalid action' },
    ...beyond,
  },
  /** Reads the proxies that applications use. */
  getUserSpaceProxy: {
    method: 'GET',
    path: '/userspace/proxy',
    summary: 'Reads the proxies that applications use.',
    result: UserSpaceProxy,
    errors: {},
    ...beyond,
  },
  /**
   * Sets the proxies that applications use; what is not given stays.
   * @throws VisionError 400 invalid address
   */
  setUserSpaceProxy: {
    method: 'PUT',
    path: '/userspace/proxy',
    summary: 'Sets the proxies that applications use; what is not given stays.',
    body: {
      encoding: 'json',
      fields: { http_proxy: Type.Optional(Type.String()), https_proxy: Type.Optional(Type.String()) },
    },
    result: UserSpaceProxy,
    errors: { 400: 'invalid address' },
    ...beyond,
  },
} as const satisfies Record<string, Operation>
