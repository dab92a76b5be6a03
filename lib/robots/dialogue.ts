import type { Pose } from '../robotics/pose'
import {
  type Answered,
  type Candidate,
  type DialogueCodes,
  droppedBy,
  handedOver,
  isSamePose,
  type Reply,
  type RobotCycle,
  type RobotQuestion,
  robotQuestions,
  type RobotResult,
  type Workspace,
} from './cycle'
import type { RobotRequest } from './requests'

export interface DialogueOptions {
  codes: DialogueCodes
  deadline: number
  /** Milliseconds after which a picture is too old. */
  oldest: number
  workspace: Workspace
  newToken: () => string
}

interface Stock {
  candidates: readonly Candidate[]
  taken: number
  pose?: Pose | undefined
}

/** One request of each robot at a time, each answered once, by the result of its own cycle. Pure: time in, actions out. */
export class RobotDialogue {
  readonly #options: DialogueOptions
  readonly #open = new Map<number, { cycle: RobotCycle; question: RobotQuestion }>()
  readonly #stock = new Map<number, Stock>()
  readonly #questions = robotQuestions()

  constructor(options: DialogueOptions) {
    this.#options = options
  }

  get open(): readonly RobotCycle[] {
    return Array.from(this.#open.values(), ({ cycle }) => cycle)
  }

  /**
   * A request arrives. It replaces an open one of the same robot: the robot has given up waiting, and would take the
   * answer to the first for that to the second. @returns the cycle for the flow, or an immediate reply; and the
   * replaced cycle
   */
  request(
    robot: number,
    request: RobotRequest,
    now: number,
  ): { cycle?: RobotCycle; reply?: Reply; replaced?: RobotCycle } {
    const before = this.#withdraw(robot)
    const replaced = before && { replaced: before }
    if (request.command === 'NEXT') return { ...replaced, reply: this.#next(robot, request, now) }
    this.#stock.delete(robot)
    const cycle = { ...request, token: this.#options.newToken(), robot, began: now }
    this.#open.set(robot, { cycle, question: this.#questions.ask({ token: cycle.token }) })
    return { ...replaced, cycle }
  }

  answered(token: string, result: RobotResult, now: number): Answered {
    const cycle = this.open.find((each) => each.token === token)
    const verdict = this.#questions.reply(token, result)
    if (verdict !== 'accepted') return { dropped: droppedBy(verdict) }
    if (!cycle) return { dropped: 'foreign' }
    this.#open.delete(cycle.robot)
    return { reply: this.#reply(cycle, result, now) }
  }

  expired(now: number): { reply: Reply; token: string }[] {
    return this.open
      .filter(({ began }) => now - began >= this.#options.deadline)
      .map(({ robot, command, began, token }) => {
        this.#withdraw(robot)
        const code = this.#options.codes.NO_ANSWER
        const reply = { robot, command, code, count: 0, leftOut: 0, milliseconds: now - began }
        return { reply, token }
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
    return this.#withdraw(robot)
  }

  #withdraw(robot: number): RobotCycle | undefined {
    const open = this.#open.get(robot)
    this.#open.delete(robot)
    open?.question.withdraw()
    return open?.cycle
  }

  #reply(cycle: RobotCycle, result: RobotResult, now: number): Reply {
    const { codes } = this.#options
    const { robot, command, began, pose } = cycle
    const base = { robot, command, count: 0, leftOut: 0, milliseconds: now - began }
    if (result.code !== codes.DONE) return { ...base, code: result.code }
    if (!result.poses) return { ...base, code: codes.DONE }
    const handed = handedOver(result, cycle, this.#options, now)
    if ('code' in handed) return { ...base, ...handed }
    const { candidates, taken, leftOut } = handed
    return { ...base, leftOut, ...this.#handOver(robot, { candidates, taken, pose: pose ?? result.takenAt }) }
  }

  /** The next pose of the last result, if the picture is still valid for the robot's pose. */
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
