import type { RobotJob } from '../../lib/contract'
import type { Pose } from '../../lib/robotics/pose'
import { interfaceCodes, JobResults, type JobOutcome } from '../../lib/robot-interface'
import type { Device } from '../device/device'
import { executeJob } from './execute-job'

/** Seconds after which the device gives up a job. */
const longest = 70

/** A job that robots trigger, with its present definition. */
export interface TriggeredJob {
  definition: RobotJob
  results: JobResults
  /** While it runs: when it ends, seconds of the device's clock. */
  endsAt: number | undefined
}

interface RunningJob extends TriggeredJob {
  /** What it will end with. */
  outcome: JobOutcome | undefined
}

/**
 * The jobs by number, shared by all robots. Like the modules, they have no timers: a job ends when somebody looks at it
 * after its time.
 */
export class RobotJobs {
  readonly #jobs = new Map<number, RunningJob>()
  /** A reboot replaces the nodes, and ends all jobs. */
  #nodes: unknown

  constructor(private readonly device: Device) {
    this.#nodes = device.global
  }

  /** The job with that number; undefined if the device has none. */
  job(number: number): TriggeredJob | undefined {
    if (this.device.global !== this.#nodes) {
      this.#nodes = this.device.global
      this.#jobs.clear()
    }
    const definition = definitionOf(this.device.system.robotJobs, number)
    let known = this.#jobs.get(number)
    if (known) this.lookAt(known)
    if (!definition) {
      this.#jobs.delete(number)
      return undefined
    }
    // The results of another definition are none of this one.
    if (known?.definition !== definition && known?.endsAt === undefined) {
      known = { definition, results: new JobResults(), endsAt: undefined, outcome: undefined }
      this.#jobs.set(number, known)
    }
    return known
  }

  /** Starts a job; its images are taken at once. @returns false if it is running already */
  trigger(number: number, robotPose: Pose | undefined): boolean {
    const job = this.job(number) as RunningJob | undefined
    if (!job?.results.trigger()) return false
    const { clock, scenario } = this.device
    const outcome = executeJob(this.device, job.definition, robotPose)
    const seconds = scenario.robot_job_seconds
    const expires = seconds > longest
    job.outcome = expires ? { failure: interfaceCodes.PROCESSING_TIMEOUT, moduleCode: 0 } : outcome
    job.endsAt = clock.now() + Math.min(seconds, longest)
    this.lookAt(job)
    return true
  }

  /** Ends the job if it is time. */
  lookAt(job: TriggeredJob): void {
    const running = job as RunningJob
    const { outcome, endsAt } = running
    if (!outcome || endsAt === undefined || this.device.clock.now() < endsAt) return
    running.outcome = running.endsAt = undefined
    running.results.finish(outcome)
  }
}

function definitionOf(jobs: Readonly<Record<string, RobotJob>> = {}, number: number): RobotJob | undefined {
  const exact = String(number)
  if (Object.hasOwn(jobs, exact)) return jobs[exact]
  // The API accepts leading zeros.
  return Object.entries(jobs).find(([id]) => Number(id) === number)?.[1]
}
