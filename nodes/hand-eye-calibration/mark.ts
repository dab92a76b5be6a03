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
import { readPossiblePose } from '../shared/poses/read-pose'
import type { RobotFormat } from '../shared/poses/robot-format'
import type { CalibrationAnswer } from './answers'
import { invalidInput } from './sentences'

/** A point that the camera saw, and where it is in truth if that is known. Metres. */
export interface Mark {
  /** In the camera's frame, as the device gives it. */
  seen: Vector
  /** Where the robot's tip touched it, in its base. */
  touched?: Vector
  /** The flange in the robot's base when the camera looked. */
  robot?: Pose
}

/**
 * A mark as a message gives it: `{ seen, touched, robot }`.
 * @throws INVALID_INPUT naming what is missing or no position
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

/** Where a mark is according to the calibration: in the base, or where it moves with the robot, on the flange. */
export function placeOf(mark: Mark, { pose, robot_mounted }: CalibrationAnswer): Vector {
  const { seen, touched, robot } = mark
  const inCamera = { position: seen, orientation: { w: 1, x: 0, y: 0, z: 0 } }
  const seenFromCamera = composed(pose, inCamera)
  // A fixed camera tells the base by itself; a mark that nobody touched then moves with the robot.
  if (!robot_mounted && touched) return seenFromCamera.position
  if (!robot) throw invalidInput('check-robot')
  return composed(robot_mounted ? robot : inverted(robot), seenFromCamera).position
}

/** A position of the device, metres: `{ x, y, z }`, an array, or a pose. */
function vectorIn(given: unknown): Vector | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const { position } = given as { position?: unknown }
  if (position !== undefined) return vectorIn(position)
  const [x = NaN, y = NaN, z = NaN] = Array.isArray(given)
    ? (given as number[])
    : (['x', 'y', 'z'] as const).map((axis) => (given as Vector)[axis])
  return [x, y, z].every(Number.isFinite) ? { x, y, z } : undefined
}

/** A position of the robot: three numbers, or those of a whole pose. */
function positionIn(given: unknown, { format, length }: RobotFormat): Vector {
  const numbers = numbersIn(format, given)
  const whole = numbers.length === 3 ? inPlace(format, numbers) : numbers
  const { position } = poseOfNumbers(format, whole, { length })
  if (Object.values(position).every(Number.isFinite)) return position
  throw invalidInput('check-touched')
}

/** Three lengths where the format has them, and zeros. */
function inPlace({ numbers }: PoseFormat, position: readonly number[]): number[] {
  const left = [...position]
  return numbers.map(({ unit }) => (unit === 'length' ? left.shift() : undefined) ?? 0)
}
