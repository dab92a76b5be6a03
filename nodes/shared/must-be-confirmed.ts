import type { OperationId } from '../../lib/contract'

/** What can cut a device off from its cell or its users, or replaces much of what it holds. */
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
