import type { Pose } from '../robotics/pose'
import { interfaceCodes } from './error-codes'
import {
  answerBytes,
  at,
  magic,
  OutOfRange,
  readPose,
  version,
  writeHeader,
  writeInt,
  writePose,
} from './layout'
import { echoOf, type Echo } from './request'
import { wireFormat } from './wire-format'

/** What a robot is answered, besides what is repeated from its request. */
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

const offsets = { code: 10, pose: 12, data: 40, extra: 52 } as const
const extras = 7

/**
 * The 80 bytes of an answer. With a number that does not fit into its field, the code is INTERNAL_ERROR, and pose and
 * extra values are zeros: a robot never gets a wrapped pose.
 */
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

/** The code that a robot reads: that of the answer, or INTERNAL_ERROR if one of its numbers does not fit. */
export const codeOnTheWire = (echo: Echo, answer: RobotAnswer): number =>
  writeAnswer(echo, answer).readInt16LE(offsets.code)

function written(
  { poseFormat, action, jobId }: Echo,
  { code = 0, pose, moduleCode = 0, data2 = 0, data3 = 0, extra = [] }: RobotAnswer,
): Buffer {
  const bytes = Buffer.alloc(answerBytes)
  writeHeader(bytes, poseFormat, action)
  bytes.writeUInt16LE(jobId, at.jobId)
  bytes.writeInt16LE(code, offsets.code)
  const format = wireFormat(poseFormat)
  if (pose && format) writePose(bytes, offsets.pose, format, pose)
  for (const [index, value] of [moduleCode, data2, data3].entries())
    writeInt(bytes, offsets.data + 4 * index, `data_${index + 1}`, value)
  for (const [index, value] of extra.slice(0, extras).entries())
    writeInt(bytes, offsets.extra + 4 * index, `data_${index + 4}`, value)
  return bytes
}

const fitting = (value: number) => (Number.isFinite(value) && Math.abs(value) < 2 ** 31 ? value : 0)

/** An answer as a robot reads it. */
export interface ReceivedAnswer extends Echo, Required<Omit<RobotAnswer, 'pose'>> {
  /** Metres; undefined if all its numbers are 0 or the pose format does not exist. */
  pose: Pose | undefined
}

/** Reads an answer. @returns a sentence on what is wrong with its header */
export function readAnswer(bytes: Buffer): ReceivedAnswer | string {
  if (bytes.length !== answerBytes) return `The answer has ${bytes.length} bytes instead of ${answerBytes}.`
  if (!bytes.subarray(0, magic.length).equals(magic)) return 'The answer is not from a robot interface.'
  if (bytes[at.version] !== version) return `The answer has protocol version ${bytes[at.version]}.`
  if (bytes[at.length] !== answerBytes) return `The answer says that it has ${bytes[at.length]} bytes.`
  const echo = echoOf(bytes)
  const int = (offset: number) => bytes.readInt32LE(offset)
  const format = wireFormat(echo.poseFormat)
  const isEmpty = bytes.subarray(offsets.pose, offsets.data).every((byte) => byte === 0)
  return {
    ...echo,
    code: bytes.readInt16LE(offsets.code),
    pose: format && !isEmpty ? readPose(bytes, offsets.pose, format) : undefined,
    moduleCode: int(offsets.data),
    data2: int(offsets.data + 4),
    data3: int(offsets.data + 8),
    extra: Array.from({ length: extras }, (_, index) => int(offsets.extra + 4 * index)),
  }
}
