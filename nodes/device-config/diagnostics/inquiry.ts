import { VisionError } from '../../../lib/client/vision-error'
import type { OperationId, Result } from '../../../lib/contract'
import { codeOf, detailOf } from '../../shared/node-error'
import type { Inspection } from '../../device/inspection'

/** What a device did not answer. */
export interface Unanswered {
  operation: OperationId
  input: object
  code: string
  message: string
}

/** Asks a device one thing after the other, and notes what it does not answer. */
export interface Inquiry {
  /** Undefined where the device does not answer that. */
  ask: <Id extends OperationId>(id: Id, input?: object) => Promise<Result<Id> | undefined>
  unanswered: Unanswered[]
}

/** Nothing further is asked of a device that does not answer at all. */
const silent: ReadonlySet<string> = new Set([
  'UNREACHABLE',
  'TIMEOUT',
  'STARTING',
  'UNAUTHORIZED',
  'INVALID_INPUT',
  'ABORTED',
])

/** @param inspection opens the device; may throw INVALID_INPUT */
export function inquiry(inspection: () => Inspection, address: string, signal: AbortSignal): Inquiry {
  const unanswered: Unanswered[] = []
  let isSilent = false

  async function ask(operation: OperationId, input: object = {}): Promise<unknown> {
    if (isSilent) return undefined
    try {
      return await inspection().ask(operation, input, { signal })
    } catch (error) {
      const code = codeOf(error) ?? 'failed'
      isSilent = silent.has(code)
      unanswered.push({ operation, input, code, message: messageOf(error, address) })
      return undefined
    }
  }
  return { ask, unanswered }
}

/** For whoever helps, so in en-US; the address stays as it was typed, environment variables are not resolved. */
const messageOf = (error: unknown, device: string): string =>
  error instanceof VisionError ? error.retold({ device }).message : detailOf(error)
