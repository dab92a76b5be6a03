import type { Pose, Suspicion } from '../../../lib/robotics'
import { numbersIn, readNumbers, poseOfNumbers } from '../../../lib/robotics/read-pose'
import { suspicionsOf } from '../../../lib/robotics/suspicions'
import type { RobotFormat } from './robot-format'
import { suspicionText } from './suspicion-text'
import { invalidInput } from '../sentences'

/** A pose as read from a flow. */
export interface ReadPose {
  pose: Pose
  /** As it came, with whatever stands beside the numbers. */
  given: unknown
  /** As given, in the order of the format. */
  numbers: number[]
  /** Suspicions about the numbers, the most certain first. */
  suspicions: Suspicion[]
}

/** With one of these, the pose cannot be read. */
const unreadable: readonly Suspicion['kind'][] = ['wrong-count', 'not-a-number']

/**
 * Reads a pose, however doubtful.
 * @param given array, object or text
 * @throws INVALID_INPUT if numbers are missing, too many or ambiguous, or for several poses
 */
export function readPose(robot: RobotFormat, given: unknown): ReadPose {
  if (Array.isArray(given) && (posesIn(robot, given)?.length ?? 0) > 1) throw invalidInput('several-poses')
  const { numbers, ambiguous } = readNumbers(robot.format, given)
  if (ambiguous) {
    const { text, readings } = ambiguous
    throw invalidInput('pose-ambiguous', { text, one: readings[0], other: readings[1] })
  }
  const suspicions = suspicionsOf(robot.format, numbers, robot)
  const missing = suspicions.filter(({ kind }) => unreadable.includes(kind))
  if (missing.length) throw poseError(missing, robot)
  return { pose: poseOfNumbers(robot.format, numbers, robot), given, numbers, suspicions }
}

/** Reads a possible pose. @throws INVALID_INPUT naming the suspicion if it is impossible */
export function readPossiblePose(robot: RobotFormat, given: unknown): ReadPose {
  const read = readPose(robot, given)
  const impossible = read.suspicions.filter(({ severity }) => severity === 'impossible')
  if (impossible.length) throw poseError(impossible, robot)
  return read
}

/** In other units, the robot would stand elsewhere: metres for millimetres, radians for degrees. */
const otherUnits: readonly Suspicion['kind'][] = ['too-near', 'angles-look-like-radians']

/**
 * Reads the pose at which a robot that is about to be moved says that it stands.
 * @throws INVALID_INPUT for an impossible pose, and for one that is probably in other units
 */
export function readStandingPose(robot: RobotFormat, given: unknown): ReadPose {
  const read = readPossiblePose(robot, given)
  const doubtful = read.suspicions.filter(({ kind }) => otherUnits.includes(kind))
  if (doubtful.length) throw poseError(doubtful, robot)
  return read
}

export const poseError = (suspicions: readonly Suspicion[], { format }: RobotFormat) =>
  invalidInput('impossible-pose', {
    problem: suspicions.map((each) => suspicionText(each, format)).join(' '),
  })

/**
 * The poses of a list: the elements of an array, or the lines of a text. Undefined for a single pose, which may itself
 * be a nested array.
 */
export function posesIn({ format }: RobotFormat, given: unknown): unknown[] | undefined {
  const parts: unknown =
    typeof given === 'string' ? given.split(/\r?\n/).filter((line) => line.trim()) : given
  if (!Array.isArray(parts)) return undefined
  const complete = (part: unknown) => numbersIn(format, part).length === format.numbers.length
  // One bad element among good ones means a list with a bad pose.
  return parts.some(complete) ? (parts as unknown[]) : undefined
}
