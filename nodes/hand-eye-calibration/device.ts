/** The calibration module of a device: its services, and the answers that the procedure can use. */
import { VisionError } from '../../lib/client/vision-error'
import type { Pose } from '../../lib/robotics'
import type { Connection } from '../device/connection'
import { inPipeline, type NodeQuery, type Target } from '../device/known-nodes'
import { sentencesOf } from '../sentences'
import { codeOf, placeOf } from '../shared/node-error'

/** Each service has its own meanings of `status`. */
export interface HandEyeAnswer {
  success: boolean
  status: number
  message: string
}

export interface SetPoseAnswer extends HandEyeAnswer {
  overexposed?: boolean
}

/** Metres and degrees. */
export interface CalibrationAnswer extends HandEyeAnswer {
  /** Camera on the flange if mounted there, otherwise in the base. */
  pose: Pose
  robot_mounted: boolean
  /** Standard deviations; older devices do not report them. */
  translation_error_meter?: number
  rotation_error_degree?: number
}

interface PosesAnswer {
  poses: { slot: number; pose: Pose }[]
}

interface Misfit {
  field: string
  expected: string
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const areNumbers = (value: unknown, names: readonly string[]) =>
  isObject(value) && names.every((name) => Number.isFinite(value[name]))

/** A quaternion of zeros has no direction. */
export function isPose(value: unknown): boolean {
  if (!isObject(value) || !areNumbers(value['position'], ['x', 'y', 'z'])) return false
  const { orientation } = value
  return areNumbers(orientation, ['w', 'x', 'y', 'z']) && Object.values(orientation as Fields).some(Boolean)
}

/** The contract does not define these fields. */
function misfitOfAnswer({ success, status, message }: Fields): Misfit | undefined {
  if (typeof success !== 'boolean') return { field: 'success', expected: 'boolean' }
  if (status !== undefined && typeof status !== 'number') return { field: 'status', expected: 'number' }
  if (message !== undefined && typeof message !== 'string') return { field: 'message', expected: 'string' }
  return undefined
}

function misfitOfCalibration(answer: Fields): Misfit | undefined {
  const misfit = misfitOfAnswer(answer)
  if (misfit || !answer['success']) return misfit
  if (!isPose(answer['pose'])) return { field: 'pose', expected: 'pose' }
  if (typeof answer['robot_mounted'] !== 'boolean') return { field: 'robot_mounted', expected: 'boolean' }
  for (const field of ['translation_error_meter', 'rotation_error_degree'])
    if (answer[field] !== undefined && typeof answer[field] !== 'number') return { field, expected: 'number' }
  return undefined
}

function misfitOfPoses({ poses }: Fields): Misfit | undefined {
  if (!Array.isArray(poses)) return { field: 'poses', expected: 'array' }
  const wrong = poses.findIndex(
    (each) => !isObject(each) || !Number.isInteger(each['slot']) || !isPose(each['pose']),
  )
  return wrong < 0 ? undefined : { field: `poses.${wrong}`, expected: 'slot with a pose' }
}

const { invalidInput } = sentencesOf('hand-eye-calibration')

export const slotCount = 16

/** Devices may store lengths with seven digits. */
const same = (expected: unknown, present: unknown) =>
  typeof expected === 'number' && typeof present === 'number'
    ? Math.abs(expected - present) < 1e-6
    : expected === present

/** A refusal is an answer here, not an error. */
export class HandEyeDevice {
  readonly #connection: Connection
  readonly #query: NodeQuery
  readonly #options: { signal: AbortSignal; deadline: number }

  constructor(connection: Connection, query: NodeQuery, deadline: number) {
    this.#connection = connection
    this.#query = query
    this.#options = { signal: query.signal, deadline }
  }

  /**
   * Sets differing parameters, as far as the device has them.
   * @returns the changed names
   * @throws INVALID_INPUT if a four-axis robot is not supported
   */
  async configure(settings: Readonly<Record<string, unknown>>): Promise<string[]> {
    return this.#connection.onNode(this.#query, async (target) => {
      const { client } = this.#connection
      const node = inPipeline(target)
      const present = await client.getParameters(node, this.#options)
      const names = present.map(({ name }) => name)
      if (settings['tcp_rotation_axis'] !== -1 && !names.includes('tcp_rotation_axis'))
        throw invalidInput('hand-eye-no-four-axes')
      const parameters = present
        .filter(({ name, value }) => name in settings && !same(settings[name], value))
        .map(({ name }) => ({ name, value: settings[name] }))
      if (parameters.length) await client.setParameters({ ...node, parameters }, this.#options)
      return parameters.map(({ name }) => name)
    })
  }

  /** Flange by slot, metres; undefined if the device does not list them. */
  async poses(): Promise<Map<number, Pose> | undefined> {
    try {
      const { poses } = await this.#call<PosesAnswer>('get_poses', {}, misfitOfPoses)
      return new Map(poses.map(({ slot, pose }) => [slot, pose]))
    } catch (error) {
      if (codeOf(error) === 'NOT_FOUND') return undefined
      throw error
    }
  }

  setPose(slot: number, pose: Pose): Promise<SetPoseAnswer> {
    return this.#call('set_pose', { slot, pose })
  }

  deletePose(slot: number): Promise<HandEyeAnswer> {
    return this.#call('delete_poses', { slots: [slot] })
  }

  /** A saved calibration remains. */
  reset(): Promise<HandEyeAnswer> {
    return this.#either('reset_calibration', 'reset')
  }

  calibrate(): Promise<CalibrationAnswer> {
    return this.#call('calibrate', {}, misfitOfCalibration)
  }

  save(): Promise<HandEyeAnswer> {
    return this.#either('save_calibration', 'save')
  }

  /** The device then uses and keeps this result. */
  setCalibration({
    pose,
    robot_mounted,
  }: Pick<CalibrationAnswer, 'pose' | 'robot_mounted'>): Promise<HandEyeAnswer> {
    return this.#call('set_calibration', { pose, robot_mounted })
  }

  savedCalibration(): Promise<CalibrationAnswer> {
    return this.#call('get_calibration', {}, misfitOfCalibration)
  }

  /** Devices use a long or a short name; an unknown one does nothing. */
  async #either(long: string, short: string): Promise<HandEyeAnswer> {
    try {
      return await this.#call(long)
    } catch (error) {
      if (codeOf(error) === 'NOT_FOUND') return this.#call(short)
      throw error
    }
  }

  async #call<Given extends object>(
    service: string,
    args: Record<string, unknown> = {},
    misfitOf: (response: Record<string, unknown>) => Misfit | undefined = misfitOfAnswer,
  ): Promise<Given> {
    const { client } = this.#connection
    const call = (target: Target) =>
      client.callService({ ...inPipeline(target), service, args }, this.#options)
    const { response } = await this.#connection.onNode(this.#query, call)
    const misfit = misfitOf(response)
    if (!misfit) return response as Given
    const values = { field: `${service}.${misfit.field}`, expected: misfit.expected }
    throw new VisionError(
      { code: 'BAD_REPLY', key: 'wrong-reply', values },
      { operation: 'callService', ...placeOf(client) },
    )
  }
}
