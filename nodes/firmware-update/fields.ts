import type { Mode } from '../../lib/firmware/types'
import type { FieldKind } from '../shared/field-kind'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const firmwareUpdateFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  mode: 'update' as Mode,
  /** The artifact: path of a file, or its bytes. */
  source: 'payload',
  sourceType: 'msg' as FieldKind,
  /** Folders below which files are read, with commas between them. */
  folders: '',
  /** What the artifact must be; empty is not checked. */
  version: '',
  versionType: 'str' as FieldKind,
  sha256: '',
  sha256Type: 'str' as FieldKind,
  size: '',
  sizeType: 'str' as FieldKind,
  /** Who confirms: each message with `msg.confirm`, or whoever ticked it here. */
  confirmed: false,
  onUnhealthy: 'keep' as 'keep' | 'rollback',
  onChanged: 'list' as 'list' | 'unhealthy',
  allowFallback: false,
  /** Names of devices to be updated in waves; empty is the one device. */
  devices: '',
  devicesType: 'str' as FieldKind,
  atOnce: 1 as string | number,
  stopAfter: 1 as string | number,
  /** Waits between waves for a message with the topic `approve`. */
  approval: false,
  /** Seconds that the device may keep a run waiting: out of reach, or restarting. */
  patience: 600 as string | number,
  /** Seconds without a byte going out, after which an upload is begun again. */
  stall: 30 as string | number,
}
export type FirmwareUpdateFields = typeof firmwareUpdateFields
