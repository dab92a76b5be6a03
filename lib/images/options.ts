/** Options of image streams, their checks, and received items. */
import { VisionError } from '../client/vision-error'
import type { Tls } from '../client/options'
import type { ImageEventMessage, ImageSetMessage, WantedImages } from '../codec/images/codec'

/** Where a device serves its images, and how the connection to it is kept. */
export interface ImageLinkOptions {
  /** Name or IP address of the device. */
  host: string
  /** TCP port: 50051 + number of the pipeline. @default 50051 */
  port?: number
  /** The device's name in errors. @default host:port */
  device?: string
  /** For a port behind TLS; the same options as for the HTTP interface. @default without TLS */
  tls?: Tls
  signal?: AbortSignal
  /** Milliseconds for opening a connection. @default 3000 */
  connectDeadline?: number
  /** A lost stream is reopened, for ever, with growing pauses; otherwise its failure ends the iteration. @default true */
  reconnects?: boolean
  /** Longest pause between two attempts, milliseconds. @default 5000 */
  longestPause?: number
  /**
   * Milliseconds without an item after which a stream counts as lost, for streams that never pause. @default never: in
   * the single-frame modes, nothing arrives before a trigger
   */
  longestSilence?: number
  /** Bytes: longer messages are refused before memory is allocated. @default 314572800 */
  maxMessageBytes?: number
  /** Called when the stream is open, and when it is lost or cannot be opened. On changes only. Must not throw. */
  onState?: (state: ImageLinkState) => void
  language?: string
  /** Source of the jitter, from 0 up to but not including 1. @default Math.random */
  random?: () => number
}

/** Whether a stream is open: the device accepted the connection, and the request was sent. If not, why. */
export type ImageLinkState = { open: true } | { open: false; error: VisionError }

/** Which images to receive, and from where. */
export interface ImageStreamOptions extends ImageLinkOptions {
  wanted: WantedImages
  /** While the consumer is busy, sets are replaced by newer ones; otherwise the device is held up. @default true */
  newestOnly?: boolean
  /** Reuses a set's memory when the next one is requested; receiving then costs about 40 % less. @default false */
  reusesMemory?: boolean
}

/** A received set of images. */
export interface ImageSet extends ImageSetMessage, Arrival {}

/** The pictures of a set are taken; its depth may not be computed yet. */
export interface ImageEvent extends ImageEventMessage, Arrival {}

/** When and over which connection something arrived. */
export interface Arrival {
  /** Milliseconds since 1970, local clock. */
  receivedAt: number
  /** Items replaced by newer ones since the one before. */
  skipped: number
  /** Number of its connection, from 1: a higher one than before means a gap. */
  connection: number
}

/**
 * Received items, one after another, for one consumer. Holds at most one item, besides the one being received and the
 * one that the consumer has. Ends when it is closed. Throws a `VisionError` when it is aborted, or fails and does not
 * reconnect.
 */
export interface ImageLink<Item> extends AsyncIterableIterator<Item, undefined> {
  readonly isOpen: boolean
  /** Resolves when the stream is open. @throws VisionError for the first attempt that fails, and once it is closed */
  opened: () => Promise<void>
  /** Cancels the stream. Resolves when nothing is left. */
  close: () => Promise<void>
}

export interface LinkSettings
  extends
    Required<Omit<ImageLinkOptions, 'tls' | 'signal' | 'longestSilence' | 'onState'>>,
    Pick<ImageLinkOptions, 'tls' | 'signal' | 'longestSilence' | 'onState'> {
  newestOnly: boolean
  reusesMemory: boolean
}

/** What a stream requests, and what it takes from each message. */
export interface StreamCall<Item> {
  path: string
  /** Key of its name's sentence. */
  what: 'part-images' | 'part-events'
  request: Buffer
  decode: (message: Buffer) => Omit<Item, keyof Arrival> | undefined
}

const shown = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** Checks the options and fills in the defaults. @throws VisionError `INVALID_INPUT` */
export function settingsOf(
  options: ImageLinkOptions & { newestOnly?: boolean; reusesMemory?: boolean },
): LinkSettings {
  const {
    host,
    port = 50051,
    device = `${shown(host)}:${port}`,
    connectDeadline = 3000,
    reconnects = true,
    longestPause = 5000,
    maxMessageBytes = 300 * 1024 * 1024,
    newestOnly = true,
    reusesMemory = false,
    language = 'en-US',
    random = Math.random,
    ...rest
  } = options
  const check = (option: string, right: boolean, expected: string) => {
    if (!right)
      throw new VisionError(
        { code: 'INVALID_INPUT', key: 'bad-option', values: { option, expected } },
        { language },
      )
  }
  const isDuration = (value: number) => Number.isFinite(value) && value > 0
  // A space or a slash would be part of a header.
  check('host', typeof host === 'string' && /^[^\s/@[\]]+$/.test(host), 'a host name or an IP address')
  check('port', Number.isInteger(port) && port > 0 && port <= 65_535, '1 to 65535')
  check('connectDeadline', isDuration(connectDeadline), '> 0 ms')
  check('longestPause', isDuration(longestPause), '> 0 ms')
  check('longestSilence', rest.longestSilence === undefined || isDuration(rest.longestSilence), '> 0 ms')
  check('maxMessageBytes', Number.isSafeInteger(maxMessageBytes) && maxMessageBytes > 0, '>= 1')
  return {
    ...{ host, port, device, connectDeadline, reconnects, longestPause, maxMessageBytes },
    ...{ newestOnly, reusesMemory, language, random, ...rest },
  }
}
