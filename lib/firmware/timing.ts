import type { VisionError } from '../client/vision-error'
import type { ErrorCode } from '../contract'
import type { Timing } from './types'

export const timingByDefault: Timing = {
  patience: 600,
  upload: 1800,
  stall: 30,
  write: 600,
  boot: 600,
  settle: 60,
  grace: 60,
  poll: 1,
}

/** Errors of a device that was not there. */
const away: readonly ErrorCode[] = ['UNREACHABLE', 'TIMEOUT', 'STARTING']
/** Errors of a device that was not there or not able to answer, which may pass. */
const passing: readonly ErrorCode[] = [...away, 'RATE_LIMITED', 'DEVICE_FAULT', 'NOT_FOUND', 'BAD_REPLY']

export const isAway = (error: unknown): boolean => away.includes((error as VisionError).code)
export const isPassing = (error: unknown): boolean => passing.includes((error as VisionError).code)
