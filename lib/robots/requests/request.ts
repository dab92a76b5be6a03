import { poseOfNumbers } from '../../robotics/pose-numbers'
import { suspicionsOf } from '../../robotics/suspicions'
import type { Pose } from '../../robotics/pose'
import type { RobotNumbers } from '../ways'
import type { RawRequest } from './reader'

/** What a robot asks for. */
export interface RobotRequest {
  /** The word, in capitals. */
  command: string
  job?: number
  /** Where the robot's flange is, metres; the picture belongs to it. */
  pose?: Pose
}

/** A request that cannot be read: answered by a code. */
export interface UnreadableRequest {
  fault: 'unreadable' | 'too-long' | 'incomplete' | 'missing' | 'numbers' | 'pose'
  /** What came, as far as a person wants to see it. */
  text: string
  /** The element or attribute of XML that is missing. */
  missing?: string
}

/** Characters of a request that are shown. */
const shownLength = 80

/**
 * Whether a position and a quaternion were taken for a job and a pose with angles: with millimetres and degrees, nobody else
 * sends four last numbers of length one.
 */
const isQuaternionTaken = (
  { rotation, numbers }: RobotNumbers['format'],
  length: RobotNumbers['length'],
  own: readonly number[],
): boolean =>
  rotation.kind === 'euler' &&
  length === 'mm' &&
  numbers.some(({ unit }) => unit === 'deg') &&
  Math.abs(Math.hypot(...own.slice(-4)) - 1) < 1e-3

/**
 * What a request means: behind the word nothing, the number of a job, the numbers of the robot's pose in its own format, or
 * both in this order.
 */
export function requestOf(
  raw: RawRequest,
  { format, length }: RobotNumbers,
): RobotRequest | UnreadableRequest {
  if ('fault' in raw) return { ...raw, text: raw.text.slice(0, shownLength) }
  const { command, numbers } = raw
  const text = [command, ...numbers].join(' ').slice(0, shownLength)
  const count = format.numbers.length
  const hasJob = numbers.length === 1 || numbers.length === count + 1
  const hasPose = numbers.length >= count
  if (numbers.length > count + 1 || (numbers.length > 1 && !hasPose)) return { fault: 'numbers', text }
  const [job = 0] = numbers
  if (hasJob && !(Number.isInteger(job) && Math.abs(job) < 2 ** 31)) return { fault: 'numbers', text }
  const own = numbers.slice(-count)
  if (hasJob && hasPose && isQuaternionTaken(format, length, own)) return { fault: 'numbers', text }
  if (hasPose && suspicionsOf(format, own, { length }).some(({ severity }) => severity === 'impossible'))
    return { fault: 'pose', text }
  return {
    command,
    ...(hasJob && { job }),
    ...(hasPose && { pose: poseOfNumbers(format, own, { length }) }),
  }
}
