import { Value, type Static } from '../../lib/typebox'
import { HandEyeConfiguration } from '../../lib/contract/schemas/robot-interface'
import type { Pose } from '../../lib/robotics/pose'
import { fitsMessage, interfaceCodes, type RobotAnswer, type RobotRequest } from '../../lib/robot-interface'
import type { Device } from '../device/device'
import type { RunningModule } from '../device/running-module'
import { callService, writeParameters } from '../handlers/handler'
import { Refusal } from '../values'

const {
  PIPELINE_NOT_AVAILABLE,
  HEC_CONFIG_ERROR,
  HEC_INIT_ERROR,
  HEC_SET_POSE_ERROR,
  HEC_CALIBRATE_ERROR,
  HEC_INSUFFICIENT_DETECTION,
} = interfaceCodes

/** Slots that the hand-eye calibration has. Robots use 1 to 8, guides say 0 to 7. */
const slots = 16
/** Status of `set_pose` if the grid is not found. */
const gridNotFound = 4

type Settings = Static<typeof HandEyeConfiguration>
type Step = (calibration: Calibration, request: RobotRequest) => RobotAnswer
interface Calibration {
  configuration: Settings
  /** Calls a service of the calibration. @throws Refusal */
  call: (service: string, args?: Record<string, unknown>) => { success: boolean; status: number; pose?: Pose }
  set: (parameters: Settings) => void
}

/** The three actions of a hand-eye calibration, on the pipeline in data_1. */
export function calibrationAnswer(device: Device, request: RobotRequest): RobotAnswer {
  const [pipelineNumber] = request.data
  const pipeline = String(pipelineNumber)
  const node = device.pipelines.get(pipeline)?.nodes.get(`${device.options.nodePrefix}hand_eye_calibration`)
  if (!node) return { code: PIPELINE_NOT_AVAILABLE }
  const configurations = device.system.robotCalibrations ?? {}
  const configuration = Object.hasOwn(configurations, pipeline) ? configurations[pipeline] : undefined
  if (!usable(configuration)) return { code: HEC_CONFIG_ERROR }
  const { step, failure } = steps[request.action as keyof typeof steps]
  try {
    return step({ configuration, ...calibrationAt(device, node) }, request)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    device.note('ERROR', `robot calibration failed: ${error.message}`, node.name)
    return { code: failure, moduleCode: error.returnCode }
  }
}

const usable = (given: unknown): given is Settings =>
  Value.Check(HandEyeConfiguration, given) && given.grid_width > 0 && given.grid_height > 0

/** Its numbers are marked as floats. */
const asSent = (response: object) => JSON.parse(JSON.stringify(response)) as ReturnType<Calibration['call']>

const calibrationAt = (device: Device, node: RunningModule): Omit<Calibration, 'configuration'> => ({
  call: (service, args = {}) => asSent(callService(device, node, service, args).response),
  set: (parameters) => {
    const writes = Object.entries(parameters).map(([name, value]) => ({ name, value: value }))
    writeParameters(device, node, writes, 400)
  },
})

const initialise: Step = ({ call, set, configuration }) => {
  const { grid_width, grid_height, robot_mounted, tcp_offset, tcp_rotation_axis } = configuration
  const { success, status } = call('reset_calibration')
  if (!success) return { code: HEC_INIT_ERROR, moduleCode: status }
  set({ grid_width, grid_height, robot_mounted, tcp_offset, tcp_rotation_axis })
  return {}
}

const setPose: Step = ({ call }, { pose, data: [, slot] }) => {
  if (!pose || slot < 0 || slot >= slots) return { code: HEC_SET_POSE_ERROR }
  const { success, status } = call('set_pose', { slot, pose })
  if (success) return { moduleCode: status }
  return {
    code: status === gridNotFound ? HEC_INSUFFICIENT_DETECTION : HEC_SET_POSE_ERROR,
    moduleCode: status,
  }
}

const calibrate: Step = ({ call }, { poseFormat }) => {
  const result = call('calibrate')
  if (!result.success) return { code: HEC_CALIBRATE_ERROR, moduleCode: result.status }
  const saved = call('save_calibration')
  if (!saved.success) return { code: HEC_CALIBRATE_ERROR, moduleCode: saved.status }
  const { pose } = result
  // No robot program needs the pose, and the calibration is saved: one that does not fit is left out.
  return pose && fitsMessage(pose, poseFormat) ? { pose } : {}
}

const steps = {
  HEC_INIT: { step: initialise, failure: HEC_INIT_ERROR },
  HEC_SET_POSE: { step: setPose, failure: HEC_SET_POSE_ERROR },
  HEC_CALIBRATE: { step: calibrate, failure: HEC_CALIBRATE_ERROR },
} as const satisfies Record<string, { step: Step; failure: number }>

export const isCalibrationAction = (action: string): action is keyof typeof steps =>
  Object.hasOwn(steps, action)
