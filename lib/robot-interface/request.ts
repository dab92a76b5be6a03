import type { Pose } from '../robotics/pose'
import { robotActionOf, robotActions, type RobotAction } from './actions'
import { interfaceCodes, type InterfaceCode } from './error-codes'
import { at, OutOfRange, readPose, requestBytes, writeHeader, writeInt, writePose } from './layout'
import { wireFormat } from './wire-format'

/** A request of a robot. */
export interface RobotRequest {
  action: RobotAction
  /** 1 to 51, for this request and its answer. */
  poseFormat: number
  /** 0 to 65535; 0 for STATUS and the calibration. */
  jobId: number
  /** The flange in the robot's base frame, metres; undefined if the robot sends no rotation (a zero quaternion). */
  pose: Pose | undefined
  /** data_1 to data_4. Calibration: pipeline, slot. */
  data: readonly [number, number, number, number]
}

/** The fields of a request that its answer repeats, as received. */
export interface Echo {
  poseFormat: number
  action: number
  jobId: number
}

const offsets = { pose: 10, data: 38 } as const

/** What the answer to these bytes repeats. @param bytes the header at least; without a job number, it is 0 */
export const echoOf = (bytes: Buffer): Echo => ({
  poseFormat: bytes[at.poseFormat] ?? 0,
  action: bytes[at.action] ?? 0,
  jobId: bytes.length >= at.jobId + 2 ? bytes.readUInt16LE(at.jobId) : 0,
})

/**
 * Reads a request whose magic, version and length were checked.
 * @param bytes 54 bytes
 * @returns the code to answer with, if its action or pose format does not exist
 */
export function readRequest(bytes: Buffer): RobotRequest | InterfaceCode {
  const { action: number, poseFormat, jobId } = echoOf(bytes)
  const action = robotActionOf(number)
  if (action === undefined) return interfaceCodes.INVALID_ACTION
  const format = wireFormat(poseFormat)
  if (!format) return interfaceCodes.INVALID_REQUEST_ERROR
  const data = (index: number) => bytes.readInt32LE(offsets.data + 4 * index)
  return {
    action,
    poseFormat,
    jobId,
    pose: readPose(bytes, offsets.pose, format),
    data: [data(0), data(1), data(2), data(3)],
  }
}

/**
 * The 54 bytes of a request. Without a pose they are zeros.
 * @throws OutOfRange for a number that does not fit, RangeError for an unknown pose format
 */
export function writeRequest({
  action,
  poseFormat,
  jobId = 0,
  pose,
  data = [],
}: Pick<RobotRequest, 'action' | 'poseFormat'> & {
  jobId?: number
  pose?: Pose
  data?: readonly number[]
}): Buffer {
  const format = wireFormat(poseFormat)
  if (!format) throw new RangeError(`${poseFormat}: there is no such pose format`)
  if (!Number.isInteger(jobId) || jobId < 0 || jobId > 0xffff) throw new OutOfRange('job_id', jobId)
  const bytes = Buffer.alloc(requestBytes)
  writeHeader(bytes, poseFormat, robotActions[action])
  bytes.writeUInt16LE(jobId, at.jobId)
  if (pose) writePose(bytes, offsets.pose, format, pose)
  for (const [index, value] of data.slice(0, 4).entries())
    writeInt(bytes, offsets.data + 4 * index, `data_${index + 1}`, value)
  return bytes
}
