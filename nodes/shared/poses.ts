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

/** One or several; empty values are none. */
export function listOfPoses(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === '') return []
  return Array.isArray(value) ? value : [value]
}

/** Exactly as the device sends it, and possible; everything else is read like poses of robots. */
function poseAsSent(value: unknown): Pose | undefined {
  const { position, orientation, ...more } = Object(value) as Partial<Pose>
  if (!position || !orientation || Object.keys(more).length > 0) return undefined
  const { x, y, z } = position
  const { w, x: a, y: b, z: c } = orientation
  const isNumbers = [x, y, z, w, a, b, c].every((part: unknown) => typeof part === 'number')
  // False for NaN too.
  const isPossible = isNumbers && Math.hypot(x, y, z) <= farthestMetres && isUnit({ w, x: a, y: b, z: c })
  if (!isPossible) return undefined
  return { position: { x, y, z }, orientation: canonical(normalized({ w, x: a, y: b, z: c })) }
}

/** From the device, metres. @param number of the pose, for the error @throws INVALID_INPUT */
export function poseInAnswer(value: unknown, number: number): Pose {
  try {
    return poseAsSent(value) ?? readPossiblePose(device, value).pose
  } catch (problem) {
    throw invalidInput('no-pose-in-list', { number, problem: detailOf(problem) })
  }
}

/** The problem, its probable cause and the remedy, in Node-RED's language. */
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

export interface ReadPose {
  pose: Pose
  /** As received, with other content. */
  given: unknown
  /** In the order of the format. */
  numbers: number[]
  /** Most certain first. */
  suspicions: Suspicion[]
}

/** Suspicions with which a pose cannot be read. */
const unreadable: readonly Suspicion['kind'][] = ['wrong-count', 'not-a-number']

/**
 * Also reads doubtful poses.
 * @param value array, object or text
 * @throws INVALID_INPUT for missing, extra or ambiguous numbers, or several poses
 */
export function readPose(robot: RobotFormat, value: unknown): ReadPose {
  if (Array.isArray(value) && (posesIn(robot, value)?.length ?? 0) > 1) throw invalidInput('several-poses')
  const { numbers, ambiguous } = readNumbers(robot.format, value)
  if (ambiguous) {
    const { text, readings } = ambiguous
    throw invalidInput('pose-ambiguous', { text, one: readings[0], other: readings[1] })
  }
  const suspicions = suspicionsOf(robot.format, numbers, robot)
  const missing = suspicions.filter(({ kind }) => unreadable.includes(kind))
  if (missing.length) throw poseError(missing, robot)
  return { pose: poseOfNumbers(robot.format, numbers, robot), given: value, numbers, suspicions }
}

/** @throws INVALID_INPUT naming the suspicion if impossible */
export function readPossiblePose(robot: RobotFormat, value: unknown): ReadPose {
  const read = readPose(robot, value)
  const impossible = read.suspicions.filter(({ severity }) => severity === 'impossible')
  if (impossible.length) throw poseError(impossible, robot)
  return read
}

/** Probably metres for millimetres, or radians for degrees. */
const otherUnits: readonly Suspicion['kind'][] = ['too-near', 'angles-look-like-radians']

/** Before a robot is moved. @throws INVALID_INPUT for an impossible pose, or one that is probably in other units */
export function readStandingPose(robot: RobotFormat, value: unknown): ReadPose {
  const read = readPossiblePose(robot, value)
  const doubtful = read.suspicions.filter(({ kind }) => otherUnits.includes(kind))
  if (doubtful.length) throw poseError(doubtful, robot)
  return read
}

export const poseError = (suspicions: readonly Suspicion[], { format }: RobotFormat) =>
  invalidInput('impossible-pose', {
    problem: suspicions.map((each) => suspicionText(each, format)).join(' '),
  })

/** Array elements, or lines of text. Undefined for a single pose, which may be a nested array. */
export function posesIn({ format }: RobotFormat, value: unknown): unknown[] | undefined {
  const parts: unknown =
    typeof value === 'string' ? value.split(/\r?\n/).filter((line) => line.trim()) : value
  if (!Array.isArray(parts)) return undefined
  const complete = (part: unknown) => numbersIn(format, part).length === format.numbers.length
  // One bad element among good ones: a list with a bad pose.
  return parts.some(complete) ? (parts as unknown[]) : undefined
}

/** Format of the maker, and unit of positions. */
export interface RobotFormat extends Required<ConversionOptions> {
  format: PoseFormat
}

/** Empty: the maker's own. */
type UnitField = '' | LengthUnit

/**
 * @param field for the error
 * @param description description of a custom format
 * @throws INVALID_INPUT for an unknown format, as in a hand-written flow, or an invalid description
 */
export function robotFormat(
  field: string,
  id: PoseFormatId | 'custom',
  unit: UnitField,
  description = '',
): RobotFormat {
  const format = id === 'custom' ? customFormat(description) : poseFormats.find((each) => each.id === id)
  if (format) return { format, length: unit || format.length }
  if (id === 'custom') throw invalidInput('pose-words', { value: description })
  const known = [...poseFormats.map((each) => each.id), 'custom'].join(', ')
  throw invalidInput('pose-format', { field, value: id, known })
}

/** @throws INVALID_INPUT for an invalid description */
export function poseFormatName(id: PoseFormatId | 'custom', description: string): PoseFormatName {
  if (id !== 'custom') return id
  if (!customFormat(description)) throw invalidInput('pose-words', { value: description })
  return `${customPrefix}${description}` as PoseFormatName
}

export type PoseShape = 'object' | 'array' | 'text'

/** In the robot's own numbers, followed by flags of the arm, except in an array. */
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

/** For comparing with the pendant: thousandths of a millimetre or a degree. */
export const shortPose = ({ format, length }: RobotFormat, pose: Pose): string =>
  poseText(
    format,
    numbersOfPose(format, pose, { length }).map((each) => rounded(each, length === 'm' ? 4 : 3)),
    { length },
  )

/** Adding 0 turns -0 into 0. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0

/** 90.00000000000001 becomes 90. */
const tidy = (value: number) => Math.round(value * 1e9) / 1e9 + 0

/** Significant; a bound is not worth more. */
export const threeDigits = (value: number): number => Number(Number(value.toPrecision(3)).toFixed(4))
