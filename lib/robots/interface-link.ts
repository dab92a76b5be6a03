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
import { BaseLink, type Departure, type LinkEvents, type ListenOptions } from './base-link'
import type { Reply } from './cycle'
import { InterfaceDialogue, type InterfaceDialogueOptions, type InterfaceReply } from './interface-dialogue'

export interface InterfaceLinkOptions extends ListenOptions, InterfaceDialogueOptions {}

/** Repeated by programs until something has happened. */
const polls: ReadonlySet<string> = new Set(['STATUS', 'GET_JOB_STATUS'])

interface Waiting {
  robot: number
  resolve: (answer: RobotAnswer | undefined) => void
}

export class InterfaceLink extends BaseLink<Socket, InterfaceReply> {
  readonly #dialogue: InterfaceDialogue
  readonly #waiting = new Map<string, Waiting>() // by token

  private constructor(options: InterfaceLinkOptions, events: LinkEvents, now: () => number) {
    const dialogue = new InterfaceDialogue(options)
    super(options, events, now, dialogue)
    this.#dialogue = dialogue
  }

  /** @param now monotonic milliseconds @throws ListenFailure, NotAHost */
  static open(
    options: InterfaceLinkOptions,
    events: LinkEvents,
    now: () => number = () => performance.now(),
  ): Promise<InterfaceLink> {
    return new InterfaceLink(options, events, now).opened()
  }

  protected connect(socket: Socket, robot: number): Socket {
    serveRobot(socket, {
      isGone: false,
      answer: (request) => this.#receive(robot, request),
      refused: (received, code) => this.#refused(robot, received, code),
    })
    return socket
  }

  protected departed(robot: number): Departure {
    const [token, waiting] = [...this.#waiting].find(([, each]) => each.robot === robot) ?? []
    if (token === undefined) return { what: 'disconnected' }
    this.#waiting.delete(token)
    waiting?.resolve(undefined)
    return this.#dialogue.gone(token) ? { what: 'left', token } : { what: 'left-job' }
  }

  /** Sends the reply; without a waiting robot it is only reported to people. */
  protected deliver({ reply, answer }: InterfaceReply, token: string): Reply {
    const waiting = this.#waiting.get(token)
    this.#waiting.delete(token)
    const known = this.connected.find(reply.robot)
    if (answer) {
      this.connected.countReply(reply, reply.code === 0)
      waiting?.resolve(answer)
    }
    // The robot first: reports must not delay its answer.
    setImmediate(() => {
      if (this.isClosed) return
      this.events.onReply(reply, known?.address ?? '')
      this.events.onChange()
    })
    return reply
  }

  #receive(robot: number, request: RobotRequest): RobotAnswer | Promise<RobotAnswer | undefined> {
    const { action } = request
    this.connected.countRequest(robot, action)
    const { cycle, answer } = this.#dialogue.request(robot, request, this.now())
    if (answer) this.#answeredAtOnce(robot, request, answer)
    const address = this.connected.find(robot)?.address ?? ''
    const waits =
      cycle && !answer
        ? new Promise<RobotAnswer | undefined>((resolve) => {
            this.#waiting.set(cycle.token, { robot, resolve })
          })
        : undefined
    if (cycle) this.events.onCycle(cycle, address)
    this.watch()
    this.events.onChange()
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
    this.connected.countReply(reply, code === 0)
    if (!polls.has(action)) this.events.onReply(reply, this.connected.find(robot)?.address ?? '')
  }

  #refused(robot: number, { echo }: ReceivedRequest, code: number): void {
    const address = this.connected.find(robot)?.address ?? ''
    const text = `action ${echo.action}, pose format ${echo.poseFormat}: ${interfaceCodeName(code) ?? code}`
    this.connected.countRequest(robot, text)
    this.connected.countReply({ robot, command: text, code, count: 0, leftOut: 0, milliseconds: 0 }, false)
    this.report({ what: 'not-understood', address, text, fault: 'unreadable' })
  }
}
