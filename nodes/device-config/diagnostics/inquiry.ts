import { VisionError } from '../../../lib/client/vision-error'
import type { OperationId, Result } from '../../../lib/contract'
import { codeOf, detailOf } from '../../shared/node-error'
import type { Inspection } from '../../device/inspection'

/** A question that the device did not answer. */
export interface Unanswered {
  operation: OperationId
  input: object
  code: string
  message: string
}

/** Asks a device one question after another, and notes those that it does not answer. */
export interface Inquiry {
  /** Undefined if the device does not answer. */
  ask: <Id extends OperationId>(id: Id, input?: object) => Promise<Result<Id> | undefined>
  unanswered: Unanswered[]
}

/** After one of these errors, the device is not asked again. */
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

/** Always in en-US, for support; the address stays as typed, without resolving environment variables. */
const messageOf = (error: unknown, device: string): string =>
  error instanceof VisionError ? error.retold({ device }).message : detailOf(error)
