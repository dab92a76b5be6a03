import type { Socket } from 'node:net'
import { startTimeout } from '../timers/timers'
import { ConnectedRobots, type LinkCounts, type RobotSnapshot } from './connected-robots'
import type { Answered, Dropped, Reply, RobotResult } from './cycle'
import type { Link, LinkEvents, LinkTold } from './link-events'
import { listen, type Listener, type ListenOptions } from './listen'

/** What ends the cycles of a link, whatever its robots speak. */
export interface LinkDialogue<Told extends { reply: Reply }> {
  /** A flow answers. */
  answered: (token: string, result: RobotResult, now: number) => { dropped: Dropped } | Told
  /** Ends the requests that nobody has answered in time. */
  expired: (now: number) => readonly (Told & { token: string })[]
  /** When the next request expires; undefined while none is open. */
  readonly expiry: number | undefined
}

/** How a robot went: in the middle of a request or not, and the token of the cycle that is over with it. */
export interface Departure {
  what: 'disconnected' | 'left' | 'left-job'
  token?: string
}

/** What all links have: the port and its robots, deadlines, and the answers of flows. */
export abstract class BaseLink<Connection, Told extends { reply: Reply }> implements Link {
  protected readonly connected = new ConnectedRobots<Connection>()
  readonly #options: ListenOptions
  readonly #dialogue: LinkDialogue<Told>
  #listener: Listener | undefined
  #closed = false
  #timer: NodeJS.Timeout | undefined

  protected constructor(
    options: ListenOptions,
    protected readonly events: LinkEvents,
    protected readonly now: () => number,
    dialogue: LinkDialogue<Told>,
  ) {
    this.#options = options
    this.#dialogue = dialogue
  }

  /** Opens the connection of a robot that may connect. */
  protected abstract connect(socket: Socket, robot: number): Connection
  /** The robot has gone: ends or keeps what it asked for. */
  protected abstract departed(robot: number): Departure
  /** Tells the robot. @returns what it read */
  protected abstract deliver(told: Told, token: string): Reply

  /** @throws ListenFailure, NotAHost */
  protected async opened(): Promise<this> {
    this.#listener = await listen(this.#options, {
      onRobot: (socket, address) => {
        const robot = this.connected.add(address, (number) => this.connect(socket, number))
        socket.once('close', () => this.#gone(robot))
        this.tell({ what: 'connected', address })
      },
      onRefused: (address, reason) => {
        this.connected.counts.refused++
        this.tell({ what: 'refused', address, reason })
      },
    })
    return this
  }

  get host(): string {
    return this.#listener?.host ?? this.#options.host
  }

  get port(): number {
    return this.#listener?.port ?? this.#options.port
  }

  get robots(): readonly RobotSnapshot[] {
    return this.connected.snapshots
  }

  get counts(): Readonly<LinkCounts> {
    return this.connected.counts
  }

  answer(token: string, result: RobotResult): Answered {
    const answered = this.#dialogue.answered(token, result, this.now())
    this.watch()
    if ('reply' in answered) return { reply: this.deliver(answered, token) }
    this.connected.counts[answered.dropped]++
    this.tell({ what: answered.dropped })
    return answered
  }

  /** Whether nobody is to be told anything any more. */
  protected get isClosed(): boolean {
    return this.#closed
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#listener?.close()
  }

  /** Waits for the request that expires next. */
  protected watch(): void {
    clearTimeout(this.#timer)
    const { expiry } = this.#dialogue
    if (expiry === undefined || this.#closed) return
    this.#timer = startTimeout(
      () => {
        for (const told of this.#dialogue.expired(this.now())) {
          this.events.onOver(told)
          this.deliver(told, told.token)
        }
        this.watch()
      },
      Math.max(1, expiry - this.now()),
    )
  }

  protected tell(told: LinkTold): void {
    this.events.onTold(told)
    this.events.onChange()
  }

  #gone(robot: number): void {
    const address = this.connected.remove(robot)
    const { what, token } = this.departed(robot)
    if (this.#closed) return
    if (what !== 'disconnected') this.connected.counts.left++
    if (token !== undefined) this.events.onOver({ token })
    this.watch()
    this.tell({ what, address })
  }
}
