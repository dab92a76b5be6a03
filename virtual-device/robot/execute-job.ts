import type { RobotJob } from '../../lib/contract'
import { interfaceCodes, type JobOutcome, JobResults } from '../../lib/robot-interface'
import type { Pose } from '../../lib/robotics/pose'
import type { Device } from '../device/device'
import type { RunningModule } from '../device/running-module'
import { callService, globalNode, pipelineNode, writeParameters } from '../handlers/handler'
import { Refusal } from '../values'
import { codeOf, refusedCall } from './module-refusal'
import { returnedPoses } from './returned-poses'

const { API_RESPONSE_ERROR, MISCONFIGURED_JOB, PIPELINE_NOT_AVAILABLE } = interfaceCodes

/**
 * Executes a job as its definition says. Never throws: what is wrong is part of the outcome.
 * @param robotPose of the flange, which services that know a `robot_pose` get
 */
function executeJob(device: Device, job: RobotJob, robotPose: Pose | undefined): JobOutcome {
  const { pipeline } = job
  if (job.job_type !== 'CALL_GLOBAL_SERVICE' && pipeline !== undefined && !device.pipelines.has(pipeline))
    return { failure: PIPELINE_NOT_AVAILABLE, moduleCode: 0 }
  try {
    const node = nodeOf(device, job)
    if (job.service === undefined) return parametersSet(device, node, job)
    return serviceCalled(device, node, { ...job, service: job.service }, robotPose)
  } catch (error) {
    const { failure, moduleCode } = refusedCall(error)
    device.note('ERROR', `robot job failed: ${(error as Error).message}`)
    return { failure, moduleCode }
  }
}

/** The forms of the third job type are checked when a job is stored. */
function nodeOf(device: Device, { job_type, pipeline, node }: RobotJob): RunningModule {
  if (job_type === 'CALL_GLOBAL_SERVICE') return globalNode(device, node)
  if (pipeline === undefined) throw new Refusal(400, 'pipeline: missing')
  return pipelineNode(device, { pipeline, node })
}

function parametersSet(device: Device, node: RunningModule, { parameters = {} }: RobotJob): JobOutcome {
  const writes = Object.entries(parameters).map(([name, value]) => ({ name, value }))
  writeParameters(device, node, writes, 400)
  return { noReturn: true, moduleCode: 0 }
}

function serviceCalled(
  device: Device,
  node: RunningModule,
  job: RobotJob & { service: string },
  robotPose: Pose | undefined,
): JobOutcome {
  const { args: known } = node.describeService(job.service)
  const takesPose = typeof known === 'object' && known !== null && Object.hasOwn(known, 'robot_pose')
  const args = { ...job.args, ...(takesPose && robotPose && { robot_pose: robotPose }) }
  const { response: marked } = callService(device, node, job.service, args)
  // As the API would send it: its numbers are marked as floats.
  const response = JSON.parse(JSON.stringify(marked)) as Record<string, unknown>
  const { value: moduleCode, refused } = codeOf(response)
  if (refused) return { failure: API_RESPONSE_ERROR, moduleCode }
  if (!job.selected_return) return { noReturn: true, moduleCode }
  const poses = returnedPoses(job, response)
  return poses ? { poses, moduleCode } : { failure: MISCONFIGURED_JOB, moduleCode }
}

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
