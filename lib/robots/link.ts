import { startTimeout } from '../timers/timers'
import { numbersOfPose } from '../robotics/robot-numbers'
import { ConnectedRobots, type LinkCounts, type RobotSnapshot } from './connected-robots'
import { openConnection, type RobotConnection } from './connection'
import type { Answered, DialogueCodes, Reply, RobotCycle, RobotResult } from './cycle'
import { RobotDialogue, type DialogueOptions } from './dialogue'
import type { Link, LinkEvents, LinkTold } from './link-events'
import { listen, type Listener, type ListenOptions } from './listen'
import { requestOf, type RawRequest, type RobotRequest } from './requests'
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

/** Robots that connect and ask, and what they are told. */
export class RobotLink implements Link {
  readonly #options: LinkOptions
  readonly #events: LinkEvents
  readonly #dialogue: RobotDialogue
  readonly #robots = new ConnectedRobots<RobotConnection>()
  readonly #now: () => number
  #listener: Listener | undefined
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
   * @throws ListenFailure, NotAHost
   */
  static async open(
    options: LinkOptions,
    events: LinkEvents,
    now: () => number = () => performance.now(),
  ): Promise<RobotLink> {
    const link = new RobotLink(options, events, now)
    link.#listener = await listen(options, {
      onRobot: (socket, address) => {
        const robot = link.#robots.add(address, (number) =>
          openConnection(socket, options.way.requests, (raw) => link.#heard(number, raw)),
        )
        socket.once('close', () => link.#gone(robot))
        link.#tell({ what: 'connected', address })
      },
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

  /** Answers the request of that token. @returns how it was taken, and what the robot was told */
  answer(token: string, result: RobotResult): Answered {
    const answered = this.#dialogue.answered(token, result, this.#now())
    this.#watch()
    if ('reply' in answered) return { reply: this.#reply(answered.reply) }
    this.#robots.counts[answered.dropped]++
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
    const known = this.#robots.find(robot)
    if (!known) return
    const { address } = known
    const { numbers, commands, codes } = this.#options
    const request = requestOf(raw, numbers)
    const command = 'fault' in request ? request.text : request.command
    this.#robots.asked(robot, command)
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
    this.#ask(robot, address, request)
  }

  #ask(robot: number, address: string, request: RobotRequest): void {
    const { cycle, reply, replaced } = this.#dialogue.heard(robot, request, this.#now())
    this.#over(replaced, address)
    if (reply) this.#reply(reply)
    if (cycle) this.#events.onCycle(cycle, address)
    this.#watch()
    this.#events.onChange()
  }

  #over(replaced: RobotCycle | undefined, address: string): void {
    if (!replaced) return
    this.#robots.counts.replaced++
    this.#events.onOver(replaced)
    this.#tell({ what: 'replaced', address })
  }

  #reply(reply: Reply): Reply {
    const { way, numbers, end, codes } = this.#options
    const robot = this.#robots.find(reply.robot)
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
    this.#robots.told(said, said.code === codes.DONE)
    if (robot) {
      robot.connection.send(text)
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
    const address = this.#robots.remove(robot)
    if (this.#closed) return
    const cycle = this.#dialogue.gone(robot)
    if (cycle) {
      this.#robots.counts.left++
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
