import type { Pose } from '../robotics/pose'
import { implausibility, type Workspace } from './plausible'
import type { RobotRequest } from './requests'
import { isSamePose } from './same-pose'

/** One request on its way through a flow. */
export interface RobotCycle extends RobotRequest {
  /** Cannot be made up; names the cycle in the messages of the flow. */
  token: string
  /** Number of the connection. */
  robot: number
  /** When the request came, ms. */
  began: number
}

/** A pose that a robot may get, metres. */
export interface Candidate {
  pose: Pose
  /** @default 0 */
  score?: number
}

/** What a flow found. */
export interface RobotResult {
  /** 0: done; any other is a failure, and no pose is handed over. */
  code: number
  /** The best first; undefined where the request asked for no pose. */
  poses?: readonly Candidate[] | undefined
  /** Milliseconds since the picture was taken. @default since the request came */
  age?: number | undefined
  /** Where the robot was when the picture was taken. @default where it was when it asked */
  takenAt?: Pose | undefined
}

/** Codes that the dialogue itself gives. */
export interface DialogueCodes {
  DONE: number
  NO_POSE: number
  NO_MORE: number
  NO_ANSWER: number
  TOO_OLD: number
  OTHER_POSE: number
  OUTSIDE: number
}

export interface DialogueOptions {
  codes: DialogueCodes
  /** Milliseconds from a request to its answer. */
  deadline: number
  /** Milliseconds after which a picture is too old to be acted on. */
  oldest: number
  workspace: Workspace
  newToken: () => string
}

/** What a robot is told. */
export interface Reply {
  robot: number
  /** The command that it answers. */
  command: string
  code: number
  count: number
  candidate?: Candidate
  /** Poses of the result that were left out because they are implausible. */
  leftOut: number
  /** Milliseconds since the request. */
  milliseconds: number
}

/** Why an answer of a flow is dropped: the robot no longer waits, was answered already, or never asked. */
export type Dropped = 'late' | 'second' | 'foreign'
/** What becomes of an answer of a flow. */
export type Answered = { reply: Reply } | { dropped: Dropped }

/** What is left of a result. */
interface Stock {
  candidates: readonly Candidate[]
  taken: number
  pose?: Pose | undefined
}

/** Tokens of ended cycles that are remembered, to tell a late answer from a foreign one. */
const remembered = 1000

/**
 * Who may be told what: one request of each robot at a time, each answered once, by the result of its own cycle. Pure: the
 * time comes in, what to do goes out.
 */
export class RobotDialogue {
  readonly #options: DialogueOptions
  /** By connection. */
  readonly #open = new Map<number, RobotCycle>()
  readonly #stock = new Map<number, Stock>()
  readonly #ended = new Map<string, 'late' | 'second'>()

  constructor(options: DialogueOptions) {
    this.#options = options
  }

  /** Requests that a flow works on. */
  get open(): readonly RobotCycle[] {
    return [...this.#open.values()]
  }

  /**
   * A robot asks. A request that comes while another of the same robot is open replaces it: the robot has given up waiting,
   * and would take the answer to the first for that to the second.
   * @returns the cycle for the flow, or the reply where none is needed; and the cycle that was replaced
   */
  heard(
    robot: number,
    request: RobotRequest,
    now: number,
  ): { cycle?: RobotCycle; reply?: Reply; replaced?: RobotCycle } {
    const before = this.#end(robot, 'late')
    const replaced = before && { replaced: before }
    if (request.command === 'NEXT') return { ...replaced, reply: this.#next(robot, request, now) }
    this.#stock.delete(robot)
    const cycle = { ...request, token: this.#options.newToken(), robot, began: now }
    this.#open.set(robot, cycle)
    return { ...replaced, cycle }
  }

  /** A flow answers. @returns the reply for the robot, unless the answer is dropped */
  answered(token: string, result: RobotResult, now: number): Answered {
    const cycle = this.open.find((each) => each.token === token)
    if (!cycle) return { dropped: this.#ended.get(token) ?? 'foreign' }
    this.#end(cycle.robot, 'second')
    return { reply: this.#reply(cycle, result, now) }
  }

  /** Ends the requests that nobody has answered in time. */
  expired(now: number): Reply[] {
    return this.open
      .filter(({ began }) => now - began >= this.#options.deadline)
      .map(({ robot, command, began }): Reply => {
        this.#end(robot, 'late')
        const code = this.#options.codes.NO_ANSWER
        return { robot, command, code, count: 0, leftOut: 0, milliseconds: now - began }
      })
  }

  /** When the next request expires; undefined while none is open. */
  get expiry(): number | undefined {
    const began = this.open.map((cycle) => cycle.began)
    return began.length ? Math.min(...began) + this.#options.deadline : undefined
  }

  /** A robot has disconnected. @returns its open cycle */
  gone(robot: number): RobotCycle | undefined {
    this.#stock.delete(robot)
    return this.#end(robot, 'late')
  }

  #end(robot: number, remember: 'late' | 'second'): RobotCycle | undefined {
    const cycle = this.#open.get(robot)
    if (!cycle) return undefined
    this.#open.delete(robot)
    this.#ended.set(cycle.token, remember)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > remembered && oldest !== undefined) this.#ended.delete(oldest)
    return cycle
  }

  #reply(cycle: RobotCycle, result: RobotResult, now: number): Reply {
    const { codes, oldest, workspace } = this.#options
    const { robot, command, began, pose } = cycle
    const base = { robot, command, count: 0, leftOut: 0, milliseconds: now - began }
    if (result.code !== codes.DONE) return { ...base, code: result.code }
    if (!result.poses) return { ...base, code: codes.DONE }
    const taken = now - (result.age ?? now - began)
    if (now - taken > oldest) return { ...base, code: codes.TOO_OLD }
    if (pose && result.takenAt && !isSamePose(pose, result.takenAt))
      return { ...base, code: codes.OTHER_POSE }
    const candidates = result.poses.filter((each) => implausibility(each.pose, workspace) === undefined)
    const leftOut = result.poses.length - candidates.length
    if (candidates.length === 0)
      return { ...base, leftOut, code: leftOut > 0 ? codes.OUTSIDE : codes.NO_POSE }
    return { ...base, leftOut, ...this.#handOver(robot, { candidates, taken, pose: pose ?? result.takenAt }) }
  }

  /** The next pose of the last result, if the picture is still what the robot would see. */
  #next(robot: number, { command, pose }: RobotRequest, now: number): Reply {
    const { codes, oldest } = this.#options
    const base = { robot, command, count: 0, leftOut: 0, milliseconds: 0 }
    const stock = this.#stock.get(robot)
    this.#stock.delete(robot)
    if (!stock) return { ...base, code: codes.NO_MORE }
    if (now - stock.taken > oldest) return { ...base, code: codes.TOO_OLD }
    if (pose && stock.pose && !isSamePose(pose, stock.pose)) return { ...base, code: codes.OTHER_POSE }
    return { ...base, ...this.#handOver(robot, stock) }
  }

  #handOver(robot: number, stock: Stock): Pick<Reply, 'code' | 'count' | 'candidate'> {
    const [candidate, ...rest] = stock.candidates
    if (rest.length > 0) this.#stock.set(robot, { ...stock, candidates: rest })
    const count = stock.candidates.length
    return { code: this.#options.codes.DONE, count, ...(candidate && { candidate }) }
  }
}
