import { interfaceCodeName, interfaceCodes } from '../../lib/robot-interface'
import type { ToInterface } from '../../lib/robots'
import { robotCodeName, type robotCodes } from './codes'

/** Our codes in the words of the binary interface; any other is API_RESPONSE_ERROR with our code in data_1. */
const own: Partial<Record<keyof typeof robotCodes, number>> = {
  NO_POSE: interfaceCodes.NO_POSES_FOUND,
  NO_MORE: interfaceCodes.NO_POSES_FOUND,
  UNREACHABLE: interfaceCodes.API_NOT_REACHABLE,
  STARTING: interfaceCodes.API_NOT_REACHABLE,
  TIMEOUT: interfaceCodes.PROCESSING_TIMEOUT,
  NO_ANSWER: interfaceCodes.PROCESSING_TIMEOUT,
  DOES_NOT_FIT: interfaceCodes.INTERNAL_ERROR,
  OUTCOME_UNKNOWN: interfaceCodes.UNKNOWN_ERROR,
  INTERRUPTED: interfaceCodes.UNKNOWN_ERROR,
  OTHER: interfaceCodes.UNKNOWN_ERROR,
}

const calibration = {
  HEC_INIT: interfaceCodes.HEC_INIT_ERROR,
  HEC_SET_POSE: interfaceCodes.HEC_SET_POSE_ERROR,
  HEC_CALIBRATE: interfaceCodes.HEC_CALIBRATE_ERROR,
} as const

/** Status of `set_pose` if the grid is not found. */
const gridNotFound = 4

/**
 * A failure of the flow as the binary interface says it. A module that refused is API_RESPONSE_ERROR, or the error of its
 * calibration step, with the module's code in data_1. A code of the interface that the flow sets itself is passed on.
 */
export const toInterface: ToInterface = ({ code, returnCode }, action) => {
  const name = robotCodeName(code)
  const isOfModule = returnCode !== undefined && (code === returnCode || name === 'OTHER')
  const moduleCode = returnCode ?? code
  const mapped = (name && own[name]) ?? (interfaceCodeName(code) && code)
  const isReached =
    mapped === interfaceCodes.API_NOT_REACHABLE || mapped === interfaceCodes.PROCESSING_TIMEOUT
  if (isCalibrationStep(action) && !isReached) {
    if (action === 'HEC_SET_POSE' && returnCode === gridNotFound)
      return { code: interfaceCodes.HEC_INSUFFICIENT_DETECTION, moduleCode }
    const isSaid = !isOfModule && name === undefined && mapped !== undefined && mapped < 0
    return { code: isSaid ? mapped : calibration[action], moduleCode }
  }
  if (isOfModule || mapped === undefined) return { code: interfaceCodes.API_RESPONSE_ERROR, moduleCode }
  return { code: mapped, moduleCode: name === undefined || mapped > 0 ? (returnCode ?? 0) : moduleCode }
}

const isCalibrationStep = (action: string): action is keyof typeof calibration =>
  Object.hasOwn(calibration, action)
