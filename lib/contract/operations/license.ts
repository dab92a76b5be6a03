import type { Operation } from '../operation'
import { NotShown } from '../schemas/not-shown'
import { LicenseInfo } from '../schemas/system'
import { UploadFile } from '../schemas/upload-file'

/** What the device is licensed for. */
export const license = {
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
} as const satisfies Record<string, Operation>
