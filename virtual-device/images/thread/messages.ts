import type { GlanceOrder, PictureOrder, ServiceState } from '../picture-order'
import type { Stage } from '../stage/stage'

/** From the device to the thread of its images. */
export type ToImageThread =
  | { do: 'listen'; host: string; port: number; pipelines: number; seed: number }
  | { do: 'state'; state: ServiceState }
  | { do: 'stage'; pipeline: string; stage: Stage }
  | { do: 'take'; order: PictureOrder }
  /** The pictures of a depth image are taken. Nanoseconds since 1970. */
  | { do: 'event'; pipeline: string; at: bigint; ofSet: bigint }
  /** The device knows of the streams up to this number: what was ordered before is not for later ones. */
  | { do: 'subscribed'; upTo: number }
  /** A picture for the device's own page. */
  | { do: 'glance'; id: number; order: GlanceOrder }
  | { do: 'close' }

/** Clients of a pipeline by what they wait for. */
export interface ImageClients {
  camera: number
  depth: number
  events: number
}

/** From the thread to the device. */
export type FromImageThread =
  | { told: 'listening'; port: number }
  | { told: 'not-listening'; code: string; message: string }
  /** Up to the stream of this number, whose client connected some milliseconds ago. */
  | { told: 'clients'; pipeline: string; clients: ImageClients; upTo: number; connectedFor: number }
  /** An order is done; the next one may come. */
  | { told: 'taken'; pipeline: string }
  | { told: 'glanced'; id: number; picture: Uint8Array }
  | { told: 'closed' }
