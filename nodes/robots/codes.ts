import { type CodeTable, defaultCodes } from '../../lib/plc/codes'
import { interfaceCodeName, interfaceCodes } from '../../lib/robot-interface'
import type { ToInterface } from '../../lib/robots'
import { sentencesOf } from '../sentences'

/** Codes for robots: those of PLCs with the same numbers, then their own. Negative codes of the device are passed on. */
export const robotCodes = {
  ...defaultCodes,
  NO_POSE: 1,
  NO_MORE: 2,
  TOO_OLD: 221,
  /** The picture was taken at another pose of the robot. */
  OTHER_POSE: 222,
  OUTSIDE: 223,
  NOT_UNDERSTOOD: 224,
} as const satisfies CodeTable

/** Undefined for codes of the device or the flow. */
const robotCodeName = (code: number): keyof typeof robotCodes | undefined =>
  (Object.keys(robotCodes) as (keyof typeof robotCodes)[]).find((name) => robotCodes[name] === code)

/** Codes of the binary interface; any other is API_RESPONSE_ERROR with our code in data_1. */
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

/** `set_pose`: grid not found. */
const gridNotFound = 4

/**
 * A refusing module is API_RESPONSE_ERROR, or the error of its calibration step, with its code in data_1. Interface codes set
 * by the flow are passed on.
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
    const isMapped = !isOfModule && name === undefined && mapped !== undefined && mapped < 0
    return { code: isMapped ? mapped : calibration[action], moduleCode }
  }
  if (isOfModule || mapped === undefined) return { code: interfaceCodes.API_RESPONSE_ERROR, moduleCode }
  return { code: mapped, moduleCode: name === undefined || mapped > 0 ? (returnCode ?? 0) : moduleCode }
}

const isCalibrationStep = (action: string): action is keyof typeof calibration =>
  Object.hasOwn(calibration, action)

const { say } = sentencesOf('robots')

/** @param isBinary a code of the binary interface, named there */
export function meaningOf(code: number, isBinary = false): string {
  if (isBinary) return interfaceCodeName(code) ?? String(code)
  const name = robotCodeName(code)
  return name ? say(`robots-code-${name}`) : say(code < 0 ? 'robots-code-device' : 'robots-code-own')
}
