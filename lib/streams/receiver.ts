/** Receives a data stream, and measures how it arrives. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { RateMeter } from '../kernel/rate'
import {
  type Time,
  decodeMessage,
  type Dynamics,
  type Frame,
  type Imu,
  ProtobufError,
  type StreamMessages,
  type StreamMessageType,
} from '../codec/streams'
import { VisionError } from '../client/vision-error'
import { hostOf, listeningPlace, streamError } from './destination'

/** Milliseconds over which the rate is measured, and the most messages used for it. */
const [rateSpan, rateMessages] = [2000, 512]

const jitterShare = 1 / 16 // as in RTP (RFC 3550): each message moves the mean by a sixteenth

interface Arrival extends Losses {
  /** Messages per second over the last two seconds. */
  rate: number
  /** Mean difference between the interval of two messages and that of their timestamps, milliseconds. */
  jitter: number
  silence?: number
  timestamp?: Time
}

/** Measures a stream by arrival times and timestamps. */
export class Meter {
  private readonly arrivals = new RateMeter({ events: rateMessages, span: rateSpan })
  private newest: { timestamp: Time; arrival: number } | undefined
  private jitter = 0
  private readonly losses: LossCount

  /** @param period seconds between messages, if known */
  constructor(period?: number) {
    this.losses = new LossCount(period)
  }

  /** @param now milliseconds of a monotonic clock */
  message(timestamp: Time, now: number): void {
    this.arrivals.add(now)
    const { newest } = this
    const step = newest ? secondsBetween(newest.timestamp, timestamp) : undefined
    if (newest && step !== undefined) {
      const { pauses } = this.losses.losses
      if (!this.losses.add(step)) return
      // A pause says nothing about how evenly the network delivers.
      if (pauses === this.losses.losses.pauses)
        this.jitter += (Math.abs(now - newest.arrival - step * 1000) - this.jitter) * jitterShare
    }
    this.newest = { timestamp, arrival: now }
  }

  report(now: number): Arrival {
    return {
      rate: this.arrivals.rate(now),
      jitter: this.jitter,
      ...this.losses.losses,
      ...(this.newest && { silence: this.silence(now), timestamp: this.newest.timestamp }),
    }
  }

  silence(now: number): number {
    return now - this.arrivals.lastAt
  }
}

const secondsBetween = (one: Time, other: Time): number =>
  Number(other.sec ?? 0) - Number(one.sec ?? 0) + ((other.nsec ?? 0) - (one.nsec ?? 0)) / 1e9

/** A larger step of the timestamp in either direction, seconds, is a pause of the device and not a loss of messages. */
const longestGap = 10

/** A message older than the newest by more than this, seconds, is not a late one: the device's clock was set back. */
const latest = 1

interface Losses {
  /** Between two messages. */
  gaps: number
  /** Seconds. */
  longestGap: number
  /** In all gaps. */
  lost: number
  /** Messages that arrived after newer ones; they do not count as lost. */
  late: number
  /** Messages with the same timestamp as the newest. */
  repeated: number
  /** Backward steps of the timestamp, and steps of more than 10 s: the device paused, or its clock was set. */
  pauses: number
}

/** Counts missing messages from the timestamps of those that arrived. */
export class LossCount {
  readonly losses: Losses = { gaps: 0, longestGap: 0, lost: 0, late: 0, repeated: 0, pauses: 0 }
  /** Time between messages, as far as it is known. */
  readonly period: Period

  constructor(period?: number) {
    this.period = new Period(period)
  }

  /** @param step seconds by which the timestamp is newer than the newest so far @returns whether it is now the newest */
  add(step: number): boolean {
    const { losses } = this
    if (step < -latest || step > longestGap) {
      losses.pauses++
      return true
    }
    if (step > 0) {
      for (const each of this.period.add(step)) this.classify(each)
      return true
    }
    if (step === 0) losses.repeated++
    else {
      losses.late++
      if (losses.lost > 0) losses.lost--
    }
    return false
  }

  private classify(step: number): void {
    const missing = Math.round(step / this.period.seconds) - 1
    if (missing < 1) return
    this.losses.gaps++
    this.losses.lost += missing
    this.losses.longestGap = Math.max(this.losses.longestGap, step)
  }
}

const [first, later] = [8, 32] // steps for a first estimate of the period, and steps used later

/** Interval of messages: the median of the steps, because most messages arrive. */
class Period {
  private readonly steps: number[] = []
  private next = 0
  private found: number

  constructor(private readonly known = NaN) {
    this.found = known
  }

  /** NaN until it is known. */
  get seconds(): number {
    return this.found
  }

  /** @param step seconds @returns the steps that can now be evaluated: this one, all that were waiting, or none */
  add(step: number): readonly number[] {
    this.steps[this.next] = step
    this.next = (this.next + 1) % later
    if (!Number.isNaN(this.known)) return [step]
    const known = !Number.isNaN(this.found)
    if (this.next % first === 0) {
      const sorted = [...this.steps].sort((one, other) => one - other)
      this.found = sorted[Math.floor(sorted.length / 2)] as number
    }
    if (known) return [step]
    return Number.isNaN(this.found) ? [] : this.steps
  }
}

/** Bytes: a hundred milliseconds of the densest streams, so that a busy flow loses nothing. */
const usualBuffer = 1024 * 1024

/** The callbacks of a receiver. It never throws at its caller: `onError` gets what `onMessage` throws. */
export interface ReceiverHandlers<Type extends StreamMessageType> {
  /** A message arrived. @param timestamp time of its measurement, by the device's clock */
  onMessage: (message: StreamMessages[Type], timestamp: Time) => void
  /** A datagram was dropped, and has been counted. */
  onDropped?: (dropped: Dropped) => void
  /** Socket errors, and errors of `onMessage`. The receiver continues. */
  onError: (error: unknown) => void
}

/** A datagram that was not passed on. */
export interface Dropped {
  /** `garbage`: not a message of this type; `truncated`: its end is missing; `foreign`: from a host that is not allowed. */
  reason: 'garbage' | 'truncated' | 'foreign'
  /** What is wrong with it, or its host. */
  detail: string
}

/** Statistics of a stream since listening began. */
export interface ReceiverStatistics extends Arrival, Record<Dropped['reason'], number> {
  /** Messages that were passed on. */
  messages: number
}

/** Listens until it is closed. */
export interface Receiver {
  /** Local address that it listens on. */
  address: string
  /** Local UDP port. */
  port: number
  /** `<ip>:<port>`, for the device to send to. */
  destination: string
  /** Size of the receive buffer in bytes, as granted by the system. */
  bufferBytes: number
  statistics: () => ReceiverStatistics
  /** Milliseconds since the last message, infinite before the first. */
  silence: () => number
  /** Stops all callbacks. Resolves when nothing is left. */
  close: () => Promise<void>
}

/**
 * Listens for the datagrams of a stream and decodes them. @throws VisionError `UNREACHABLE` if no network leads to the
 * device, `INVALID_INPUT` for an address or port that the system refuses, or for an invalid option
 */
export async function receiveStream<Type extends StreamMessageType>(
  options: ReceiverOptions<Type>,
  { onMessage, onDropped, onError }: ReceiverHandlers<Type>,
): Promise<Receiver> {
  checkOptions(options)
  const { message: type, port = 0, recvBufferSize = usualBuffer, rate } = options
  const { address, reachedAt, hosts } = await listeningPlace(options)
  const counts = { messages: 0, garbage: 0, truncated: 0, foreign: 0 }
  const meter = new Meter(rate === undefined ? undefined : 1 / rate)
  let closed = false

  const guarded = (call: () => void) => {
    if (closed) return
    try {
      call()
    } catch (error) {
      onError(error)
    }
  }
  const drop = (reason: Dropped['reason'], detail: string) => {
    counts[reason]++
    if (onDropped) guarded(() => onDropped({ reason, detail }))
  }
  const take = (bytes: Buffer) => {
    const message = readable(type, bytes, drop)
    if (!message) return
    const timestamp = timestampOf[type](message)
    if (!timestamp) {
      drop('garbage', `${type} without a timestamp`)
      return
    }
    counts.messages++
    meter.message(timestamp, performance.now())
    guarded(() => onMessage(message, timestamp))
  }

  const seat = await takeSeat(
    { address, port, recvBufferSize },
    {
      takes: (host) => hosts?.has(host) ?? true,
      datagram: take,
      foreign: (host) => drop('foreign', host),
      failed: (error) => guarded(() => onError(error)),
    },
  )
  return {
    address,
    port: seat.port,
    destination: `${reachedAt}:${seat.port}`,
    bufferBytes: seat.bufferBytes,
    statistics: () => ({ ...counts, ...meter.report(performance.now()) }),
    silence: () => meter.silence(performance.now()),
    close: () => {
      closed = true
      return seat.leave()
    },
  }
}

function readable<Type extends StreamMessageType>(
  type: Type,
  bytes: Buffer,
  drop: (reason: Dropped['reason'], detail: string) => void,
): StreamMessages[Type] | undefined {
  try {
    return decodeMessage(type, bytes)
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    drop(error.truncated ? 'truncated' : 'garbage', error.message)
    return undefined
  }
}

/** Which datagrams to receive, and where. */
export interface ReceiverOptions<Type extends StreamMessageType> {
  device: string
  /** The message type from the field `protobuf` of the stream's record: `Frame`, `Dynamics` or `Imu`. */
  message: Type
  /** Local address to listen on; `0.0.0.0` and `::` are all. @default the one that the device is reached from */
  address?: string
  /** UDP port to listen on; 0 is any free port. Receivers in one process may share one. @default 0 */
  port?: number
  /** Further hosts whose datagrams are accepted, or all. @default only the device */
  allow?: readonly string[] | 'all'
  /** Size of the receive buffer in bytes; the system may grant less. 0 is the system's default. @default 1048576 */
  recvBufferSize?: number
  /** Messages per second, for detecting losses. @default estimated from the timestamps */
  rate?: number
}

/** @throws VisionError `INVALID_INPUT` */
function checkOptions({
  message,
  port = 0,
  recvBufferSize = 0,
  rate = 1,
}: ReceiverOptions<StreamMessageType>): void {
  check('message', Object.hasOwn(timestampOf, message), 'Frame, Dynamics or Imu')
  check('port', Number.isInteger(port) && port >= 0 && port <= 65_535, '0 to 65535')
  check('recvBufferSize', Number.isInteger(recvBufferSize) && recvBufferSize >= 0, '>= 0 bytes')
  check('rate', Number.isFinite(rate) && rate > 0, '> 0 Hz')
}

function check(option: string, right: boolean, expected: string): void {
  if (!right)
    throw new VisionError({ code: 'INVALID_INPUT', key: 'bad-option', values: { option, expected } })
}

interface Listener {
  /** Whether it accepts datagrams from that host. */
  takes: (host: string) => boolean
  datagram: (bytes: Buffer) => void
  /** Called with a datagram from a host that is not accepted. */
  foreign: (host: string) => void
  failed: (error: Error) => void
}

interface Seat {
  port: number
  /** Size of the receive buffer in bytes, as granted by the system. */
  bufferBytes: number
  /** Resolves when nothing is left; the socket closes with its last user. */
  leave: () => Promise<void>
}

interface SocketRequest {
  address: string
  port: number
  /** Bytes. Users of the same socket get the largest size requested. */
  recvBufferSize: number
}

/** The sockets of this process, shared because the system delivers a datagram to one socket only. */
const hubs = new Map<string, Hub>()

/** @throws VisionError `INVALID_INPUT` if the system refuses the address or port */
function takeSeat(place: SocketRequest, listener: Listener): Promise<Seat> {
  const shared = place.port === 0 ? undefined : hubs.get(keyOf(place))
  return (shared ?? new Hub({ ...place })).seat(place, listener)
}

const keyOf = ({ address, port }: SocketRequest) => `${address} ${port}`

class Hub {
  private readonly socket: Socket
  private readonly listeners = new Set<Listener>()
  private readonly bound: Promise<void>
  private bufferBytes = 0
  private closed: Promise<void> | undefined

  constructor(private readonly place: SocketRequest) {
    this.socket = createSocket(place.address.includes(':') ? 'udp6' : 'udp4')
    if (place.port !== 0) hubs.set(keyOf(place), this)
    this.bound = this.bind()
  }

  async seat({ recvBufferSize }: SocketRequest, listener: Listener): Promise<Seat> {
    this.listeners.add(listener)
    try {
      await this.bound
      if (recvBufferSize > this.bufferBytes) this.widen(recvBufferSize)
    } catch (error) {
      await this.leave(listener)
      throw error
    }
    const leave = () => this.leave(listener)
    return { port: this.place.port, bufferBytes: this.bufferBytes, leave }
  }

  private async bind(): Promise<void> {
    const { socket, place } = this
    try {
      const listening = once(socket, 'listening')
      socket.bind({ address: place.address, port: place.port })
      await listening
    } catch (error) {
      throw notGiven(error as NodeJS.ErrnoException, place)
    }
    place.port = socket.address().port
    hubs.set(keyOf(place), this)
    this.bufferBytes = socket.getRecvBufferSize()
    socket.on('message', (bytes, { address }) => this.hand(bytes, hostOf(address)))
    socket.on('error', (error) => {
      for (const listener of this.listeners) listener.failed(error)
    })
  }

  private hand(bytes: Buffer, host: string): void {
    let taken = false
    for (const listener of this.listeners) {
      if (!listener.takes(host)) continue
      taken = true
      listener.datagram(bytes)
    }
    if (!taken) for (const listener of this.listeners) listener.foreign(host)
  }

  /** The system decides how much to grant; some refuse too large a size. */
  private widen(bytes: number): void {
    try {
      this.socket.setRecvBufferSize(bytes)
    } catch {
      return
    }
    this.bufferBytes = this.socket.getRecvBufferSize()
  }

  private async leave(listener: Listener): Promise<void> {
    this.listeners.delete(listener)
    if (this.listeners.size > 0) return
    if (hubs.get(keyOf(this.place)) === this) hubs.delete(keyOf(this.place))
    this.closed ??= new Promise((resolve) => this.socket.close(() => resolve()))
    await this.closed
  }
}

function notGiven(error: NodeJS.ErrnoException, { address, port }: SocketRequest): VisionError {
  const reason = error.code ?? error.message
  const key = reason === 'EADDRNOTAVAIL' || reason === 'ENOTFOUND' ? 'stream-address' : 'stream-port'
  return streamError({ code: 'INVALID_INPUT', key, values: { address, port, reason }, cause: { reason } })
}

const timestampOf: {
  readonly [Type in keyof StreamMessages]: (message: StreamMessages[Type]) => Time | undefined
} = {
  Frame: ({ pose }: Frame) => pose?.timestamp,
  Dynamics: ({ timestamp }: Dynamics) => timestamp,
  Imu: ({ timestamp }: Imu) => timestamp,
}
