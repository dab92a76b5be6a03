import {
  composed,
  distance,
  inverted,
  numbersIn,
  type Pose,
  type PoseFormat,
  poseOfNumbers,
  type Vector,
} from '../../lib/robotics'
import { sentencesOf } from '../sentences'
import { isObject } from '../shared/is-object'
import { readPossiblePose, type RobotFormat } from '../shared/poses'
import type { CalibrationAnswer } from './device'
import { type Report, shownCalibration } from './report'
import type { CalibrationStep } from './session'

const { invalidInput, say } = sentencesOf('hand-eye-calibration')

/**
 * Measures the error at a point that the robot touched, or that was seen from two poses.
 * @param value a mark or several; an untouched mark waits for a second one
 * @throws INVALID_INPUT without a calibration or for an incomplete mark
 */
export async function check(step: CalibrationStep, value: unknown): Promise<Report> {
  const marks = (Array.isArray(value) ? (value as unknown[]) : [value]).map((each) =>
    markOf(each, step.setup.robot),
  )
  return checkAt(step, marks, await presentCalibration(step))
}

/** The unsaved result, or the one on the device. @throws INVALID_INPUT without any */
export const presentCalibration = async (step: CalibrationStep): Promise<CalibrationAnswer> =>
  step.session.result?.calibration ?? (await saved(step))

export function checkAt(
  step: CalibrationStep,
  marks: readonly Mark[],
  calibration: CalibrationAnswer,
): Report {
  const { setup } = step
  const errors = marks.flatMap((mark) => errorAt(step, mark, calibration))
  if (errors.length === 0) return { event: 'check-waits', ok: true, details: say('check-waits') }

  const millimetres = Number((1000 * Math.max(...errors)).toPrecision(3))
  const limit = setup.limitCheck
  const shown = shownCalibration(setup, calibration)
  const good = millimetres <= limit
  const details = say(good ? 'check-good' : 'check-bad', { millimetres, limit })
  return { event: 'checked', ok: good, details, good, millimetres, limit, ...shown }
}

async function saved({ device }: CalibrationStep): Promise<CalibrationAnswer> {
  const calibration = await device.savedCalibration()
  if (calibration.success) return calibration
  throw invalidInput('check-no-calibration')
}

/** Metres; undefined for the first untouched mark. */
function errorAt({ session }: CalibrationStep, mark: Mark, calibration: CalibrationAnswer): number[] {
  const place = placeOf(mark, calibration)
  if (mark.touched) return [distance(place, mark.touched)]
  const { mark: first } = session
  if (!first) {
    session.mark = mark
    return []
  }
  return [distance(place, placeOf(first, calibration))]
}

/** Metres. */
export interface Mark {
  /** In the camera's frame. */
  seen: Vector
  /** In the robot's base, where the tip touched it. */
  touched?: Vector
  /** Flange in the base at the moment of the image. */
  robot?: Pose
}

/** `{ seen, touched, robot }`. @throws INVALID_INPUT naming what is missing or wrong */
function markOf(value: unknown, robot: RobotFormat): Mark {
  if (!isObject(value)) throw invalidInput('check-input')
  const { seen, touched, robot: flange } = value
  const point = vectorIn(seen)
  if (!point) throw invalidInput('check-seen')
  return {
    seen: point,
    ...(touched !== undefined && { touched: positionIn(touched, robot) }),
    ...(flange !== undefined && { robot: readPossiblePose(robot, flange).pose }),
  }
}

/** In the base or, if the mark moves with the robot, on the flange. */
export function placeOf(mark: Mark, { pose, robot_mounted }: CalibrationAnswer): Vector {
  const { seen, touched, robot } = mark
  const inCamera = { position: seen, orientation: { w: 1, x: 0, y: 0, z: 0 } }
  const seenFromCamera = composed(pose, inCamera)
  // A fixed camera measures in the base; an untouched mark moves with the robot.
  if (!robot_mounted && touched) return seenFromCamera.position
  if (!robot) throw invalidInput('check-robot')
  return composed(robot_mounted ? robot : inverted(robot), seenFromCamera).position
}

/** From the device, metres: `{ x, y, z }`, three numbers or a pose. */
function vectorIn(value: unknown): Vector | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { position } = value as { position?: unknown }
  if (position !== undefined) return vectorIn(position)
  if (Array.isArray(value) && value.length !== 3) return undefined
  const [x = NaN, y = NaN, z = NaN] = Array.isArray(value)
    ? (value as number[])
    : (['x', 'y', 'z'] as const).map((axis) => (value as Vector)[axis])
  return [x, y, z].every(Number.isFinite) ? { x, y, z } : undefined
}

/** From the robot: three numbers or a whole pose. */
function positionIn(value: unknown, { format, length }: RobotFormat): Vector {
  const numbers = numbersIn(format, value)
  const whole = numbers.length === 3 ? inPlace(format, numbers) : numbers
  const { position } = poseOfNumbers(format, whole, { length })
  const isPosition = whole.length === format.numbers.length && Object.values(position).every(Number.isFinite)
  if (isPosition) return position
  throw invalidInput('check-touched')
}

function inPlace({ numbers }: PoseFormat, position: readonly number[]): number[] {
  const left = [...position]
  return numbers.map(({ unit }) => (unit === 'length' ? left.shift() : undefined) ?? 0)
}
