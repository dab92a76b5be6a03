import { Type } from '../../typebox'
import type { Operation } from '../operation'
import {
  NotShown,
  servers,
  Backup,
  Dns,
  FirmwareInfo,
  LicenseInfo,
  NetworkInfo,
  NetworkSettings,
  networkSettings,
  Ntp,
  RestoreResult,
  SysInfo,
  Time,
  UiLock,
  UiLockAnswer,
  Utc,
  UploadFile,
} from '../schemas/system'

const inBackup = (what: string) => Type.Optional(Type.Boolean({ default: true, description: what }))

const backup = {
  getBackup: {
    method: 'GET',
    path: '/system/backup',
    summary: 'Back up the settings',
    query: {
      pipelines: inBackup('node settings'),
      load_carriers: inBackup('load carriers'),
      regions_of_interest: inBackup('regions of interest'),
      grippers: inBackup('grippers'),
    },
    result: Backup,
    errors: {},
    ubjson: true,
  },
  restoreBackup: {
    method: 'POST',
    path: '/system/backup',
    summary: 'Restore saved settings',
    body: { encoding: 'json', fields: { backup: Backup }, bare: true },
    result: RestoreResult,
    errors: {},
    ubjson: true,
    farReaching: true,
  },
} as const satisfies Record<string, Operation>

/** The device has two firmware images and boots one of them. */
const firmware = {
  getRollback: {
    method: 'GET',
    path: '/system/rollback',
    summary: 'Read the firmware images: with the one that starts next',
    result: FirmwareInfo,
    errors: {},
    ubjson: true,
  },
  rollback: {
    method: 'PUT',
    path: '/system/rollback',
    summary: 'Switch to the other firmware image: takes effect after a restart',
    result: NotShown,
    errors: { 400: 'already set to use the inactive partition', 500: 'internal error' },
    ubjson: true,
    farReaching: true,
  },
  getFirmware: {
    method: 'GET',
    path: '/system/update',
    summary: 'Read the firmware versions: active, inactive and fallback',
    result: FirmwareInfo,
    errors: {},
    ubjson: true,
  },
  uploadFirmware: {
    method: 'POST',
    path: '/system/update',
    summary: 'Upload firmware: takes effect after a restart',
    body: { encoding: 'multipart', fields: { file: UploadFile } },
    result: NotShown,
    errors: { 400: 'for example an invalid artifact' },
    ubjson: true,
    farReaching: true,
  },
} as const satisfies Record<string, Operation>

const license = {
  getLicense: {
    method: 'GET',
    path: '/system/license',
    summary: 'Read the license: the components that it covers',
    result: LicenseInfo,
    errors: {},
    ubjson: true,
  },
  uploadLicense: {
    method: 'POST',
    path: '/system/license',
    summary: 'Upload a license file: takes effect after a restart',
    body: { encoding: 'multipart', fields: { file: UploadFile } },
    result: NotShown,
    errors: { 400: 'not a valid license' },
    ubjson: true,
  },
} as const satisfies Record<string, Operation>

const network = {
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

const time = {
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

const uiLock = {
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

export const system = { ...whole, ...backup, ...network, ...license, ...time, ...firmware, ...uiLock }
