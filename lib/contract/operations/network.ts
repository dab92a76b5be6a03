import type { Operation } from '../operation'
import { servers } from '../schemas/servers'
import { Dns, NetworkInfo, NetworkSettings, networkSettings } from '../schemas/system'

/** Addresses and name servers. */
export const network = {
  getDns: {
    method: 'GET',
    path: '/system/dns',
    summary: 'Read the name servers',
    result: Dns,
    errors: {},
    ubjson: true,
  },
  setDns: {
    method: 'PUT',
    path: '/system/dns',
    summary: 'Set the name servers: the manually configured ones',
    body: { encoding: 'json', fields: { manual_dns_servers: servers() } },
    result: Dns,
    errors: { 400: 'invalid or missing' },
    ubjson: true,
  },
  getNetwork: {
    method: 'GET',
    path: '/system/network',
    summary: 'Read the network configuration: the one in use',
    result: NetworkInfo,
    errors: {},
    ubjson: true,
  },
  getNetworkSettings: {
    method: 'GET',
    path: '/system/network/settings',
    summary: 'Read the network settings',
    result: NetworkSettings,
    errors: {},
    ubjson: true,
  },
  setNetworkSettings: {
    method: 'PUT',
    path: '/system/network/settings',
    summary: 'Write the network settings',
    body: { encoding: 'json', fields: networkSettings },
    result: NetworkSettings,
    errors: { 400: 'invalid or missing', 403: 'locked by a running GigE Vision application' },
    ubjson: true,
    farReaching: true,
  },
} as const satisfies Record<string, Operation>
