import {
  decodeMessage,
  ProtobufError,
  type StreamMessages,
  type StreamMessageType,
  type Time,
} from '../codec/streams'
import { listeningPlace } from './listening-place'
import { Meter, type Arrival } from './meter'
import { checkOptions, type ReceiverOptions } from './receiver-options'
import { takeSeat } from './socket-hub'
import { timestampOf } from './timestamp-of'

/** Bytes: a hundred milliseconds of the densest streams, so that a busy flow loses nothing. */
const usualBuffer = 1024 * 1024

/** The callbacks of a receiver. It never throws at its caller: `onError` gets what `onMessage` throws. */
export interface ReceiverHandlers<Type extends StreamMessageType> {
  /** A message arrived. @param timestamp time of its measurement, by the device's clock */
  onMessage: (message: StreamMessages[Type], timestamp: Time) => void
  /** A datagram was dropped, and has been counted. */
  onDropped?: (dropped: Dropped) => void
  /** The socket reported an error, or `onMessage` threw. The receiver continues. */
  onError: (error: unknown) => void
}

/** A datagram that was not passed on. */
export interface Dropped {
  /**
   * `garbage`: not a message of this type; `truncated`: its end is missing; `foreign`: from a host that is not allowed.
   */
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
 * Listens for the datagrams of a stream and decodes them.
 * @throws VisionError `UNREACHABLE` if no network leads to the device, `INVALID_INPUT` for an address or port that the
 * system refuses, or for an invalid option
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
