import { interfaceCodes } from '../../lib/robot-interface'
import { Refusal } from '../values'

/** Why an action failed: the code that the robot gets, and the code of the module for data_1. */
export interface ActionFailure {
  failure: number
  moduleCode: number
}

const { API_RESPONSE_ERROR, MISCONFIGURED_JOB, INTERNAL_ERROR } = interfaceCodes

/**
 * What a job's call that the device refused means for a robot. What its definition names and the device does not have,
 * or arguments that do not fit, are the definition's fault.
 */
export function refusedCall(error: unknown): ActionFailure {
  if (!(error instanceof Refusal)) return { failure: INTERNAL_ERROR, moduleCode: 0 }
  const { status, returnCode: moduleCode } = error
  return { failure: status === 400 || status === 404 ? MISCONFIGURED_JOB : API_RESPONSE_ERROR, moduleCode }
}

/** Code of a service's answer, and whether it is a refusal: the services tell it in three ways. */
export function codeOf(answer: Readonly<Record<string, unknown>>): { value: number; refused: boolean } {
  const { return_code, status, success, accepted } = answer
  const refused = success === false || accepted === false
  const value = (return_code as { value?: unknown } | undefined)?.value
  if (typeof value === 'number') return { value, refused: refused || value < 0 }
  if (typeof status === 'number') return { value: status, refused }
  return { value: refused ? -1 : 0, refused }
}
