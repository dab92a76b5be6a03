import {
  codeOnTheWire,
  fitsMessage,
  interfaceCodes,
  JobResults,
  jobStates,
  type JobOutcome,
  type RobotAction,
  type RobotAnswer,
  type RobotRequest,
} from '../robot-interface'
import {
  type Answered,
  type Candidate,
  droppedBy,
  handedOver,
  type HandOverRules,
  implausibility,
  type Reply,
  type RobotCycle,
  type RobotQuestion,
  robotQuestions,
  type RobotResult,
} from './cycle'

/** Maps a failure of the flow to a code of the binary interface, and the detail in data_1. */
export type ToInterface = (
  failure: Pick<RobotResult, 'code' | 'returnCode'>,
  action: RobotAction,
) => { code: number; moduleCode: number }

export interface InterfaceDialogueOptions extends HandOverRules {
  /** Existing job numbers; empty: all. */
  jobs: readonly number[]
  /** Milliseconds from a request to its answer, at most 70 000. */
  deadline: number
  newToken: () => string
  toInterface: ToInterface
  /** State reported by STATUS. @default always */
  isReady?: () => boolean
}

/** A cycle for the flow, an immediate answer, or both; without an answer, the robot waits. */
export type RequestOutcome =
  | { answer: RobotAnswer; cycle?: RobotCycle }
  | { cycle: RobotCycle; answer?: undefined }

export interface InterfaceReply {
  reply: Reply
  /** Undefined while no robot waits. */
  answer?: RobotAnswer
}

interface OpenCycle extends RobotCycle {
  question: RobotQuestion
  action: RobotAction
  poseFormat: number
  isAwaited: boolean
}

interface Job {
  results: JobResults
  /** When the picture of its poses was taken. */
  taken: number
}

/** Milliseconds for an answer: the limit of a device, and less than any robot program waits. */
const longest = 70_000
const mostJobs = 1000 // kept results, and open cycles: more than any cell has jobs
const slots = 16 // of a hand-eye calibration

/**
 * The device's robot interface in front of a flow: jobs and calibration steps are cycles for the flow; states and kept
 * poses are answered here, by job number, whichever robot asks. Pure: time in, actions out.
 */
export class InterfaceDialogue {
  readonly #options: InterfaceDialogueOptions
  readonly #jobs = new Map<number, Job>()
  readonly #open = new Map<string, OpenCycle>() // by token
  readonly #questions = robotQuestions()

  constructor(options: InterfaceDialogueOptions) {
    this.#options = { ...options, deadline: Math.min(options.deadline, longest) }
  }

  request(robot: number, request: RobotRequest, now: number): RequestOutcome {
    const { action, jobId } = request
    const { jobs, isReady = () => true } = this.#options
    if (action === 'STATUS') return { answer: { data2: isReady() ? 1 : 0 } }
    if (isCalibration(action)) return this.#calibrate(robot, request, now)
    if (jobs.length > 0 && !jobs.includes(jobId))
      return { answer: { code: interfaceCodes.JOB_DOES_NOT_EXIST } }
    if (action === 'TRIGGER_JOB_SYNC' || action === 'TRIGGER_JOB_ASYNC')
      return this.#trigger(robot, request, now)
    return { answer: this.#fetch(action, jobId, now) }
  }

  answered(
    token: string,
    result: RobotResult,
    now: number,
  ): Exclude<Answered, { reply: Reply }> | InterfaceReply {
    const cycle = this.#open.get(token)
    const verdict = this.#questions.reply(token, result)
    if (verdict !== 'accepted') return { dropped: droppedBy(verdict) }
    if (!cycle) return { dropped: 'foreign' }
    this.#open.delete(token)
    return this.#finish(cycle, result, now)
  }

  expired(now: number): (InterfaceReply & { token: string })[] {
    const { deadline, codes } = this.#options
    return [...this.#open.values()]
      .filter(({ began }) => now - began >= deadline)
      .map((cycle) => {
        this.#withdraw(cycle)
        return { ...this.#finish(cycle, { code: codes.NO_ANSWER }, now), token: cycle.token }
      })
  }

  /** When the next request expires; undefined while none is open. */
  get expiry(): number | undefined {
    const [first] = this.#open.values()
    return first && first.began + this.#options.deadline
  }

  /** The waiting robot has disconnected: a job keeps its result, a calibration step ends. @returns whether it ended */
  gone(token: string): boolean {
    const cycle = this.#open.get(token)
    if (!cycle) return true
    cycle.isAwaited = false
    if (!isCalibration(cycle.action)) return false
    this.#withdraw(cycle)
    return true
  }

  #trigger(robot: number, request: RobotRequest, now: number): RequestOutcome {
    if (this.#open.size >= mostJobs) return { answer: { code: interfaceCodes.INTERNAL_ERROR } }
    const { results } = this.#job(request.jobId)
    if (!results.trigger()) return { answer: { code: interfaceCodes.JOB_STILL_RUNNING } }
    const isAwaited = request.action === 'TRIGGER_JOB_SYNC'
    const cycle = this.#opened(robot, request, now, isAwaited, { job: request.jobId })
    return isAwaited ? { cycle } : { cycle, answer: {} }
  }

  #calibrate(robot: number, request: RobotRequest, now: number): RequestOutcome {
    const { action, pose, data } = request
    const [pipeline, slot] = data
    if (action !== 'HEC_SET_POSE') return { cycle: this.#opened(robot, request, now, true, { pipeline }) }
    if (!pose || slot < 0 || slot >= slots) return { answer: { code: interfaceCodes.HEC_SET_POSE_ERROR } }
    return { cycle: this.#opened(robot, request, now, true, { pipeline, slot }) }
  }

  #opened(
    robot: number,
    { action, poseFormat, pose, data }: RobotRequest,
    now: number,
    isAwaited: boolean,
    of: Pick<RobotCycle, 'job' | 'pipeline' | 'slot'>,
  ): RobotCycle {
    const token = this.#options.newToken()
    const started: RobotCycle = {
      ...of,
      command: action,
      token,
      robot,
      began: now,
      data,
      ...(pose && { pose }),
    }
    const question = this.#questions.ask({ token })
    this.#open.set(token, { ...started, question, action, poseFormat, isAwaited })
    return started
  }

  #fetch(
    action: Exclude<RobotAction, 'STATUS' | `TRIGGER_${string}` | `HEC_${string}`>,
    number: number,
    now: number,
  ): RobotAnswer {
    const { results, taken } = this.#job(number)
    if (action === 'GET_JOB_STATUS')
      return { data2: jobStates[results.state], moduleCode: results.moduleCode }
    if (results.hasPoses && now - taken > this.#options.oldest) {
      results.reset()
      return this.#options.toInterface({ code: this.#options.codes.TOO_OLD }, action)
    }
    return action === 'GET_NEXT_POSE' ? results.next() : results.related()
  }

  /** Ends a cycle: a job keeps its results. */
  #finish(cycle: OpenCycle, result: RobotResult, now: number): InterfaceReply {
    const { robot, command, began, action, isAwaited } = cycle
    const base = { robot, command, count: 0, leftOut: 0, milliseconds: now - began }
    if (isCalibration(action)) {
      const answer = this.#calibrated(cycle, result)
      const reply = { ...base, code: answer.code ?? 0, moduleCode: answer.moduleCode ?? 0 }
      return isAwaited ? { reply: reply, answer } : { reply: { ...reply, isKept: true } }
    }
    const { outcome, taken, leftOut } = this.#outcome(cycle, result, now)
    const job = this.#job(cycle.job ?? 0)
    job.taken = taken
    job.results.finish(outcome)
    const count = 'poses' in outcome ? outcome.poses.length : 0
    const reply = { ...base, leftOut, count, moduleCode: outcome.moduleCode }
    if (!isAwaited) return { reply: { ...reply, code: codeOfKept(outcome), isKept: true } }
    const answer = job.results.next()
    const code = codeOnTheWire({ poseFormat: cycle.poseFormat, action: 2, jobId: 0 }, answer)
    return { reply: { ...reply, code }, answer }
  }

  #outcome(
    cycle: OpenCycle,
    result: RobotResult,
    now: number,
  ): { outcome: JobOutcome; taken: number; leftOut: number } {
    const { codes, toInterface } = this.#options
    const failed = (code: number, leftOut = 0) => {
      const { code: failure, moduleCode } = toInterface({ ...result, code }, cycle.action)
      // A remark, not an error, means that there are no poses.
      const outcome = failure < 0 ? { failure, moduleCode } : { poses: [], moduleCode }
      return { outcome, taken: now, leftOut }
    }
    if (result.code !== codes.DONE) return failed(result.code)
    const moduleCode = result.returnCode ?? 0
    if (!result.poses) return { outcome: { noReturn: true, moduleCode }, taken: now, leftOut: 0 }
    const handed = handedOver(result, cycle, this.#options, now)
    if ('code' in handed) return failed(handed.code, handed.leftOut)
    const { taken, leftOut } = handed
    const poses = handed.candidates.map((each) => ({
      ...resultPose(each),
      related: (each.related ?? []).filter((other) => this.#isInside(other)).map(resultPose),
    }))
    return { outcome: { poses, moduleCode }, taken, leftOut }
  }

  #calibrated({ action, poseFormat }: OpenCycle, result: RobotResult): RobotAnswer {
    const { codes, toInterface } = this.#options
    if (result.code !== codes.DONE) return toInterface(result, action)
    // No robot program needs the pose of a completed step: one that does not fit is left out.
    const pose = result.poses?.find((each) => fitsMessage(each.pose, poseFormat))?.pose
    return { moduleCode: result.returnCode ?? 0, ...(pose && { pose }) }
  }

  #isInside({ pose }: Candidate): boolean {
    return implausibility(pose, this.#options.workspace) === undefined
  }

  #job(number: number): Job {
    const known = this.#jobs.get(number)
    if (known) return known
    const job = { results: new JobResults(), taken: 0 }
    this.#jobs.set(number, job)
    if (this.#jobs.size > mostJobs) this.#forgetOne()
    return job
  }

  #forgetOne(): void {
    const [oldest] = [...this.#jobs].find(([, { results }]) => results.state !== 'RUNNING') ?? []
    if (oldest !== undefined) this.#jobs.delete(oldest)
  }

  #withdraw({ token, question }: OpenCycle): void {
    this.#open.delete(token)
    question.withdraw()
  }
}

const isCalibration = (action: RobotAction): action is Extract<RobotAction, `HEC_${string}`> =>
  action.startsWith('HEC_')

const resultPose = ({ pose, data }: Candidate) => ({ pose, ...(data && { extra: data }) })

function codeOfKept(outcome: JobOutcome): number {
  if ('failure' in outcome) return outcome.failure
  return 'poses' in outcome && outcome.poses.length === 0 ? interfaceCodes.NO_POSES_FOUND : 0
}
