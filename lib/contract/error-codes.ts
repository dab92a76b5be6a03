/** Stable codes that flows and programs may test for. */
export const errorCodes = {
  INVALID_INPUT: 'the client rejected the input and sent nothing',
  BAD_REQUEST: 'the device refused an argument (400)',
  UNAUTHORIZED: 'a gateway in front of the device requires a login (401)',
  FORBIDDEN: 'the device does not allow this now (403)',
  NOT_FOUND: 'the device has no such resource (404)',
  TOO_LARGE: 'the request is too large for the device (413)',
  RATE_LIMITED: 'the device received too many requests (429)',
  DEVICE_FAULT: 'the device reported an internal error (500)',
  STARTING: 'the device is starting (502, 503), and nothing was changed',
  UNREACHABLE: 'no connection to the device, or it was lost before the answer',
  TIMEOUT: 'the device did not answer a read within the deadline',
  OUTCOME_UNKNOWN:
    'a write was sent and not answered by the device itself: it may or may not have taken effect',
  ABORTED: 'the caller aborted the call',
  BAD_REPLY: 'the answer has an unexpected status, or the answer to a read cannot be understood',
  REFUSED: 'the device answered with a refusal',
  BUSY: 'too many calls are already waiting',
  INTERNAL: 'an internal error in this software; a write that was sent may have taken effect',
} as const

/** One of `errorCodes`. */
export type ErrorCode = keyof typeof errorCodes

/** A status that is not listed is a `BAD_REPLY`. */
export const codeOfStatus: Readonly<Partial<Record<number, ErrorCode>>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'TOO_LARGE',
  429: 'RATE_LIMITED',
  500: 'DEVICE_FAULT',
  502: 'STARTING',
  503: 'STARTING',
}
