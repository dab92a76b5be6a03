/** Return codes with which `acquisition_trigger` says that it took no picture of its own. */
export const triggerRemarks = {
  /** Another trigger is pending: its picture comes. */
  pending: 101,
  /** Nobody receives the images: nothing was acquired. */
  noSubscriber: 102,
} as const

/** Whether the device takes depth images only when it is triggered. */
export const isSingleFrame = (acquisitionMode: string): boolean => acquisitionMode.startsWith('SingleFrame')
