import { VisionError } from '../../lib/client/vision-error'
import type { Pose } from '../../lib/robotics'
import type { Connection } from '../device/connection'
import { inPipeline, type NodeQuery, type Target } from '../device/known-nodes'
import { codeOf, placeOf } from '../shared/node-error'
import {
  misfitOfAnswer,
  misfitOfCalibration,
  misfitOfPoses,
  type HandEyeAnswer,
  type CalibrationAnswer,
  type Misfit,
  type PosesAnswer,
  type SetPoseAnswer,
} from './answers'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('hand-eye-calibration')

/** Slots of the device. */
export const slotCount = 16

/** Devices may store lengths with seven digits. */
const same = (wanted: unknown, present: unknown) =>
  typeof wanted === 'number' && typeof present === 'number'
    ? Math.abs(wanted - present) < 1e-6
    : wanted === present

/** The calibration module of a device. A refusal is an answer here, not an error. */
export class HandEyeDevice {
  readonly #connection: Connection
  readonly #asked: NodeQuery
  readonly #options: { signal: AbortSignal; deadline: number }

  constructor(connection: Connection, asked: NodeQuery, deadline: number) {
    this.#connection = connection
    this.#asked = asked
    this.#options = { signal: asked.signal, deadline }
  }

  /**
   * Sets the parameters that differ from the wanted values, as far as the device has them.
   * @returns the names of the changed parameters
   * @throws INVALID_INPUT if it must calibrate a four-axis robot and does not support one
   */
  async configure(wanted: Readonly<Record<string, unknown>>): Promise<string[]> {
    return this.#connection.onNode(this.#asked, async (target) => {
      const { client } = this.#connection
      const node = inPipeline(target)
      const present = await client.getParameters(node, this.#options)
      const names = present.map(({ name }) => name)
      if (wanted['tcp_rotation_axis'] !== -1 && !names.includes('tcp_rotation_axis'))
        throw invalidInput('hand-eye-no-four-axes')
      const parameters = present
        .filter(({ name, value }) => name in wanted && !same(wanted[name], value))
        .map(({ name }) => ({ name, value: wanted[name] }))
      if (parameters.length) await client.setParameters({ ...node, parameters }, this.#options)
      return parameters.map(({ name }) => name)
    })
  }

  /** The recorded poses of the flange by slot, metres; undefined if the device does not list them. */
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

  /** Removes the recorded poses; a saved calibration remains. */
  reset(): Promise<HandEyeAnswer> {
    return this.#either('reset_calibration', 'reset')
  }

  calibrate(): Promise<CalibrationAnswer> {
    return this.#call('calibrate', {}, misfitOfCalibration)
  }

  save(): Promise<HandEyeAnswer> {
    return this.#either('save_calibration', 'save')
  }

  /** Gives the device a result that is not its own, which it then uses and keeps. */
  give({ pose, robot_mounted }: Pick<CalibrationAnswer, 'pose' | 'robot_mounted'>): Promise<HandEyeAnswer> {
    return this.#call('set_calibration', { pose, robot_mounted })
  }

  savedCalibration(): Promise<CalibrationAnswer> {
    return this.#call('get_calibration', {}, misfitOfCalibration)
  }

  /** Devices use a long or a short name for these. One that does not know a name has done nothing. */
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
    const { response } = await this.#connection.onNode(this.#asked, call)
    const misfit = misfitOf(response)
    if (!misfit) return response as Given
    const values = { field: `${service}.${misfit.field}`, expected: misfit.expected }
    throw new VisionError(
      { code: 'BAD_REPLY', key: 'wrong-reply', values },
      { operation: 'callService', ...placeOf(client) },
    )
  }
}
