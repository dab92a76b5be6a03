import type {
  ArmFlags,
  ConversionOptions,
  LengthUnit,
  Pose,
  PoseFormat,
  PoseFormatId,
  PoseFormatName,
  Suspicion,
} from '../../lib/robotics'
import { customFormat, customPrefix, poseFormats } from '../../lib/robotics/pose-formats'
import {
  namedNumbers,
  numbersIn,
  numbersOfPose,
  poseOfNumbers,
  poseText,
  readNumbers,
} from '../../lib/robotics/pose-numbers'
import { canonical, isUnit, normalized } from '../../lib/robotics/pose'
import { farthestMetres, suspicionsOf } from '../../lib/robotics/suspicions'
import { detailOf } from './node-error'
import { invalidInput, say } from './sentences'

const device = robotFormat('poses', 'device', '')

/** A pose, or a list of what has one; nothing is none. */
export function listOfPoses(given: unknown): readonly unknown[] {
  if (given === undefined || given === null || given === '') return []
  return Array.isArray(given) ? given : [given]
}

/** A pose exactly as the device sends it, and possible; whatever else is read like the poses of robots. */
function poseAsSent(given: unknown): Pose | undefined {
  const { position, orientation, ...more } = Object(given) as Partial<Pose>
  if (!position || !orientation || Object.keys(more).length > 0) return undefined
  const { x, y, z } = position
  const { w, x: a, y: b, z: c } = orientation
  const isNumbers = [x, y, z, w, a, b, c].every((part: unknown) => typeof part === 'number')
  // Not a number is not within either.
  const isPossible = isNumbers && Math.hypot(x, y, z) <= farthestMetres && isUnit({ w, x: a, y: b, z: c })
  if (!isPossible) return undefined
  return { position: { x, y, z }, orientation: canonical(normalized({ w, x: a, y: b, z: c })) }
}

/**
 * A pose as the device gives it, in metres.
 * @param number of the pose, for the error
 * @throws INVALID_INPUT where it is none
 */
export function poseInAnswer(given: unknown, number: number): Pose {
  try {
    return poseAsSent(given) ?? readPossiblePose(device, given).pose
  } catch (problem) {
    throw invalidInput('no-pose-in-list', { number, problem: detailOf(problem) })
  }
}

/** What is wrong with a pose, the suspected reason, and what to do, in the language of this Node-RED. */
export function suspicionText(suspicion: Suspicion, { numbers, maker }: PoseFormat): string {
  switch (suspicion.kind) {
    case 'wrong-count': {
      const names = numbers.map(({ name }) => name).join(' ')
      return say('pose-wrong-count', { ...suspicion, names })
    }
    case 'not-a-number':
      return say('pose-not-a-number', suspicion)
    case 'too-far':
      return say(suspicion.suspected ? 'pose-millimetres' : 'pose-too-far', {
        ...suspicion,
        metres: short(suspicion.metres),
      })
    case 'too-near':
      return say('pose-metres', { millimetres: short(1000 * suspicion.metres) })
    case 'quaternion-not-unit':
      return say('pose-quaternion', { length: short(suspicion.length) })
    case 'angle-out-of-range':
      return say('pose-angle', { ...suspicion, maker, value: short(suspicion.value) })
    case 'rotation-vector-too-long':
      return say('pose-rotation-vector', { length: short(suspicion.length) })
    case 'angles-look-like-radians':
      return say('pose-radians', { ...suspicion, value: short(suspicion.value) })
    case 'not-a-rotation-matrix':
      return say(suspicion.suspected ? 'pose-matrix-rows' : 'pose-matrix', {
        deviation: short(suspicion.deviation),
      })
  }
}

const short = (value: number) => Number(value.toPrecision(4))

/** A pose as read from a flow. */
export interface ReadPose {
  pose: Pose
  /** As received, with whatever else it contains. */
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
 * Reads the pose at which a robot that is about to be moved reports to be.
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

/** How a robot writes poses: the maker's format, and the unit of positions. */
export interface RobotFormat extends Required<ConversionOptions> {
  format: PoseFormat
}

/** The unit of a format as stored by the dialogs; empty is the maker's own. */
type UnitField = '' | LengthUnit

/**
 * @param field the field with the format, for the error
 * @param id of the list, or `custom`
 * @param words what describes a custom format
 * @throws INVALID_INPUT for an unknown format, as in a hand-written flow, and for words that describe none
 */
export function robotFormat(
  field: string,
  id: PoseFormatId | 'custom',
  unit: UnitField,
  words = '',
): RobotFormat {
  const format = id === 'custom' ? customFormat(words) : poseFormats.find((each) => each.id === id)
  if (format) return { format, length: unit || format.length }
  if (id === 'custom') throw invalidInput('pose-words', { value: words })
  const known = [...poseFormats.map((each) => each.id), 'custom'].join(', ')
  throw invalidInput('pose-format', { field, value: id, known })
}

/** The id of the format that a dialog has stored. @throws INVALID_INPUT for words that describe none */
export function poseFormatName(id: PoseFormatId | 'custom', words: string): PoseFormatName {
  if (id !== 'custom') return id
  if (!customFormat(words)) throw invalidInput('pose-words', { value: words })
  return `${customPrefix}${words}` as PoseFormatName
}

/** The form in which a flow wants a pose. */
export type PoseShape = 'object' | 'array' | 'text'

/** A pose in a robot's own numbers; flags of the arm stand behind them, except in an array. */
export function shapedPose(
  { format, length }: RobotFormat,
  pose: Pose,
  shape: PoseShape,
  flags?: ArmFlags,
): unknown {
  const numbers = numbersOfPose(format, pose, { length }).map(tidy)
  if (shape === 'array') return numbers
  if (shape === 'text') {
    const text = poseText(format, numbers, { length })
    return flags?.into(text) ?? text
  }
  return { ...namedNumbers(format, numbers), ...flags?.properties }
}

/** A pose as people compare it with the pendant: three digits are a thousandth of a millimetre or a degree. */
export const shortPose = ({ format, length }: RobotFormat, pose: Pose): string =>
  poseText(
    format,
    numbersOfPose(format, pose, { length }).map((each) => rounded(each, length === 'm' ? 4 : 3)),
    { length },
  )

/** To so many digits behind the point. Adding 0 turns -0 into 0. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0

/** Rounds 90.00000000000001 to 90. */
const tidy = (value: number) => Math.round(value * 1e9) / 1e9 + 0

/** Three digits are more than a bound is worth. */
export const threeDigits = (value: number): number => Number(Number(value.toPrecision(3)).toFixed(4))
