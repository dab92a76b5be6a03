import { Cursor, Misread } from '../streams/cursor'
import { ProtobufError } from '../streams/error'
import type { ImageEventMessage, ImageSetMessage, Image } from './messages'
import { readImageEvent, readImageSet } from './read'

/** Bytes per pixel of the known encodings. */
const pixelBytes: Readonly<Partial<Record<string, number>>> = { mono8: 1, mono16: 2, rgb8: 3, bgr8: 3 }

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

/** Fills in a step that was not sent. @throws Misread if the pixels are not as many as the size says */
function checkImage(part: string, image: Image): void {
  const { width, height, encoding, data } = image
  const least = width * (pixelBytes[encoding] ?? 0)
  if (image.step === 0) image.step = least
  const { step } = image
  if (step < least)
    throw new Misread(`${part}: rows of ${step} bytes are too short for ${width} pixels of ${encoding}`)
  if (data.length !== step * height)
    throw new Misread(
      `${part}: ${height} rows of ${step} bytes were announced, ${data.length} bytes were sent`,
    )
}
