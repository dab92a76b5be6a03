import type { Failure } from '../../lib/plc/codes'

/** What an error of any node says about itself, as far as a code for the PLC follows from it. */
export function failureOf(error: unknown): Failure {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown }
  const { returnCode } = Object(cause) as { returnCode?: unknown }
  const { value = returnCode } = Object(returnCode) as { value?: unknown }
  return {
    // A node that a deploy has closed in the middle: nobody knows how far the device got.
    ...(typeof code === 'string' && { code: code === 'ABORTED' ? 'INTERRUPTED' : code }),
    ...(typeof value === 'number' && { returnCode: value }),
  }
}
