import type { Operation } from '../operation'
import { NotShown } from '../schemas/not-shown'
import { LicenseInfo } from '../schemas/system'
import { UploadFile } from '../schemas/upload-file'

/** What the device is licensed for. */
export const license = {
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
