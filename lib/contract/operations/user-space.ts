import { Type } from '../../typebox'
import type { Operation } from '../operation'
import { UserSpace, UserSpaceProxy } from '../schemas/user-space'

const beyond = { ubjson: true, variants: ['multi'], beyondSpecification: true } as const

export const userSpace = {
  getUserSpace: {
    method: 'GET',
    path: '/userspace',
    summary: 'List the applications on the device',
    result: UserSpace,
    errors: {},
    ubjson: true,
    variants: ['multi'],
  },
  configureUserSpace: {
    method: 'PUT',
    path: '/userspace/configure',
    summary: 'Configure the user space: enable, disable or reset it',
    query: {
      action: Type.String({ pattern: '^(enable|disable|reset)$', description: 'enable, disable or reset' }),
    },
    result: UserSpace,
    errors: { 400: 'invalid action' },
    ...beyond,
    farReaching: true,
  },
  getUserSpaceProxy: {
    method: 'GET',
    path: '/userspace/proxy',
    summary: 'Read the proxies of the user space',
    result: UserSpaceProxy,
    errors: {},
    ...beyond,
  },
  setUserSpaceProxy: {
    method: 'PUT',
    path: '/userspace/proxy',
    summary: 'Set the proxies of the user space: omitted ones stay unchanged',
    body: {
      encoding: 'json',
      fields: { http_proxy: Type.Optional(Type.String()), https_proxy: Type.Optional(Type.String()) },
    },
    result: UserSpaceProxy,
    errors: { 400: 'invalid address' },
    ...beyond,
  },
} as const satisfies Record<string, Operation>
