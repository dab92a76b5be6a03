import { Cursor, Misread } from '../streams/cursor'
import { ProtobufError } from '../streams/error'
import { checkImage } from './check-image'
import type { ImageEventMessage, ImageSetMessage } from './messages'
import { readImageEvent, readImageSet } from './read'

/**
 * Decodes an `ImageSet`. Pixels are views of the bytes.
 * @throws ProtobufError for bytes that are not such a message, and for an image whose size and pixels do not match
 */
export const decodeImageSet = (bytes: Uint8Array): ImageSetMessage =>
  decoded('ImageSet', bytes, (cursor, end) => {
    const set = readImageSet(cursor, end)
    for (const part of ['left', 'right', 'disparity', 'error', 'confidence'] as const) {
      const image = set[part]
      if (image) checkImage(part, image)
    }
    return set
  })

/** Decodes an `ImageEvents`. @throws ProtobufError */
export const decodeImageEvent = (bytes: Uint8Array): ImageEventMessage =>
  decoded('ImageEvents', bytes, readImageEvent)

function decoded<Message>(
  type: string,
  bytes: Uint8Array,
  read: (cursor: Cursor, end: number) => Message,
): Message {
  const cursor = new Cursor(bytes)
  try {
    return read(cursor, bytes.length)
  } catch (error) {
    if (!(error instanceof Misread)) throw error
    const { message, truncated } = error
    throw new ProtobufError(message, { offset: cursor.field, path: type, truncated })
  }
}
