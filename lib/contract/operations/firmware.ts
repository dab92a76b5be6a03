import type { Operation } from '../operation'
import { NotShown } from '../schemas/not-shown'
import { FirmwareInfo } from '../schemas/system'
import { UploadFile } from '../schemas/upload-file'

/** The two images of the device, and which of them it starts. */
export const firmware = {
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
