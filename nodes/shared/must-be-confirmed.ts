import type { OperationId } from '../../lib/contract'

/** Operations that can disconnect a device from its cell or its users, or replace much of its content. */
const farReaching: ReadonlySet<string> = new Set([
  'reboot',
  'rollback',
  'uploadFirmware',
  'setNetworkSettings',
  'setUiLock',
  'removeUiLock',
  'restoreBackup',
  'deletePipeline',
  'configureUserSpace',
] satisfies OperationId[])

export const mustBeConfirmed = (operation: string): boolean => farReaching.has(operation)
