import type { Socket } from 'node:net'
import {
  codeOnTheWire,
  interfaceCodeName,
  robotActions,
  serveRobot,
  type ReceivedRequest,
  type RobotAnswer,
  type RobotRequest,
} from '../robot-interface'
import { startTimeout } from '../timers/timers'
import { ConnectedRobots, type LinkCounts, type RobotSnapshot } from './connected-robots'
import type { Answered, RobotResult } from './cycle'
import {
  InterfaceDialogue,
  type InterfaceDialogueOptions,
  type Told as ToldRobot,
} from './interface-dialogue'
import type { Link, LinkEvents, LinkTold } from './link-events'
import { listen, type Listener, type ListenOptions } from './listen'

export interface InterfaceLinkOptions extends ListenOptions, InterfaceDialogueOptions {}

/** Milliseconds in which a robot gets its answer: the limit of a device, and less than any robot program waits. */
const longest = 70_000

/** Requests that programs repeat until something has happened. */
const polls: ReadonlySet<string> = new Set(['STATUS', 'GET_JOB_STATUS'])

/** A robot that waits for its answer. */
interface Waiting {
  robot: number
  resolve: (answer: RobotAnswer | undefined) => void
}

/** Robots that connect and ask over the binary protocol of a device's robot interface. */
export class InterfaceLink implements Link {
  readonly #options: InterfaceLinkOptions
  readonly #events: LinkEvents
  readonly #dialogue: InterfaceDialogue
  readonly #robots = new ConnectedRobots<Socket>()
  readonly #now: () => number
  /** By token. */
  readonly #waiting = new Map<string, Waiting>()
  #listener: Listener | undefined
  #closed = false
  #timer: NodeJS.Timeout | undefined

  private constructor(options: InterfaceLinkOptions, events: LinkEvents, now: () => number) {
    this.#options = options
    this.#events = events
    this.#now = now
    this.#dialogue = new InterfaceDialogue({ ...options, deadline: Math.min(options.deadline, longest) })
  }

  /**
   * @param now milliseconds of a clock that never steps back
   * @throws ListenFailure, NotAHost
   */
  static async open(
    options: InterfaceLinkOptions,
    events: LinkEvents,
    now: () => number = () => performance.now(),
  ): Promise<InterfaceLink> {
    const link = new InterfaceLink(options, events, now)
    link.#listener = await listen(options, {
      onRobot: (socket, address) => link.#connected(socket, address),
      onRefused: (address, reason) => {
        link.#robots.counts.refused++
        link.#tell({ what: 'refused', address, reason })
      },
    })
    return link
  }

  get host(): string {
    return this.#listener?.host ?? this.#options.host
  }

  get port(): number {
    return this.#listener?.port ?? this.#options.port
  }

  get robots(): readonly RobotSnapshot[] {
    return this.#robots.snapshots
  }

  get counts(): Readonly<LinkCounts> {
    return this.#robots.counts
  }

  answer(token: string, result: RobotResult): Answered {
    const told = this.#dialogue.answered(token, result, this.#now())
    this.#watch()
    if ('reply' in told) {
      this.#told(token, told)
      return { reply: told.reply }
    }
    this.#robots.counts[told.dropped]++
    this.#tell({ what: told.dropped })
    return told
  }

  /** Ends all connections; nothing is told any more. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#listener?.close()
  }

  #connected(socket: Socket, address: string): void {
    const robot = this.#robots.add(address, () => socket)
    serveRobot(socket, {
      isGone: false,
      answer: (request) => this.#heard(robot, request),
      refused: (received, code) => this.#refused(robot, received, code),
    })
    socket.once('close', () => this.#gone(robot))
    this.#tell({ what: 'connected', address })
  }

  #heard(robot: number, request: RobotRequest): RobotAnswer | Promise<RobotAnswer | undefined> {
    const { action } = request
    this.#robots.asked(robot, action)
    const { cycle, answer } = this.#dialogue.heard(robot, request, this.#now())
    if (answer) this.#answeredAtOnce(robot, request, answer)
    const address = this.#robots.find(robot)?.address ?? ''
    const waits =
      cycle && !answer
        ? new Promise<RobotAnswer | undefined>((resolve) => {
            this.#waiting.set(cycle.token, { robot, resolve })
          })
        : undefined
    if (cycle) this.#events.onCycle(cycle, address)
    this.#watch()
    this.#events.onChange()
    return answer ?? waits ?? {}
  }

  #answeredAtOnce(robot: number, request: RobotRequest, answer: RobotAnswer): void {
    const { action, poseFormat, jobId } = request
    const code = codeOnTheWire({ poseFormat, jobId, action: robotActions[action] }, answer)
    const count = answer.pose ? (answer.data2 ?? 0) + 1 : 0
    const reply = {
      ...{ robot, command: action, code, count: code === 0 ? count : 0, leftOut: 0, milliseconds: 0 },
      moduleCode: answer.moduleCode ?? 0,
    }
    this.#robots.told(reply, code === 0)
    if (!polls.has(action)) this.#events.onReply(reply, this.#robots.find(robot)?.address ?? '')
  }

  /** The robot reads its answer; one of a robot that does not wait is told to people only. */
  #told(token: string, { reply, answer }: ToldRobot): void {
    const waiting = this.#waiting.get(token)
    this.#waiting.delete(token)
    const known = this.#robots.find(reply.robot)
    if (answer) {
      this.#robots.told(reply, reply.code === 0)
      waiting?.resolve(answer)
    }
    this.#events.onReply(reply, known?.address ?? '')
    this.#events.onChange()
  }

  #refused(robot: number, { echo }: ReceivedRequest, code: number): void {
    const address = this.#robots.find(robot)?.address ?? ''
    const text = `action ${echo.action}, pose format ${echo.poseFormat}: ${interfaceCodeName(code) ?? code}`
    this.#robots.asked(robot, text)
    this.#robots.told({ robot, command: text, code, count: 0, leftOut: 0, milliseconds: 0 }, false)
    this.#tell({ what: 'not-understood', address, text, fault: 'unreadable' })
  }

  #gone(robot: number): void {
    const address = this.#robots.remove(robot)
    const [token, waiting] = [...this.#waiting].find(([, each]) => each.robot === robot) ?? []
    if (token !== undefined) this.#waiting.delete(token)
    waiting?.resolve(undefined)
    if (this.#closed) return
    if (token === undefined) {
      this.#tell({ what: 'disconnected', address })
      return
    }
    const isOver = this.#dialogue.gone(token)
    if (isOver) this.#events.onOver({ token })
    this.#watch()
    this.#robots.counts.left++
    this.#tell({ what: isOver ? 'left' : 'left-job', address })
  }

  /** Waits for the request that expires next. */
  #watch(): void {
    clearTimeout(this.#timer)
    const { expiry } = this.#dialogue
    if (expiry === undefined || this.#closed) return
    this.#timer = startTimeout(
      () => {
        for (const told of this.#dialogue.expired(this.#now())) {
          this.#events.onOver(told)
          this.#told(told.token, told)
        }
        this.#watch()
      },
      Math.max(1, expiry - this.#now()),
    )
  }

  #tell(told: LinkTold): void {
    this.#events.onTold(told)
    this.#events.onChange()
  }
}
