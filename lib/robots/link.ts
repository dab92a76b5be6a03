import { startTimeout } from '../timers/timers'
import { numbersOfPose } from '../robotics/robot-numbers'
import { openConnection, type RobotConnection } from './connection'
import {
  RobotDialogue,
  type Answered,
  type DialogueCodes,
  type DialogueOptions,
  type Reply,
  type RobotCycle,
  type RobotResult,
} from './dialogue'
import { listen, type Listener, type ListenOptions } from './listen'
import { requestOf, type RawRequest, type RobotRequest, type UnreadableRequest } from './requests'
import type { RobotNumbers, Way } from './ways'

/** Codes of a link: those of its dialogue, and for requests that never become one. */
export interface LinkCodes extends DialogueCodes {
  NOT_UNDERSTOOD: number
  NOT_ALLOWED: number
  DOES_NOT_FIT: number
}

export interface LinkOptions extends ListenOptions, Omit<DialogueOptions, 'codes'> {
  codes: LinkCodes
  way: Way
  numbers: RobotNumbers
  /** What ends an answer, as characters. */
  end: string
  /** Commands that a robot may send, in capitals; empty: all. */
  commands: readonly string[]
}

/** How often what has happened since the start. */
export interface LinkCounts {
  requests: number
  /** Answers with code 0, and with another. */
  done: number
  failed: number
  /** Answers of a flow that were dropped. */
  late: number
  second: number
  foreign: number
  /** Requests that the same robot replaced by another. */
  replaced: number
  /** Robots that went while a request was open. */
  left: number
  /** Hosts that may not connect. */
  refused: number
}

/** A robot as a panel shows it. */
export interface RobotSnapshot {
  robot: number
  address: string
  since: Date
  /** The last request, and how it was answered; a request without a code is open. */
  last?: { command: string; at: Date; code?: number; milliseconds?: number }
}

export interface LinkEvents {
  onCycle: (cycle: RobotCycle, address: string) => void
  /** A cycle is over without an answer of the flow: expired, replaced, or the robot has gone. */
  onOver: (cycle: { token: string }) => void
  /** A robot was told something. */
  onReply: (reply: Reply, address: string) => void
  onTold: (told: LinkTold) => void
  onChange: () => void
}

/** What people should know. */
export type LinkTold =
  | { what: 'connected' | 'disconnected' | 'left' | 'replaced'; address: string }
  | { what: 'refused'; address: string; reason: 'not-allowed' | 'too-many' }
  | { what: 'not-understood'; address: string; text: string; fault: UnreadableRequest['fault'] }
  | { what: 'not-allowed'; address: string; text: string }
  | { what: 'late' | 'second' | 'foreign' }

interface Robot extends RobotSnapshot {
  connection: RobotConnection
}

/** Robots that connect and ask, and what they are told. */
export class RobotLink {
  readonly counts: LinkCounts = {
    ...{ requests: 0, done: 0, failed: 0, late: 0, second: 0, foreign: 0 },
    ...{ replaced: 0, left: 0, refused: 0 },
  }
  readonly #options: LinkOptions
  readonly #events: LinkEvents
  readonly #dialogue: RobotDialogue
  readonly #robots = new Map<number, Robot>()
  readonly #now: () => number
  #listener: Listener | undefined
  #number = 0
  #closed = false
  #timer: NodeJS.Timeout | undefined

  private constructor(options: LinkOptions, events: LinkEvents, now: () => number) {
    this.#options = options
    this.#events = events
    this.#now = now
    this.#dialogue = new RobotDialogue(options)
  }

  /**
   * @param now milliseconds of a clock that never steps back
   * @throws ListenFailure; RangeError for an entry of `allow` that is no address
   */
  static async open(
    options: LinkOptions,
    events: LinkEvents,
    now: () => number = () => performance.now(),
  ): Promise<RobotLink> {
    const link = new RobotLink(options, events, now)
    link.#listener = await listen(options, {
      onRobot: (socket, address) => {
        const robot = ++link.#number
        const connection = openConnection(socket, options.way.requests, (raw) => link.#heard(robot, raw))
        link.#robots.set(robot, { robot, address, since: new Date(), connection })
        socket.once('close', () => link.#gone(robot))
        link.#tell({ what: 'connected', address })
      },
      onRefused: (address, reason) => {
        link.counts.refused++
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

  /** The connected robots. */
  get robots(): readonly RobotSnapshot[] {
    return Array.from(this.#robots.values(), ({ robot, address, since, last }) => ({
      robot,
      address,
      since,
      ...(last && { last }),
    }))
  }

  /** Answers the request of that token. @returns how it was taken, and what the robot was told */
  answer(token: string, result: RobotResult): Answered {
    const answered = this.#dialogue.answered(token, result, this.#now())
    this.#watch()
    if ('reply' in answered) return { reply: this.#reply(answered.reply) }
    this.counts[answered.dropped]++
    this.#tell({ what: answered.dropped })
    return answered
  }

  /** Ends all connections; nothing is told any more. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#listener?.close()
  }

  #heard(robot: number, raw: RawRequest): void {
    const known = this.#robots.get(robot)
    if (!known) return
    const { address } = known
    const { numbers, commands, codes } = this.#options
    this.counts.requests++
    const request = requestOf(raw, numbers)
    const command = 'fault' in request ? request.text : request.command
    known.last = { command, at: new Date() }
    const refuse = (code: number) => {
      // Its answer would be taken for that of this one.
      this.#over(this.#dialogue.gone(robot), address)
      this.#reply({ robot, command, code, count: 0, leftOut: 0, milliseconds: 0 })
    }
    if ('fault' in request) {
      this.#tell({ what: 'not-understood', address, ...request })
      refuse(codes.NOT_UNDERSTOOD)
      return
    }
    if (command !== 'NEXT' && commands.length > 0 && !commands.includes(command)) {
      this.#tell({ what: 'not-allowed', address, text: command })
      refuse(codes.NOT_ALLOWED)
      return
    }
    this.#ask(known, request)
  }

  #ask({ robot, address }: Robot, request: RobotRequest): void {
    const { cycle, reply, replaced } = this.#dialogue.heard(robot, request, this.#now())
    this.#over(replaced, address)
    if (reply) this.#reply(reply)
    if (cycle) this.#events.onCycle(cycle, address)
    this.#watch()
    this.#events.onChange()
  }

  #over(replaced: RobotCycle | undefined, address: string): void {
    if (!replaced) return
    this.counts.replaced++
    this.#events.onOver(replaced)
    this.#tell({ what: 'replaced', address })
  }

  #reply(reply: Reply): Reply {
    const { way, numbers, end, codes } = this.#options
    const robot = this.#robots.get(reply.robot)
    let said = reply
    let text: string
    try {
      text = way.write(this.#answerOf(reply), numbers, end)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      const { robot: to, command, leftOut, milliseconds } = reply
      said = { robot: to, command, leftOut, milliseconds, code: codes.DOES_NOT_FIT, count: 0 }
      text = way.write(this.#answerOf(said), numbers, end)
    }
    this.counts[said.code === codes.DONE ? 'done' : 'failed']++
    if (robot) {
      robot.connection.send(text)
      const { code, milliseconds } = said
      robot.last = { command: said.command, at: robot.last?.at ?? new Date(), code, milliseconds }
      this.#events.onReply(said, robot.address)
    }
    this.#events.onChange()
    return said
  }

  #answerOf({ code, count, candidate }: Reply) {
    const { format, length } = this.#options.numbers
    return {
      code,
      count,
      score: candidate?.score ?? 0,
      ...(candidate && { numbers: numbersOfPose(format, candidate.pose, { length }) }),
    }
  }

  #gone(robot: number): void {
    const address = this.#robots.get(robot)?.address ?? ''
    this.#robots.delete(robot)
    if (this.#closed) return
    const cycle = this.#dialogue.gone(robot)
    if (cycle) {
      this.counts.left++
      this.#events.onOver(cycle)
    }
    this.#watch()
    this.#tell({ what: cycle ? 'left' : 'disconnected', address })
  }

  /** Waits for the request that expires next. */
  #watch(): void {
    clearTimeout(this.#timer)
    const { expiry } = this.#dialogue
    if (expiry === undefined || this.#closed) return
    this.#timer = startTimeout(
      () => {
        const tokens = this.#dialogue.open
        for (const reply of this.#dialogue.expired(this.#now())) {
          const over = tokens.find((cycle) => cycle.robot === reply.robot)
          if (over) this.#events.onOver(over)
          this.#reply(reply)
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
