import type { Operation } from '../operation'
import { servers } from '../schemas/servers'
import { Ntp, Time, Utc } from '../schemas/system'

/** The device's time and its source. */
export const time = {
  getNtp: {
    method: 'GET',
    path: '/system/ntp',
    summary: 'Read the time servers: with the state of the synchronization',
    result: Ntp,
    errors: {},
    ubjson: true,
  },
  setNtp: {
    method: 'PUT',
    path: '/system/ntp',
    summary: 'Set the time servers: at most three manual ones',
    body: { encoding: 'json', fields: { manual_ntp_servers: servers(3) } },
    result: Ntp,
    errors: { 400: 'invalid or missing' },
    ubjson: true,
  },
  getTime: {
    method: 'GET',
    path: '/system/time',
    summary: 'Read the device time: in UTC',
    result: Time,
    errors: {},
    ubjson: true,
  },
  setTime: {
    method: 'PUT',
    path: '/system/time',
    summary: 'Set the device time: in UTC',
    query: { utc: Utc },
    result: Time,
    errors: { 400: 'invalid or missing', 403: 'synchronized by NTP or PTP' },
    ubjson: true,
  },
} as const satisfies Record<string, Operation>
