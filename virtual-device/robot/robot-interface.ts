import { type AddressInfo, createServer, type Socket } from 'node:net'
import { HandEyeConfiguration } from '../../lib/contract/schemas/system'
import {
  fitsMessage,
  interfaceCodes,
  jobStates,
  type RobotAnswer,
  type RobotRequest,
  serveRobot,
} from '../../lib/robot-interface'
import type { Pose } from '../../lib/robotics/pose'
import { pauseFor } from '../../lib/kernel/timers'
import { type Static, Value } from '../../lib/typebox'
import type { Device } from '../device/device'
import type { RunningModule } from '../device/running-module'
import { callService, writeParameters } from '../handlers/handler'
import type { SideService } from '../side-ports'
import { type Clock, Refusal } from '../values'
import { RobotJobs, type TriggeredJob } from './execute-job'

const {
  PIPELINE_NOT_AVAILABLE,
  HEC_CONFIG_ERROR,
  HEC_INIT_ERROR,
  HEC_SET_POSE_ERROR,
  HEC_CALIBRATE_ERROR,
  HEC_INSUFFICIENT_DETECTION,
} = interfaceCodes

/** Slots of the hand-eye calibration. Robots use 1 to 8, guides say 0 to 7. */
const slots = 16

const gridNotFound = 4 // status of `set_pose` if the grid is not found

type Settings = Static<typeof HandEyeConfiguration>

type Step = (calibration: Calibration, request: RobotRequest) => RobotAnswer

interface Calibration {
  configuration: Settings
  call: (service: string, args?: Record<string, unknown>) => { success: boolean; status: number; pose?: Pose }
  set: (parameters: Settings) => void
}

/** The three actions of a hand-eye calibration, on the pipeline in data_1. */
function calibrationAnswer(device: Device, request: RobotRequest): RobotAnswer {
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
  // No robot program needs the pose of a saved calibration: one that does not fit is left out.
  return pose && fitsMessage(pose, poseFormat) ? { pose } : {}
}

const steps = {
  HEC_INIT: { step: initialise, failure: HEC_INIT_ERROR },
  HEC_SET_POSE: { step: setPose, failure: HEC_SET_POSE_ERROR },
  HEC_CALIBRATE: { step: calibrate, failure: HEC_CALIBRATE_ERROR },
} as const satisfies Record<string, { step: Step; failure: number }>

const isCalibrationAction = (action: string): action is keyof typeof steps => Object.hasOwn(steps, action)

const license = 'generic_robot_interface' // of the interface

const { API_NOT_REACHABLE, INTERNAL_ERROR, UNKNOWN_ERROR, JOB_DOES_NOT_EXIST, JOB_STILL_RUNNING } =
  interfaceCodes

class RobotInterface {
  readonly #jobs: RobotJobs

  constructor(private readonly device: Device) {
    this.#jobs = new RobotJobs(device)
  }

  /** Connections are reset: the device is off, or in the first moments of a boot. */
  get isGone(): boolean {
    return this.device.scenario.offline || this.device.phase === 'gone'
  }

  /**
   * The answer to a request; undefined if the robot disconnected while its job was running: the results are kept for
   * the next one. Changes are saved by then. @param gone aborted when the robot disconnects
   */
  async answer(request: RobotRequest, gone: AbortSignal): Promise<RobotAnswer | undefined> {
    try {
      const answer = await this.#executed(request, gone)
      await this.device.saved()
      return answer
    } catch (error) {
      this.device.note('ERROR', `robot interface: ${(error as Error).message}`)
      return { code: INTERNAL_ERROR }
    }
  }

  #executed(request: RobotRequest, gone: AbortSignal): RobotAnswer | Promise<RobotAnswer | undefined> {
    const licensed = this.device.scenario.license[license] !== false
    const reachable = this.device.phase !== 'front'
    const { action, jobId } = request
    if (action === 'STATUS') return { data2: licensed && this.device.phase === 'ready' ? 1 : 0 }
    if (!licensed) return { code: UNKNOWN_ERROR }
    if (!reachable) return { code: API_NOT_REACHABLE }
    if (isCalibrationAction(action)) return calibrationAnswer(this.device, request)
    const job = this.#jobs.job(jobId)
    if (!job) return { code: JOB_DOES_NOT_EXIST }
    const { results } = job
    switch (action) {
      case 'TRIGGER_JOB_SYNC':
        return this.#trigger(request) ? this.#firstPose(job, gone) : { code: JOB_STILL_RUNNING }
      case 'TRIGGER_JOB_ASYNC':
        return this.#trigger(request) ? {} : { code: JOB_STILL_RUNNING }
      case 'GET_JOB_STATUS':
        return { data2: jobStates[results.state], moduleCode: results.moduleCode }
      case 'GET_NEXT_POSE':
        return results.next()
      case 'GET_RELATED_POSE':
        return results.related()
    }
  }

  #trigger({ jobId, pose, action }: RobotRequest): boolean {
    const triggered = this.#jobs.trigger(jobId, pose)
    if (triggered) this.device.note('INFO', `robot job ${jobId} triggered (${action})`)
    return triggered
  }

  async #firstPose(job: TriggeredJob, gone: AbortSignal): Promise<RobotAnswer | undefined> {
    const waits = job.endsAt !== undefined
    await untilClock(this.device.clock, () => job.endsAt, gone)
    // A robot that has disconnected must not take a pose with it.
    if ((waits && gone.aborted) || this.isGone) return undefined
    this.#jobs.endIfDue(job)
    return job.results.next()
  }
}

const robotInterfacePort = 7100

export function robotService(device: Device): SideService {
  const robots = new RobotInterface(device)
  const sockets = new Set<Socket>()
  // A robot that has sent its last request still gets the answer.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (robots.isGone) {
      socket.resetAndDestroy()
      return
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serveRobot(socket, robots)
  })

  return {
    name: 'robot',
    option: device.options.robotPort,
    defaultPort: robotInterfacePort,
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host: device.options.host }, () => {
          server.off('error', reject)
          resolve((server.address() as AddressInfo).port)
        })
      }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        if (server.listening) server.close(() => resolve())
        else resolve()
      }),
  }
}

/** Milliseconds between two polls of the clock: the clock of a test gives no notice of a step. */
const pollInterval = 20

/** Resolves when the clock has reached the time, or the wait is aborted. @param time seconds of the clock */
async function untilClock(clock: Clock, time: () => number | undefined, signal: AbortSignal): Promise<void> {
  for (;;) {
    const end = time()
    if (end === undefined || signal.aborted) return
    const left = (end - clock.now()) * 1000
    if (left <= 0) return
    await pauseFor(Math.min(pollInterval, Math.max(1, left)), signal)
  }
}
