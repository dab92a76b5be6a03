import { interfaceCodes, jobStates, type RobotAnswer, type RobotRequest } from '../../lib/robot-interface'
import type { Device } from '../device/device'
import { calibrationAnswer, isCalibrationAction } from './robot-calibration'
import { RobotJobs, type TriggeredJob } from './robot-jobs'
import { untilClock } from './until-clock'

/** The license component of the interface. */
const license = 'generic_robot_interface'
const { API_NOT_REACHABLE, INTERNAL_ERROR, UNKNOWN_ERROR, JOB_DOES_NOT_EXIST, JOB_STILL_RUNNING } =
  interfaceCodes

/** Executes what robots request, whichever connection it comes from. */
export class RobotInterface {
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
