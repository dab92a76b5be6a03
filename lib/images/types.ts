import type { VisionError } from '../client/vision-error'
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
  /** Ends the stream with `ABORTED`. */
  signal?: AbortSignal
  /** Milliseconds for opening a connection. @default 3000 */
  connectDeadline?: number
  /**
   * Whether a lost stream is opened again, for ever, with growing pauses. Otherwise its failure ends the iteration.
   * @default true
   */
  reconnects?: boolean
  /** Longest pause between two attempts, milliseconds. @default 5000 */
  longestPause?: number
  /**
   * Milliseconds without an item after which a stream counts as lost, for streams that never pause.
   * @default never: in the single-frame modes, nothing comes before a trigger
   */
  longestSilence?: number
  /** Longest message accepted, bytes: longer ones are refused before memory is allocated. @default 314572800 */
  maxMessageBytes?: number
  /** Called when the stream is open, and when it is lost or cannot be opened. On changes only. Must not throw. */
  onState?: (state: ImageLinkState) => void
  /** Language of error sentences. @default 'en-US' */
  language?: string
  /** Source of the jitter, from 0 up to but not including 1. @default Math.random */
  random?: () => number
}

/** Whether a stream is open: the device accepted the connection, and the request was sent. If not, why. */
export type ImageLinkState = { open: true } | { open: false; error: VisionError }

/** Which images to receive, and where from. */
export interface ImageStreamOptions extends ImageLinkOptions {
  /** At least one part. */
  wanted: WantedImages
  /**
   * What happens while the consumer is busy: the device is held up (`false`), or sets are read and replaced by newer ones
   * (`true`).
   * @default true
   */
  newestOnly?: boolean
  /**
   * Whether the memory of a set is used again as soon as the next one is asked for: then its pixels are only valid until
   * then, and receiving costs about 40 % less.
   * @default false
   */
  reusesMemory?: boolean
}

/** A set of images as it was received. */
export interface ImageSet extends ImageSetMessage, Arrival {}

/** The pictures of a set are taken; its depth may not be computed yet. */
export interface ImageEvent extends ImageEventMessage, Arrival {}

/** When something arrived. */
export interface Arrival {
  /** Milliseconds since 1970, by the clock of this computer. */
  receivedAt: number
  /** Number of items that were replaced by newer ones since the one before. */
  skipped: number
  /** Number of the connection that it came over, from 1: a higher one than before means a gap. */
  connection: number
}

/**
 * What arrives, one after another, for one consumer. Holds at most one item, besides the one that is being received and
 * the one that the consumer has.
 *
 * Ends when it is closed. Throws a `VisionError` when it is aborted, or fails and does not reconnect.
 */
export interface ImageLink<Item> extends AsyncIterableIterator<Item, undefined> {
  /** Whether the stream is open now. */
  readonly isOpen: boolean
  /**
   * Resolves as soon as the stream is open.
   * @throws VisionError for the first attempt that fails meanwhile, and once it is closed
   */
  opened: () => Promise<void>
  /** Cancels the stream. Resolves when nothing is left. */
  close: () => Promise<void>
}
