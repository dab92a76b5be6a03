import type { RobotJob } from '../../lib/contract'
import {
  interfaceCodes,
  type JobOutcome,
  JobResults,
  type PrimaryPose,
  type ResultPose,
} from '../../lib/robot-interface'
import { type Pose, normalized } from '../../lib/robotics/pose'
import { type Static, Type, Value } from '../../lib/typebox'
import type { Device } from '../device/device'
import type { RunningModule } from '../device/running-module'
import { callService, globalNode, pipelineNode, writeParameters } from '../handlers/handler'
import { Refusal } from '../values'

const PoseShape = Type.Object({
  position: Type.Object({ x: Type.Number(), y: Type.Number(), z: Type.Number() }),
  orientation: Type.Object({ w: Type.Number(), x: Type.Number(), y: Type.Number(), z: Type.Number() }),
})

type Placed = Static<typeof Placed>

const Placed = Type.Object({ pose: PoseShape })

/** Lists of the answers and their related lists: by the uuid in a field, or by a list of uuids. */
const relations: Readonly<Record<string, readonly { list: string; by: string }[]>> = {
  grasps: [
    { list: 'items', by: 'item_uuid' },
    { list: 'matches', by: 'match_uuid' },
    { list: 'instances', by: 'instance_uuid' },
  ],
  items: [{ list: 'grasps', by: 'grasp_uuids' }],
  matches: [{ list: 'grasps', by: 'grasp_uuids' }],
  instances: [{ list: 'grasps', by: 'grasp_uuids' }],
}

/**
 * The poses that a job returns from the answer of its service, in order, with their related poses. @returns undefined
 * if the answer has no such poses, or the additional values cannot be used
 */
function returnedPoses(
  { selected_return: selected = '', additional_return }: RobotJob,
  answer: Readonly<Record<string, unknown>>,
): PrimaryPose[] | undefined {
  const values = additionalReturn(additional_return)
  const elements = values && placedIn(answer, selected)
  return elements?.map((element) => ({
    ...result(element, values?.primary, answer),
    related: relatedTo(element, selected, answer).map((each) => result(each, values?.related, answer)),
  }))
}

function result(
  element: Placed,
  wanted: AdditionalReturn['primary'],
  answer: Readonly<Record<string, unknown>>,
): ResultPose {
  const { position, orientation } = element.pose
  return {
    pose: { position, orientation: normalized(orientation) },
    extra: additionalValues(wanted, element, answer),
  }
}

/** From a field: a list, or a single pose as of `get_calibration`. */
function placedIn(answer: Readonly<Record<string, unknown>>, field: string): Placed[] | undefined {
  const found = Object.hasOwn(answer, field) ? answer[field] : undefined
  if (Value.Check(PoseShape, found)) return [{ pose: found }]
  if (Value.Check(Placed, found)) return [found]
  return Value.Check(Type.Array(Placed), found) ? found : undefined
}

function relatedTo(element: object, field: string, answer: Readonly<Record<string, unknown>>): Placed[] {
  const of = Object.hasOwn(relations, field) ? relations[field] : undefined
  return (of ?? []).flatMap(({ list, by }) => {
    const uuids: unknown[] = [(element as Record<string, unknown>)[by]].flat()
    return (placedIn(answer, list) ?? []).filter((each) => uuids.includes((each as { uuid?: unknown }).uuid))
  })
}

type AdditionalValue = Static<typeof AdditionalValue>

const AdditionalValue = Type.Object({
  json_path: Type.String({ minLength: 1 }),
  target_field: Type.String({ pattern: '^data_([4-9]|10)$' }),
  type: Type.Union([Type.Literal('float'), Type.Literal('int')]),
})

type AdditionalReturn = Static<typeof AdditionalReturn>

const AdditionalReturn = Type.Object({
  primary: Type.Optional(Type.Array(AdditionalValue)),
  related: Type.Optional(Type.Array(AdditionalValue)),
})

/** Undefined if it cannot be used. */
const additionalReturn = (given: unknown = {}): AdditionalReturn | undefined =>
  Value.Check(AdditionalReturn, given ?? {}) ? (given ?? {}) : undefined

const firstField = 4

/**
 * data_4 to data_10: a float times a million, an int as it is, 0 for missing values and other types. @param element
 * that the pose is from @param answer of the service, where paths with a leading dot begin
 */
function additionalValues(
  wanted: readonly AdditionalValue[] = [],
  element: unknown,
  answer: unknown,
): number[] {
  const values = Array<number>(7).fill(0)
  for (const { json_path, target_field, type } of wanted) {
    const found = json_path.startsWith('.') ? at(answer, json_path.slice(1)) : at(element, json_path)
    const value = typeof found === 'number' ? found : 0
    values[Number(target_field.slice('data_'.length)) - firstField] = type === 'float' ? value * 1e6 : value
  }
  return values
}

/** @param path names of fields, or indices of a list, separated by dots */
function at(from: unknown, path: string): unknown {
  let found = from
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}

const { API_RESPONSE_ERROR, MISCONFIGURED_JOB, PIPELINE_NOT_AVAILABLE } = interfaceCodes

/** Never throws: errors are part of the outcome. @param robotPose of the flange, for services with a `robot_pose` */
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

const longest = 70 // seconds before the device gives up a job

/** A job that robots trigger, with its current definition. */
export interface TriggeredJob {
  definition: RobotJob
  results: JobResults
  /** While it runs: its end, seconds of the device's clock. */
  endsAt: number | undefined
}

interface RunningJob extends TriggeredJob {
  /** Its outcome at the end. */
  outcome: JobOutcome | undefined
}

/** Jobs by number, shared by all robots. Without timers: a job ends when it is read after its time. */
export class RobotJobs {
  readonly #jobs = new Map<number, RunningJob>()
  #nodes: unknown // A reboot replaces the nodes, and ends all jobs

  constructor(private readonly device: Device) {
    this.#nodes = device.global
  }

  /** Undefined if the device has none. */
  job(number: number): TriggeredJob | undefined {
    if (this.device.global !== this.#nodes) {
      this.#nodes = this.device.global
      this.#jobs.clear()
    }
    const definition = definitionOf(this.device.system.robotJobs, number)
    let known = this.#jobs.get(number)
    if (known) this.endIfDue(known)
    if (!definition) {
      this.#jobs.delete(number)
      return undefined
    }
    // Results of another definition do not count.
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
    this.endIfDue(job)
    return true
  }

  endIfDue(job: TriggeredJob): void {
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

/** The code for the robot, and the module's code for data_1. */
interface ActionFailure {
  failure: number
  moduleCode: number
}

/** The device refused a call. Unknown names and arguments that do not fit are faults of the definition. */
function refusedCall(error: unknown): ActionFailure {
  if (!(error instanceof Refusal)) return { failure: interfaceCodes.INTERNAL_ERROR, moduleCode: 0 }
  const { status, returnCode: moduleCode } = error
  return {
    failure:
      status === 400 || status === 404 ? interfaceCodes.MISCONFIGURED_JOB : interfaceCodes.API_RESPONSE_ERROR,
    moduleCode,
  }
}

/** Of a service's answer: the services report refusals in three ways. */
function codeOf(answer: Readonly<Record<string, unknown>>): { value: number; refused: boolean } {
  const { return_code, status, success, accepted } = answer
  const refused = success === false || accepted === false
  const value = (return_code as { value?: unknown } | undefined)?.value
  if (typeof value === 'number') return { value, refused: refused || value < 0 }
  if (typeof status === 'number') return { value: status, refused }
  return { value: refused ? -1 : 0, refused }
}
