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

/** What a receiver calls. It never throws at anybody: what `onMessage` throws comes to `onError`. */
export interface ReceiverHandlers<Type extends StreamMessageType> {
  /** A message came. @param timestamp when it was measured, by the device's time */
  onMessage: (message: StreamMessages[Type], timestamp: Time) => void
  /** A datagram was dropped. It has been counted. */
  onDropped?: (dropped: Dropped) => void
  /** The socket reported a failure, or `onMessage` threw. The receiver goes on. */
  onError: (error: unknown) => void
}

/** A datagram that was not handed on. */
export interface Dropped {
  /** `garbage`: no such message of a device; `truncated`: its end is missing; `foreign`: from a host that is not allowed. */
  reason: 'garbage' | 'truncated' | 'foreign'
  /** What is wrong with it, or the host. */
  detail: string
}

/** How the stream arrived since listening began. */
export interface ReceiverStatistics extends Arrival, Record<Dropped['reason'], number> {
  /** Messages that were handed on. */
  messages: number
}

/** Listens until it is closed. */
export interface Receiver {
  /** Own address that is listened on. */
  address: string
  /** Own UDP port. */
  port: number
  /** `<ip>:<port>`, for the device to send to. */
  destination: string
  /** Size of the buffer in which datagrams wait to be read, bytes, as the system gave it. */
  bufferBytes: number
  statistics: () => ReceiverStatistics
  /** Milliseconds since the last message, infinite before the first. */
  silence: () => number
  /** Nothing is called any more. Resolves when nothing is left. */
  close: () => Promise<void>
}

/**
 * Listens for the datagrams of a stream and decodes them.
 * @throws VisionError `UNREACHABLE` where no network leads to the device, `INVALID_INPUT` for an address or a port that
 * the system does not give, or an option that cannot be
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
