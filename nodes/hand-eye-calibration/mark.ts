import {
  composed,
  inverted,
  numbersIn,
  poseOfNumbers,
  type Pose,
  type PoseFormat,
  type Vector,
} from '../../lib/robotics'
import { isObject } from '../shared/is-object'
import { readPossiblePose, type RobotFormat } from '../shared/poses'
import type { CalibrationAnswer } from './answers'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('hand-eye-calibration')

/** A point seen by the camera, with its true position if known. Metres. */
export interface Mark {
  /** Position in the camera's frame, as reported by the device. */
  seen: Vector
  /** Position in the robot's base where its tip touched it. */
  touched?: Vector
  /** Pose of the flange in the robot's base at the moment of the image. */
  robot?: Pose
}

/**
 * Reads a mark from a message: `{ seen, touched, robot }`.
 * @throws INVALID_INPUT naming what is missing or is not a position
 */
export function markOf(given: unknown, robot: RobotFormat): Mark {
  if (!isObject(given)) throw invalidInput('check-input')
  const { seen, touched, robot: flange } = given
  const point = vectorIn(seen)
  if (!point) throw invalidInput('check-seen')
  return {
    seen: point,
    ...(touched !== undefined && { touched: positionIn(touched, robot) }),
    ...(flange !== undefined && { robot: readPossiblePose(robot, flange).pose }),
  }
}

/** Position of a mark according to the calibration: in the base or, if the mark moves with the robot, on the flange. */
export function placeOf(mark: Mark, { pose, robot_mounted }: CalibrationAnswer): Vector {
  const { seen, touched, robot } = mark
  const inCamera = { position: seen, orientation: { w: 1, x: 0, y: 0, z: 0 } }
  const seenFromCamera = composed(pose, inCamera)
  // A fixed camera measures in the base; an untouched mark then moves with the robot.
  if (!robot_mounted && touched) return seenFromCamera.position
  if (!robot) throw invalidInput('check-robot')
  return composed(robot_mounted ? robot : inverted(robot), seenFromCamera).position
}

/** A position from the device, metres: `{ x, y, z }`, an array of three, or a pose. */
function vectorIn(given: unknown): Vector | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const { position } = given as { position?: unknown }
  if (position !== undefined) return vectorIn(position)
  if (Array.isArray(given) && given.length !== 3) return undefined
  const [x = NaN, y = NaN, z = NaN] = Array.isArray(given)
    ? (given as number[])
    : (['x', 'y', 'z'] as const).map((axis) => (given as Vector)[axis])
  return [x, y, z].every(Number.isFinite) ? { x, y, z } : undefined
}

/** A position from the robot: three numbers, or those of a whole pose. */
function positionIn(given: unknown, { format, length }: RobotFormat): Vector {
  const numbers = numbersIn(format, given)
  const whole = numbers.length === 3 ? inPlace(format, numbers) : numbers
  const { position } = poseOfNumbers(format, whole, { length })
  const isPosition = whole.length === format.numbers.length && Object.values(position).every(Number.isFinite)
  if (isPosition) return position
  throw invalidInput('check-touched')
}

/** Puts three lengths where the format has them, and zeros elsewhere. */
function inPlace({ numbers }: PoseFormat, position: readonly number[]): number[] {
  const left = [...position]
  return numbers.map(({ unit }) => (unit === 'length' ? left.shift() : undefined) ?? 0)
}
