import type { Operation } from '../operation'
import { servers } from '../schemas/servers'
import { Ntp, Time, Utc } from '../schemas/system'

/** The time of the device and where it comes from. */
export const time = {
  /** Reads the time servers and whether the time is synchronized. */
  getNtp: {
    method: 'GET',
    path: '/system/ntp',
    summary: 'Reads the time servers and whether the time is synchronized.',
    result: Ntp,
    errors: {},
    ubjson: true,
  },
  /**
   * Sets the manual time servers, three at most.
   * @throws VisionError 400 invalid or missing
   */
  setNtp: {
    method: 'PUT',
    path: '/system/ntp',
    summary: 'Sets the manual time servers, three at most.',
    body: { encoding: 'json', fields: { manual_ntp_servers: servers(3) } },
    result: Ntp,
    errors: { 400: 'invalid or missing' },
    ubjson: true,
  },
  /** Reads the time of the device in UTC. */
  getTime: {
    method: 'GET',
    path: '/system/time',
    summary: 'Reads the time of the device in UTC.',
    result: Time,
    errors: {},
    ubjson: true,
  },
  /**
   * Sets the time of the device.
   * @throws VisionError 400 invalid or missing; 403 synchronized by NTP or PTP
   */
  setTime: {
    method: 'PUT',
    path: '/system/time',
    summary: 'Sets the time of the device.',
    query: { utc: Utc },
    result: Time,
    errors: { 400: 'invalid or missing', 403: 'synchronized by NTP or PTP' },
    ubjson: true,
  },
} as const satisfies Record<string, Operation>
