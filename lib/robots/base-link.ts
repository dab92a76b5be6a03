/** The port that robots connect to, in any protocol: access, connections, deadlines, answers of flows, notices. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { allowedHosts, plainAddress } from '../hosts/allowed-hosts'
import { startTimeout } from '../kernel/timers'
import type { Answered, Dropped, Reply, RobotCycle, RobotResult } from './cycle'
import type { UnreadableRequest } from './requests'

/** Events since the start. */
export interface LinkCounts {
  requests: number
  /** Answers with code 0, and with another. */
  done: number
  failed: number
  late: number
  second: number
  foreign: number
  replaced: number
  left: number
  refused: number
}

export const noCounts = (): LinkCounts => ({
  ...{ requests: 0, done: 0, failed: 0, late: 0, second: 0, foreign: 0 },
  ...{ replaced: 0, left: 0, refused: 0 },
})

export interface RobotSnapshot {
  robot: number
  address: string
  since: Date
  last?: { command: string; at: Date; code?: number; milliseconds?: number }
}

class ConnectedRobots<Connection> {
  readonly counts = noCounts()
  readonly #robots = new Map<number, RobotSnapshot & { connection: Connection }>()
  #number = 0

  /** @returns the number of the connection, never reused */
  add(address: string, connectionOf: (robot: number) => Connection): number {
    const robot = ++this.#number
    this.#robots.set(robot, { robot, address, since: new Date(), connection: connectionOf(robot) })
    return robot
  }

  find(robot: number): { address: string; connection: Connection } | undefined {
    return this.#robots.get(robot)
  }

  /** @returns its address */
  remove(robot: number): string {
    const address = this.#robots.get(robot)?.address ?? ''
    this.#robots.delete(robot)
    return address
  }

  get snapshots(): readonly RobotSnapshot[] {
    return Array.from(this.#robots.values(), ({ robot, address, since, last }) => ({
      robot,
      address,
      since,
      ...(last && { last }),
    }))
  }

  countRequest(robot: number, command: string): void {
    this.counts.requests++
    const known = this.#robots.get(robot)
    if (known) known.last = { command, at: new Date() }
  }

  /** @param isDone whether the robot got what it requested */
  countReply({ robot, command, code, milliseconds }: Reply, isDone: boolean): void {
    this.counts[isDone ? 'done' : 'failed']++
    const known = this.#robots.get(robot)
    if (known) known.last = { command, at: known.last?.at ?? new Date(), code, milliseconds }
  }
}

export class ListenFailure extends Error {
  override readonly name = 'ListenFailure'

  constructor(
    /** `taken`: the port is in use; `reserved`: a right is missing; `not-ours`: no address of this computer. */
    readonly reason: 'taken' | 'reserved' | 'not-ours' | 'other',
    readonly code: string,
    host: string,
    port: number,
  ) {
    super(`cannot listen on port ${String(port)} of ${host}: ${code}`)
  }
}

export interface ListenOptions {
  /** Local address; `0.0.0.0` and `::` are all. */
  host: string
  port: number
  /** Addresses, or networks such as `192.168.0.0/24`, that may connect. @throws NotAHost */
  allow: readonly string[]
  connections: number
}

interface ListenEvents {
  onRobot: (socket: Socket, address: string) => void
  /** A host without access, or one too many. */
  onRefused: (address: string, reason: 'not-allowed' | 'too-many') => void
}

const reasons: Partial<Record<string, ListenFailure['reason']>> = {
  EADDRINUSE: 'taken',
  EACCES: 'reserved',
  EADDRNOTAVAIL: 'not-ours',
}

interface Listener {
  readonly host: string
  readonly port: number
  close: () => Promise<void>
}

/** @throws ListenFailure, NotAHost */
async function listen(
  { host, port, allow, connections }: ListenOptions,
  { onRobot, onRefused }: ListenEvents,
): Promise<Listener> {
  const isAllowed = allowedHosts(allow)
  const sockets = new Set<Socket>()
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }
  const server = createServer(options, (socket) => {
    socket.on('error', () => socket.destroy())
    const address = plainAddress(socket.remoteAddress ?? '')
    const refused = !isAllowed(address) ? 'not-allowed' : sockets.size >= connections ? 'too-many' : undefined
    if (refused) {
      socket.destroy()
      onRefused(address, refused)
      return
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    onRobot(socket, address)
  })
  await listening(server, host, port)
  // A later failure, such as a lack of file handles, does not end listening.
  server.on('error', () => undefined)
  const address = server.address() as AddressInfo
  let closing: Promise<void> | undefined
  return { host: address.address, port: address.port, close: () => (closing ??= close(server, sockets)) }
}

async function listening(server: Server, host: string, port: number): Promise<void> {
  const isListening = once(server, 'listening')
  server.listen({ host, port })
  try {
    await isListening
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new ListenFailure(reasons[code] ?? 'other', code, host, port)
  }
}

async function close(server: Server, sockets: Iterable<Socket>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  for (const socket of sockets) socket.destroy()
  await closed
}

/** Ends the cycles of a link, in any protocol. */
interface LinkDialogue<Ended extends { reply: Reply }> {
  answered: (token: string, result: RobotResult, now: number) => { dropped: Dropped } | Ended
  expired: (now: number) => readonly (Ended & { token: string })[]
  /** When the next request expires; undefined while none is open. */
  readonly expiry: number | undefined
}

/** How a robot disconnected: during a request or not, and the token of the cycle that ends with it. */
export interface Departure {
  what: 'disconnected' | 'left' | 'left-job'
  token?: string
}

/** Requests that have expired and are remembered. */
const mostUnanswered = 1000

export abstract class BaseLink<Connection, Ended extends { reply: Reply }> implements Link {
  protected readonly connected = new ConnectedRobots<Connection>()
  readonly #options: ListenOptions
  readonly #dialogue: LinkDialogue<Ended>
  #listener: Listener | undefined
  #closed = false
  #timer: NodeJS.Timeout | undefined
  /** When requests that have expired had begun, by token. */
  readonly #unanswered = new Map<string, number>()
  /** Milliseconds of the last late answer. */
  #late: number | undefined

  protected constructor(
    options: ListenOptions,
    protected readonly events: LinkEvents,
    protected readonly now: () => number,
    dialogue: LinkDialogue<Ended>,
  ) {
    this.#options = options
    this.#dialogue = dialogue
  }

  /** Opens the connection of an accepted robot. */
  protected abstract connect(socket: Socket, robot: number): Connection
  /** The robot has disconnected: ends or keeps its request. */
  protected abstract departed(robot: number): Departure
  protected abstract deliver(notice: Ended, token: string): Reply

  /** @throws ListenFailure, NotAHost */
  protected async opened(): Promise<this> {
    this.#listener = await listen(this.#options, {
      onRobot: (socket, address) => {
        const robot = this.connected.add(address, (number) => this.connect(socket, number))
        socket.once('close', () => this.#gone(robot))
        this.report({ what: 'connected', address })
      },
      onRefused: (address, reason) => {
        this.connected.counts.refused++
        this.report({ what: 'refused', address, reason })
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
    const { dropped } = answered
    this.connected.counts[dropped]++
    const milliseconds = dropped === 'late' ? this.#lateAfter(token) : undefined
    this.report({ what: dropped, ...(milliseconds !== undefined && { milliseconds }) })
    return answered
  }

  protected get isClosed(): boolean {
    return this.#closed
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#listener?.close()
  }

  protected watch(): void {
    clearTimeout(this.#timer)
    const { expiry } = this.#dialogue
    if (expiry === undefined || this.#closed) return
    this.#timer = startTimeout(
      () => {
        for (const expired of this.#dialogue.expired(this.now())) {
          this.events.onOver(expired)
          this.#expired(expired)
          this.deliver(expired, expired.token)
        }
        this.watch()
      },
      Math.max(1, expiry - this.now()),
    )
  }

  protected report(notice: LinkNotice): void {
    this.events.onNotice(notice)
    this.events.onChange()
  }

  #expired({ token, reply }: Ended & { token: string }): void {
    this.#unanswered.set(token, this.now() - reply.milliseconds)
    const [oldest] = this.#unanswered.keys()
    if (this.#unanswered.size > mostUnanswered && oldest !== undefined) this.#unanswered.delete(oldest)
    if (this.#late !== undefined) reply.late = this.#late
  }

  /** @returns milliseconds from the request to an answer that came too late */
  #lateAfter(token: string): number | undefined {
    const began = this.#unanswered.get(token)
    if (began === undefined) return undefined
    this.#unanswered.delete(token)
    return (this.#late = Math.round(this.now() - began))
  }

  #gone(robot: number): void {
    const address = this.connected.remove(robot)
    const { what, token } = this.departed(robot)
    if (this.#closed) return
    if (what !== 'disconnected') this.connected.counts.left++
    if (token !== undefined) this.events.onOver({ token })
    this.watch()
    this.report({ what, address })
  }
}

/** A port for robots that connect and request, in any protocol. */
export interface Link {
  readonly host: string
  readonly port: number
  readonly robots: readonly RobotSnapshot[]
  readonly counts: Readonly<LinkCounts>
  /** Answers the request of that token. @returns the outcome, and the reply to the robot */
  answer: (token: string, result: RobotResult) => Answered
  close: () => Promise<void>
}

export interface LinkEvents {
  onCycle: (cycle: RobotCycle, address: string) => void
  /** A cycle ended without an answer of the flow: expired, replaced, or the robot disconnected. */
  onOver: (cycle: { token: string }) => void
  onReply: (reply: Reply, address: string) => void
  onNotice: (notice: LinkNotice) => void
  onChange: () => void
}

/** Notices for people. */
export type LinkNotice =
  | { what: 'connected' | 'disconnected' | 'left' | 'left-job' | 'replaced'; address: string }
  | { what: 'refused'; address: string; reason: 'not-allowed' | 'too-many' }
  | ({ what: 'not-understood'; address: string } & UnreadableRequest)
  | { what: 'not-allowed'; address: string; text: string }
  /** `milliseconds` since the request, if it has expired. */
  | { what: 'late' | 'second' | 'foreign'; milliseconds?: number }
