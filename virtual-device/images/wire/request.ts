import { Cursor, Misread } from '../../../lib/codec/streams/cursor'
import { skipField } from '../../../lib/codec/streams/skip-field'

/** What a client wants in each set. */
export interface ImageSetRequest {
  left: boolean
  right: boolean
  disparity: boolean
  error: boolean
  confidence: boolean
  mesh: boolean
  /** Left and right as rgb8. */
  color: boolean
  meshOptions: MeshOptions
}

export interface MeshOptions {
  /** 0 means no limit. */
  maxPoints: number
  /** Of the points of a bin the nearest, instead of their average. */
  nearest: boolean
  /** All edges joined, all holes filled. */
  watertight: boolean
  textured: boolean
}

/** The request of a method, or undefined if it is no valid message. */
export const imageSetRequest = (bytes: Uint8Array): ImageSetRequest | undefined =>
  readable(() => {
    const { flags, parts } = fieldsIn(bytes)
    const options = fieldsIn(parts.get(7) ?? Buffer.alloc(0)).flags
    return {
      left: isSet(flags, 1),
      right: isSet(flags, 2),
      disparity: isSet(flags, 3),
      error: isSet(flags, 4),
      confidence: isSet(flags, 5),
      mesh: isSet(flags, 6),
      color: isSet(flags, 8),
      meshOptions: {
        maxPoints: (options.get(1) ?? 0) >>> 0,
        nearest: options.get(2) === 1,
        watertight: isSet(options, 3),
        textured: isSet(options, 4),
      },
    }
  })

/** Whether the client wants the events, or undefined if the request is no valid message. */
export const eventsRequest = (bytes: Uint8Array): { depthAcquisitionDone: boolean } | undefined =>
  readable(() => ({ depthAcquisitionDone: isSet(fieldsIn(bytes).flags, 1) }))

const isSet = (flags: ReadonlyMap<number, number>, number: number) => (flags.get(number) ?? 0) !== 0

/** Varints and messages by their field numbers; of a repeated one the last. Other kinds are skipped. */
function fieldsIn(bytes: Uint8Array) {
  const cursor = new Cursor(bytes)
  const flags = new Map<number, number>()
  const parts = new Map<number, Uint8Array>()
  while (cursor.at < bytes.length) {
    const tag = cursor.longTag(bytes.length)
    const number = tag >>> 3
    if ((tag & 7) === 0) flags.set(number, cursor.int32(bytes.length))
    else if ((tag & 7) === 2) {
      const end = cursor.end(bytes.length)
      parts.set(number, bytes.subarray(cursor.at, end))
      cursor.at = end
    } else skipField(cursor, tag, bytes.length)
  }
  return { flags, parts }
}

function readable<Message>(read: () => Message): Message | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Misread) return undefined
    throw error
  }
}
