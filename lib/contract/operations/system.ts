import { Type } from '@sinclair/typebox'
import type { Operation } from '../operation'
import {
  Backup,
  Dns,
  FirmwareInfo,
  LicenseInfo,
  NetworkInfo,
  NetworkSettings,
  networkSettings,
  NotShown,
  Ntp,
  RestoreResult,
  SysInfo,
  Time,
  UiLock,
  UiLockAnswer,
  UploadFile,
  Utc,
} from '../schemas/system'

const inBackup = (what: string) => Type.Optional(Type.Boolean({ default: true, description: what }))
const servers = (most?: number) => Type.Array(Type.String({ minLength: 1 }), { maxItems: most })

export const system = {
  /** Reads the state of the device: firmware, network, time, readiness. */
  getSystem: {
    method: 'GET',
    path: '/system',
    summary: 'Reads the state of the device: firmware, network, time, readiness.',
    result: SysInfo,
    errors: {},
    ubjson: true,
  },
  /** Saves the settings of the device. */
  getBackup: {
    method: 'GET',
    path: '/system/backup',
    summary: 'Saves the settings of the device.',
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
  /** Puts saved settings back. */
  restoreBackup: {
    method: 'POST',
    path: '/system/backup',
    summary: 'Puts saved settings back.',
    body: { encoding: 'json', fields: { backup: Backup }, bare: true },
    result: RestoreResult,
    errors: {},
    ubjson: true,
  },
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
  /** Reads which components are licensed. */
  getLicense: {
    method: 'GET',
    path: '/system/license',
    summary: 'Reads which components are licensed.',
    result: LicenseInfo,
    errors: {},
    ubjson: true,
  },
  /**
   * Uploads a license file; it takes effect after a reboot.
   * @throws VisionError 400 not a valid license
   */
  uploadLicense: {
    method: 'POST',
    path: '/system/license',
    summary: 'Uploads a license file; it takes effect after a reboot.',
    body: { encoding: 'multipart', fields: { file: UploadFile } },
    result: NotShown,
    errors: { 400: 'not a valid license' },
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
  /** Restarts the device. */
  reboot: {
    method: 'PUT',
    path: '/system/reboot',
    summary: 'Restarts the device.',
    result: NotShown,
    errors: {},
    ubjson: true,
  },
  /** Reads the firmware images. */
  getRollback: {
    method: 'GET',
    path: '/system/rollback',
    summary: 'Reads the firmware images.',
    result: FirmwareInfo,
    errors: {},
    ubjson: true,
  },
  /**
   * Uses the inactive firmware image at the next start.
   * @throws VisionError 400 already set to use the inactive partition; 500 internal error
   */
  rollback: {
    method: 'PUT',
    path: '/system/rollback',
    summary: 'Uses the inactive firmware image at the next start.',
    result: NotShown,
    errors: { 400: 'already set to use the inactive partition', 500: 'internal error' },
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
  /** Reads the firmware images. */
  getFirmware: {
    method: 'GET',
    path: '/system/update',
    summary: 'Reads the firmware images.',
    result: FirmwareInfo,
    errors: {},
    ubjson: true,
  },
  /**
   * Uploads a firmware artifact; a reboot activates it.
   * @throws VisionError 400 for example an invalid artifact
   */
  uploadFirmware: {
    method: 'POST',
    path: '/system/update',
    summary: 'Uploads a firmware artifact; a reboot activates it.',
    body: { encoding: 'multipart', fields: { file: UploadFile } },
    result: NotShown,
    errors: { 400: 'for example an invalid artifact' },
    ubjson: true,
  },
} as const satisfies Record<string, Operation>
