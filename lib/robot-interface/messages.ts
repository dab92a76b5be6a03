/**
 * The messages of a device's robot interface, for both sides: requests of 54 bytes, answers of 80, little-endian.
 *
 * In and out: actions, codes and poses in metres; bytes. Poses travel as millionths of a millimetre in one of 51
 * formats. Knows no socket and no job.
 */
import {
  lengthOf,
  type Pose,
  type Quaternion,
  canonical,
  degrees,
  type EulerAxes,
  eulerOf,
  normalized,
  ofEuler,
  ofRotationVector,
  radians,
  rotationVectorOf,
} from '../robotics/pose'

/** By the number in the request. */
export const robotActions = {
  STATUS: 1,
  TRIGGER_JOB_SYNC: 2,
  TRIGGER_JOB_ASYNC: 3,
  GET_JOB_STATUS: 4,
  GET_NEXT_POSE: 5,
  GET_RELATED_POSE: 6,
  HEC_INIT: 7,
  HEC_SET_POSE: 8,
  HEC_CALIBRATE: 9,
} as const

export type RobotAction = keyof typeof robotActions

const actionNames = new Map<number, RobotAction>(
  Object.entries(robotActions).map(([name, number]) => [number, name as RobotAction]),
)

export const robotActionOf = (number: number): RobotAction | undefined => actionNames.get(number)

/** As data_2 of the answer to GET_JOB_STATUS. 0, UNKNOWN, is for clients only and never sent. */
export const jobStates = { INACTIVE: 1, RUNNING: 2, DONE: 3, FAILED: 4 } as const

export type JobState = keyof typeof jobStates

/** Below 0 an error, 0 success, above 0 a remark. */
export const interfaceCodes = {
  NO_ERROR: 0,
  UNKNOWN_ERROR: -1,
  /** A fault in the bridge itself; also a number that does not fit into its field. */
  INTERNAL_ERROR: -2,
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
  NO_RETURN_SPECIFIED: 3,
  JOB_STILL_RUNNING: 4,
} as const

export type InterfaceCodeName = keyof typeof interfaceCodes

export type InterfaceCode = (typeof interfaceCodes)[InterfaceCodeName]

const codeNames = new Map<number, InterfaceCodeName>(
  Object.entries(interfaceCodes).map(([name, code]) => [code, name as InterfaceCodeName]),
)

/** `NO_POSES_FOUND`; undefined if the protocol has no such code. */
export const interfaceCodeName = (code: number): InterfaceCodeName | undefined => codeNames.get(code)

/** "GRI" and a zero. */
export const magic = Buffer.from([0x47, 0x52, 0x49, 0x00])

export const version = 1

/** Bytes of the header: magic, version, length, pose format, action. */
export const headerBytes = 8

export const requestBytes = 54

export const answerBytes = 80

export const at = { version: 4, length: 5, poseFormat: 6, action: 7, jobId: 8 } as const

const limits = { min: -0x8000_0000, max: 0x7fff_ffff }

const perUnit = 1e6 // fields are in millionths of millimetres, degrees and the like

const metres = 1e9 // fields of positions are in billionths of a metre

/** A number does not fit into its field. Beyond ±2147.483647 mm a pose cannot be sent. */
export class OutOfRange extends RangeError {
  override readonly name = 'OutOfRange'

  constructor(
    /** Such as `x`, `rot_1`, `data_4`. */
    readonly field: string,
    /** In the unit of the message: millimetres, radians or degrees. */
    readonly value: number,
  ) {
    super(`${field} is ${value}: the robot interface carries at most ±2147.483647`)
  }
}

/** An int32. @throws OutOfRange, without writing, if the number is not finite or does not fit */
function writeInt(bytes: Buffer, offset: number, field: string, units: number, shown = units): void {
  const whole = Math.round(units)
  if (!(whole >= limits.min && whole <= limits.max)) throw new OutOfRange(field, shown)
  bytes.writeInt32LE(whole, offset)
}

/** @throws OutOfRange */
const writeScaled = (bytes: Buffer, offset: number, field: string, value: number): void =>
  writeInt(bytes, offset, field, value * perUnit, value)

function writeHeader(bytes: Buffer, poseFormat: number, action: number): void {
  magic.copy(bytes)
  bytes[at.version] = version
  bytes[at.length] = bytes.length
  bytes[at.poseFormat] = poseFormat
  bytes[at.action] = action
}

function writePose(bytes: Buffer, offset: number, format: WireFormat, { position, orientation }: Pose): void {
  const { x, y, z } = position
  const lengths = Object.entries({ x, y, z })
  for (const [index, [axis, length]] of lengths.entries())
    writeInt(bytes, offset + 4 * index, axis, length * metres, length * 1000)
  for (const [index, number] of rotationNumbers(format, orientation).entries())
    writeScaled(bytes, offset + 12 + 4 * index, `rot_${index + 1}`, number)
}

/** Metres; undefined if the quaternion is zero. */
function readPose(bytes: Buffer, offset: number, format: WireFormat): Pose | undefined {
  const int = (index: number) => bytes.readInt32LE(offset + 4 * index)
  const numbers = [3, 4, 5, 6].map((index) => int(index) / perUnit) as unknown as RotationNumbers
  const orientation = rotationOf(format, numbers)
  if (!orientation) return undefined
  return { position: { x: int(0) / metres, y: int(1) / metres, z: int(2) / metres }, orientation }
}

export type WireFormat =
  | { kind: 'quaternion'; order: readonly ('w' | 'x' | 'y' | 'z')[] }
  /** Axis times angle in radians, the fourth number 0. */
  | { kind: 'rotation-vector' }
  /**
   * R = R_axes[0] · R_axes[1] · R_axes[2]. Forward, the first number belongs to the first of these axes; backward, to
   * the last one. The fourth number is 0.
   */
  | { kind: 'euler'; axes: EulerAxes; backward: boolean; unit: 'deg' | 'rad' }

/** Axis orders of formats 4 to 51, four formats for each. Derived: only 24, 26 and the last number are documented. */
const orders = ['xyz', 'xzy', 'yxz', 'yzx', 'zxy', 'zyx', 'xyx', 'xzx', 'yxy', 'yzy', 'zxz', 'zyz']

const firstEuler = 4

const formats: ReadonlyMap<number, WireFormat> = new Map<number, WireFormat>([
  [1, { kind: 'quaternion', order: ['w', 'x', 'y', 'z'] }],
  [2, { kind: 'quaternion', order: ['x', 'y', 'z', 'w'] }],
  [3, { kind: 'rotation-vector' }],
  ...orders.flatMap((order, block) =>
    [0, 1, 2, 3].map((kind): [number, WireFormat] => [
      firstEuler + 4 * block + kind,
      {
        kind: 'euler',
        axes: Array.from(order) as unknown as EulerAxes,
        backward: kind >= 2,
        unit: kind % 2 === 0 ? 'deg' : 'rad',
      },
    ]),
  ),
])

/** 1 to 51; undefined for any other number. */
export const wireFormat = (number: number): WireFormat | undefined => formats.get(number)

/** Real robot programs confirm the layout of these; that of the others is derived. */
export const confirmedFormats: readonly number[] = [1, 2, 24, 26]

/** Four numbers, unscaled: parts of a quaternion, radians or degrees. */
export type RotationNumbers = readonly [number, number, number, number]

export function rotationNumbers(format: WireFormat, rotation: Quaternion): RotationNumbers {
  switch (format.kind) {
    case 'quaternion':
      return format.order.map((part) => rotation[part]) as unknown as RotationNumbers
    case 'rotation-vector': {
      const { x, y, z } = rotationVectorOf(canonical(rotation))
      return [x, y, z, 0]
    }
    case 'euler': {
      const angles = eulerOf(format.axes, rotation).map((angle) =>
        format.unit === 'deg' ? degrees(angle) : angle,
      )
      const [first = 0, second = 0, third = 0] = format.backward ? angles.reverse() : angles
      return [first, second, third, 0]
    }
  }
}

/** Of length one; undefined for a zero quaternion. */
export function rotationOf(format: WireFormat, numbers: RotationNumbers): Quaternion | undefined {
  const [first, second, third] = numbers
  switch (format.kind) {
    case 'quaternion': {
      const rotation: Quaternion = { w: 0, x: 0, y: 0, z: 0 }
      format.order.forEach((part, index) => (rotation[part] = numbers[index] ?? 0))
      return lengthOf(rotation) > 0 ? normalized(rotation) : undefined
    }
    case 'rotation-vector':
      return ofRotationVector({ x: first, y: second, z: third })
    case 'euler': {
      const given = format.unit === 'deg' ? [first, second, third].map(radians) : [first, second, third]
      const [a = 0, b = 0, c = 0] = format.backward ? given.reverse() : given
      return ofEuler(format.axes, [a, b, c])
    }
  }
}

export interface RobotRequest {
  action: RobotAction
  /** 1 to 51, for this request and its answer. */
  poseFormat: number
  /** 0 to 65535; 0 for STATUS and the calibration. */
  jobId: number
  /** The flange in the robot's base frame, metres; undefined for a zero quaternion. */
  pose: Pose | undefined
  /** data_1 to data_4. Calibration: pipeline, slot. */
  data: readonly [number, number, number, number]
}

/** Fields that the answer repeats, as received. */
export interface Echo {
  poseFormat: number
  action: number
  jobId: number
}

const requestOffsets = { pose: 10, data: 38 } as const

/** @param bytes the header at least; a missing job number is 0 */
export const echoOf = (bytes: Buffer): Echo => ({
  poseFormat: bytes[at.poseFormat] ?? 0,
  action: bytes[at.action] ?? 0,
  jobId: bytes.length >= at.jobId + 2 ? bytes.readUInt16LE(at.jobId) : 0,
})

/** Reads 54 bytes whose header was checked. @returns the code to answer for an unknown action or pose format */
export function readRequest(bytes: Buffer): RobotRequest | InterfaceCode {
  const { action: number, poseFormat, jobId } = echoOf(bytes)
  const action = robotActionOf(number)
  if (action === undefined) return interfaceCodes.INVALID_ACTION
  const format = wireFormat(poseFormat)
  if (!format) return interfaceCodes.INVALID_REQUEST_ERROR
  const data = (index: number) => bytes.readInt32LE(requestOffsets.data + 4 * index)
  return {
    action,
    poseFormat,
    jobId,
    pose: readPose(bytes, requestOffsets.pose, format),
    data: [data(0), data(1), data(2), data(3)],
  }
}

/** 54 bytes; zeros without a pose. @throws OutOfRange; RangeError for an unknown pose format */
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
  if (pose) writePose(bytes, requestOffsets.pose, format, pose)
  for (const [index, value] of data.slice(0, 4).entries())
    writeInt(bytes, requestOffsets.data + 4 * index, `data_${index + 1}`, value)
  return bytes
}

/** The part of an answer that is not repeated from its request. */
export interface RobotAnswer {
  /** Below 0 an error, 0 success, above 0 a remark. @default 0 */
  code?: number
  /** Metres. @default none: zeros */
  pose?: Pose | undefined
  /** data_1: the code of the called module. @default 0 */
  moduleCode?: number
  /** data_2: ready, job state, or primary poses left. @default 0 */
  data2?: number
  /** data_3: related poses left. @default 0 */
  data3?: number
  /** data_4 to data_10, as sent. @default zeros */
  extra?: readonly number[]
}

const answerOffsets = { code: 10, pose: 12, data: 40, extra: 52 } as const

const extras = 7

/** 80 bytes. If a number does not fit, the code is INTERNAL_ERROR: a robot never gets a wrapped pose. */
export function writeAnswer(echo: Echo, answer: RobotAnswer): Buffer {
  try {
    return written(echo, answer)
  } catch (error) {
    if (!(error instanceof OutOfRange)) throw error
    const { moduleCode = 0, data2 = 0, data3 = 0 } = answer
    const counts = { moduleCode: fitting(moduleCode), data2: fitting(data2), data3: fitting(data3) }
    return written(echo, { code: interfaceCodes.INTERNAL_ERROR, ...counts })
  }
}

/** The code that a robot reads: that of the answer, or INTERNAL_ERROR if a number does not fit. */
export const codeOnTheWire = (echo: Echo, answer: RobotAnswer): number =>
  writeAnswer(echo, answer).readInt16LE(answerOffsets.code)

function written(
  { poseFormat, action, jobId }: Echo,
  { code = 0, pose, moduleCode = 0, data2 = 0, data3 = 0, extra = [] }: RobotAnswer,
): Buffer {
  const bytes = Buffer.alloc(answerBytes)
  writeHeader(bytes, poseFormat, action)
  bytes.writeUInt16LE(jobId, at.jobId)
  bytes.writeInt16LE(code, answerOffsets.code)
  const format = wireFormat(poseFormat)
  if (pose && format) writePose(bytes, answerOffsets.pose, format, pose)
  for (const [index, value] of [moduleCode, data2, data3].entries())
    writeInt(bytes, answerOffsets.data + 4 * index, `data_${index + 1}`, value)
  for (const [index, value] of extra.slice(0, extras).entries())
    writeInt(bytes, answerOffsets.extra + 4 * index, `data_${index + 4}`, value)
  return bytes
}

const fitting = (value: number) => (Number.isFinite(value) && Math.abs(value) < 2 ** 31 ? value : 0)

export interface ReceivedAnswer extends Echo, Required<Omit<RobotAnswer, 'pose'>> {
  /** Metres; undefined if all its numbers are 0 or the pose format does not exist. */
  pose: Pose | undefined
}

/** @returns a sentence if the header is wrong */
export function readAnswer(bytes: Buffer): ReceivedAnswer | string {
  if (bytes.length !== answerBytes) return `The answer has ${bytes.length} bytes instead of ${answerBytes}.`
  if (!bytes.subarray(0, magic.length).equals(magic)) return 'The answer is not from a robot interface.'
  if (bytes[at.version] !== version) return `The answer has protocol version ${bytes[at.version]}.`
  if (bytes[at.length] !== answerBytes) return `The answer says that it has ${bytes[at.length]} bytes.`
  const echo = echoOf(bytes)
  const int = (offset: number) => bytes.readInt32LE(offset)
  const format = wireFormat(echo.poseFormat)
  const isEmpty = bytes.subarray(answerOffsets.pose, answerOffsets.data).every((byte) => byte === 0)
  return {
    ...echo,
    code: bytes.readInt16LE(answerOffsets.code),
    pose: format && !isEmpty ? readPose(bytes, answerOffsets.pose, format) : undefined,
    moduleCode: int(answerOffsets.data),
    data2: int(answerOffsets.data + 4),
    data3: int(answerOffsets.data + 8),
    extra: Array.from({ length: extras }, (_, index) => int(answerOffsets.extra + 4 * index)),
  }
}

/** Up to 2147.483647 mm. */
export function fitsMessage(pose: Pose, poseFormat: number): boolean {
  const answer = readAnswer(writeAnswer({ poseFormat, action: 1, jobId: 0 }, { pose }))
  return typeof answer === 'object' && answer.code === interfaceCodes.NO_ERROR
}
