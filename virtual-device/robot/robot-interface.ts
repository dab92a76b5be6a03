import { type AddressInfo, createServer, type Socket } from 'node:net'
import {
  interfaceCodes,
  jobStates,
  type RobotAnswer,
  type RobotRequest,
  serveRobot,
} from '../../lib/robot-interface'
import { sleep } from '../../lib/timers/timers'
import type { Clock } from '../values'
import type { Device } from '../device/device'
import type { SideService } from '../side-ports/side-ports'
import { calibrationAnswer, isCalibrationAction } from './robot-calibration'
import { RobotJobs, type TriggeredJob } from './execute-job'

/** The license component of the interface. */
const license = 'generic_robot_interface'
const { API_NOT_REACHABLE, INTERNAL_ERROR, UNKNOWN_ERROR, JOB_DOES_NOT_EXIST, JOB_STILL_RUNNING } =
  interfaceCodes

/** Executes what robots request, whichever connection it comes from. */
class RobotInterface {
  readonly #jobs: RobotJobs

  constructor(private readonly device: Device) {
    this.#jobs = new RobotJobs(device)
  }

  /** Whether connections are reset at present: the device is off, or in the first moments of a boot. */
  get isGone(): boolean {
    return this.device.scenario.offline || this.device.phase === 'gone'
  }

  /**
   * The answer to a request; undefined if the robot has gone while its job was running: then the results are kept for
   * the next one. What the action changed is on the disk.
   * @param gone aborted when the robot disconnects
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
    // A robot that has gone meanwhile must not take a pose with it.
    if ((waits && gone.aborted) || this.isGone) return undefined
    this.#jobs.lookAt(job)
    return job.results.next()
  }
}

/** Port of the robot interface of a device. */
const robotInterfacePort = 7100

/** The robot interface of a device, on a port of its own. */
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

/** Longest time between two looks at the clock, ms: a clock that tests move tells nobody. */
const look = 20

/** Resolves when the clock has reached the time, or the wait is aborted. @param time seconds of the clock */
async function untilClock(clock: Clock, time: () => number | undefined, signal: AbortSignal): Promise<void> {
  for (;;) {
    const end = time()
    if (end === undefined || signal.aborted) return
    const left = (end - clock.now()) * 1000
    if (left <= 0) return
    await sleep(Math.min(look, Math.max(1, left)), signal).catch(() => undefined)
  }
}
