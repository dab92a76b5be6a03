import { defaultCodes, type CodeTable } from '../../lib/plc/codes'

/**
 * What a robot reads as its code. A PLC gets the same numbers for the same reasons; those that only robots get come behind
 * them. Negative codes of the device are passed on as they are.
 */
export const robotCodes = {
  ...defaultCodes,
  /** Nothing was found. */
  NO_POSE: 1,
  /** There is no further pose of the last result. */
  NO_MORE: 2,
  /** The picture is older than allowed. */
  TOO_OLD: 221,
  /** The picture was taken at another pose of the robot. */
  OTHER_POSE: 222,
  /** All poses are outside the workspace. */
  OUTSIDE: 223,
  /** The request cannot be read. */
  NOT_UNDERSTOOD: 224,
} as const satisfies CodeTable

/** The name of a code; undefined for a code of the device or of the flow. */
export const robotCodeName = (code: number): keyof typeof robotCodes | undefined =>
  (Object.keys(robotCodes) as (keyof typeof robotCodes)[]).find((name) => robotCodes[name] === code)
