import type { Operation } from '../operation'
import { servers } from '../schemas/servers'
import { Dns, NetworkInfo, NetworkSettings, networkSettings } from '../schemas/system'

/** Addresses and name servers. */
export const network = {
  /** Reads the name servers. */
  getDns: {
    method: 'GET',
    path: '/system/dns',
    summary: 'Reads the name servers.',
    result: Dns,
    errors: {},
    ubjson: true,
  },
  /**
   * Sets the manual name servers.
   * @throws VisionError 400 invalid or missing
   */
  setDns: {
    method: 'PUT',
    path: '/system/dns',
    summary: 'Sets the manual name servers.',
    body: { encoding: 'json', fields: { manual_dns_servers: servers() } },
    result: Dns,
    errors: { 400: 'invalid or missing' },
    ubjson: true,
  },
  /** Reads the network configuration in use. */
  getNetwork: {
    method: 'GET',
    path: '/system/network',
    summary: 'Reads the network configuration in use.',
    result: NetworkInfo,
    errors: {},
    ubjson: true,
  },
  /** Reads the network settings. */
  getNetworkSettings: {
    method: 'GET',
    path: '/system/network/settings',
    summary: 'Reads the network settings.',
    result: NetworkSettings,
    errors: {},
    ubjson: true,
  },
  /**
   * Writes the network settings.
   * @throws VisionError 400 invalid or missing; 403 locked by a running GigE Vision application
   */
  setNetworkSettings: {
    method: 'PUT',
    path: '/system/network/settings',
    summary: 'Writes the network settings.',
    body: { encoding: 'json', fields: networkSettings },
    result: NetworkSettings,
    errors: { 400: 'invalid or missing', 403: 'locked by a running GigE Vision application' },
    ubjson: true,
  },
} as const satisfies Record<string, Operation>
