/** Robots that send text or XML: the port, its connections and their answers. */
import type { Socket } from 'node:net'
import { serveSocket } from '../kernel/serve-socket'
import { numbersOfPose } from '../robotics/pose-numbers'
import { startInterval } from '../kernel/timers'
import { BaseLink, type Departure, type LinkEvents, type ListenOptions } from './base-link'
import type { DialogueCodes, Reply, RobotCycle } from './cycle'
import { type DialogueOptions, RobotDialogue } from './dialogue'
import { type RawRequest, requestOf, requestReader, type RobotRequest } from './requests'
import type { RobotNumbers, Dialect } from './dialects'

const checkInterval = 25 // milliseconds between two checks of an unfinished request

/** Checks without new data after which a request without an end is complete, and one that shows its end never will be. */
const patience = { short: 8, long: 80 } as const

interface RobotConnection {
  send: (text: string) => void
}

/** Extracts requests from a socket. Checks are counted, not time: after a pause, half a request must not pass as whole. */
function openConnection(
  socket: Socket,
  kind: 'text' | 'xml',
  onRequest: (raw: RawRequest) => void,
): RobotConnection {
  const reader = requestReader(kind)
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearInterval(timer)

  serveSocket<RawRequest>(socket, {
    push: (bytes) => {
      stop()
      // One character per byte, whatever the robot's encoding.
      reader.push(bytes.toString('latin1'))
    },
    next: () => reader.next(),
    answer: onRequest,
    idle: () => {
      stop()
      if (!reader.isWaiting) return
      let checks = 0
      timer = startInterval(() => {
        if (++checks < patience[reader.hasEnds ? 'long' : 'short']) return
        stop()
        for (const each of reader.flush()) onRequest(each)
      }, checkInterval)
    },
  })
  socket.once('close', stop)

  return {
    send: (text) => {
      if (socket.writable) socket.write(text, 'latin1')
    },
  }
}

/** Codes of a link: those of its dialogue, and for unreadable requests. */
export interface LinkCodes extends DialogueCodes {
  NOT_UNDERSTOOD: number
  NOT_ALLOWED: number
  DOES_NOT_FIT: number
}

export interface LinkOptions extends ListenOptions, Omit<DialogueOptions, 'codes'> {
  codes: LinkCodes
  dialect: Dialect
  numbers: RobotNumbers
  end: string
  /** Permitted commands, in capitals; empty: all. */
  commands: readonly string[]
}

export class RobotLink extends BaseLink<RobotConnection, { reply: Reply }> {
  readonly #options: LinkOptions
  readonly #dialogue: RobotDialogue

  private constructor(options: LinkOptions, events: LinkEvents, now: () => number) {
    const dialogue = new RobotDialogue(options)
    super(options, events, now, dialogue)
    this.#options = options
    this.#dialogue = dialogue
  }

  /** @param now monotonic milliseconds @throws ListenFailure, NotAHost */
  static open(
    options: LinkOptions,
    events: LinkEvents,
    now: () => number = () => performance.now(),
  ): Promise<RobotLink> {
    return new RobotLink(options, events, now).opened()
  }

  protected connect(socket: Socket, robot: number): RobotConnection {
    return openConnection(socket, this.#options.dialect.requests, (raw) => this.#receive(robot, raw))
  }

  protected departed(robot: number): Departure {
    const cycle = this.#dialogue.gone(robot)
    return cycle ? { what: 'left', token: cycle.token } : { what: 'disconnected' }
  }

  protected deliver({ reply }: { reply: Reply }): Reply {
    return this.#reply(reply)
  }

  #receive(robot: number, raw: RawRequest): void {
    const known = this.connected.find(robot)
    if (!known) return
    const { address } = known
    const { numbers, commands, codes } = this.#options
    const request = requestOf(raw, numbers)
    const command = 'fault' in request ? request.text : request.command
    this.connected.countRequest(robot, command)
    const refuse = (code: number) => {
      // Its answer would be taken for that of this one.
      this.#over(this.#dialogue.gone(robot), address)
      this.#reply({ robot, command, code, count: 0, leftOut: 0, milliseconds: 0 })
    }
    if ('fault' in request) {
      this.report({ what: 'not-understood', address, ...request })
      refuse(codes.NOT_UNDERSTOOD)
      return
    }
    if (command !== 'NEXT' && commands.length > 0 && !commands.includes(command)) {
      this.report({ what: 'not-allowed', address, text: command })
      refuse(codes.NOT_ALLOWED)
      return
    }
    this.#ask(robot, address, request)
  }

  #ask(robot: number, address: string, request: RobotRequest): void {
    const { cycle, reply, replaced } = this.#dialogue.request(robot, request, this.now())
    this.#over(replaced, address)
    if (reply) this.#reply(reply)
    if (cycle) this.events.onCycle(cycle, address)
    this.watch()
    this.events.onChange()
  }

  #over(replaced: RobotCycle | undefined, address: string): void {
    if (!replaced) return
    this.connected.counts.replaced++
    this.events.onOver(replaced)
    this.report({ what: 'replaced', address })
  }

  #reply(reply: Reply): Reply {
    const { dialect, numbers, end, codes } = this.#options
    const robot = this.connected.find(reply.robot)
    let sent = reply
    let text: string
    try {
      text = dialect.write(this.#answerOf(reply), numbers, end)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      const { robot: to, command, leftOut, milliseconds } = reply
      sent = { robot: to, command, leftOut, milliseconds, code: codes.DOES_NOT_FIT, count: 0 }
      text = dialect.write(this.#answerOf(sent), numbers, end)
    }
    this.connected.countReply(sent, sent.code === codes.DONE)
    if (robot) {
      robot.connection.send(text)
      this.events.onReply(sent, robot.address)
    }
    this.events.onChange()
    return sent
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
}
