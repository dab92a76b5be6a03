import type { Operation } from '../operation'
import { NotShown } from '../schemas/not-shown'
import { FirmwareInfo } from '../schemas/system'
import { UploadFile } from '../schemas/upload-file'

/** The two firmware images of the device, and which of them it boots. */
export const firmware = {
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
