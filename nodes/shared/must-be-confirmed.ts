import type { FarReachingId } from '../../lib/contract'

/** The far-reaching operations of the contract, compared when compiling: loading the contract would slow the start. */
export const farReaching = {
  reboot: true,
  rollback: true,
  uploadFirmware: true,
  setNetworkSettings: true,
  setUiLock: true,
  removeUiLock: true,
  restoreBackup: true,
  deletePipeline: true,
  configureUserSpace: true,
} satisfies Record<FarReachingId, true>

/** Whether a service leaves the device as it was: it reads, or takes a picture and finds something in it. */
export const onlyLooks = (service: string): boolean =>
  /^((get|detect|compute|measure|check)_\w+|detect|acquisition_trigger)$/.test(service)

export const mustBeConfirmed = (operation: string): boolean => Object.hasOwn(farReaching, operation)
