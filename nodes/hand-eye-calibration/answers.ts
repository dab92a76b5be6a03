import type { Pose } from '../../lib/robotics'

/** Fields in the answer of every service of the module; each service has its own meanings of `status`. */
export interface HandEyeAnswer {
  success: boolean
  status: number
  message: string
}

export interface SetPoseAnswer extends HandEyeAnswer {
  overexposed?: boolean
}

/** A calibration in the device's form. Metres and degrees. */
export interface CalibrationAnswer extends HandEyeAnswer {
  /** Pose of the camera: on the flange if it is mounted there, otherwise in the robot's base. */
  pose: Pose
  robot_mounted: boolean
  /** Standard deviations; older devices do not report them. */
  translation_error_meter?: number
  rotation_error_degree?: number
}

export interface PosesAnswer {
  poses: { slot: number; pose: Pose }[]
}

/** A field of an answer that the procedure cannot use. */
export interface Misfit {
  field: string
  expected: string
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const areNumbers = (value: unknown, names: readonly string[]) =>
  isObject(value) && names.every((name) => Number.isFinite(value[name]))

/** Requires a direction: a quaternion of zeros has none. */
export function isPose(value: unknown): boolean {
  if (!isObject(value) || !areNumbers(value['position'], ['x', 'y', 'z'])) return false
  const { orientation } = value
  return areNumbers(orientation, ['w', 'x', 'y', 'z']) && Object.values(orientation as Fields).some(Boolean)
}

/** The contract does not define the fields of each service, so they are checked here. */
export function misfitOfAnswer({ success, status, message }: Fields): Misfit | undefined {
  if (typeof success !== 'boolean') return { field: 'success', expected: 'boolean' }
  if (status !== undefined && typeof status !== 'number') return { field: 'status', expected: 'number' }
  if (message !== undefined && typeof message !== 'string') return { field: 'message', expected: 'string' }
  return undefined
}

export function misfitOfCalibration(answer: Fields): Misfit | undefined {
  const misfit = misfitOfAnswer(answer)
  if (misfit || !answer['success']) return misfit
  if (!isPose(answer['pose'])) return { field: 'pose', expected: 'pose' }
  if (typeof answer['robot_mounted'] !== 'boolean') return { field: 'robot_mounted', expected: 'boolean' }
  for (const field of ['translation_error_meter', 'rotation_error_degree'])
    if (answer[field] !== undefined && typeof answer[field] !== 'number') return { field, expected: 'number' }
  return undefined
}

export function misfitOfPoses({ poses }: Fields): Misfit | undefined {
  if (!Array.isArray(poses)) return { field: 'poses', expected: 'array' }
  const wrong = poses.findIndex(
    (each) => !isObject(each) || !Number.isInteger(each['slot']) || !isPose(each['pose']),
  )
  return wrong < 0 ? undefined : { field: `poses.${wrong}`, expected: 'slot with a pose' }
}
