/** Error codes of an answer: below 0 an error, 0 success, above 0 a remark. */
export const interfaceCodes = {
  NO_ERROR: 0,
  UNKNOWN_ERROR: -1,
  /** A fault in the bridge itself; also a number that does not fit into its field. */
  INTERNAL_ERROR: -2,
  /** The REST side does not answer. */
  API_NOT_REACHABLE: -3,
  /** The called module refused; data_1 has its code. */
  API_RESPONSE_ERROR: -4,
  PIPELINE_NOT_AVAILABLE: -5,
  INVALID_REQUEST_ERROR: -6,
  INVALID_REQUEST_LENGTH: -7,
  INVALID_ACTION: -8,
  /** A job took longer than 70 s. */
  PROCESSING_TIMEOUT: -9,
  UNKNOWN_PROTOCOL_VERSION: -10,
  /** Cannot occur as long as there is one version of the protocol. */
  WRONG_PROTOCOL_FOR_JOB: -11,
  JOB_DOES_NOT_EXIST: -12,
  /** The definition of the job cannot work. */
  MISCONFIGURED_JOB: -13,
  HEC_CONFIG_ERROR: -14,
  HEC_INIT_ERROR: -15,
  HEC_SET_POSE_ERROR: -16,
  /** No result, or the result was not saved. */
  HEC_CALIBRATE_ERROR: -17,
  /** The calibration grid was not seen. */
  HEC_INSUFFICIENT_DETECTION: -18,
  /** No poses, or no more. */
  NO_POSES_FOUND: 1,
  /** No related poses, or no more. */
  NO_RELATED_POSES: 2,
  /** The job returns no poses. */
  NO_RETURN_SPECIFIED: 3,
  JOB_STILL_RUNNING: 4,
} as const

export type InterfaceCodeName = keyof typeof interfaceCodes
/** The number of an error code. */
export type InterfaceCode = (typeof interfaceCodes)[InterfaceCodeName]

const names = new Map<number, InterfaceCodeName>(
  Object.entries(interfaceCodes).map(([name, code]) => [code, name as InterfaceCodeName]),
)

/** The name of an error code, `NO_POSES_FOUND`; undefined if the protocol has no such code. */
export const interfaceCodeName = (code: number): InterfaceCodeName | undefined => names.get(code)
