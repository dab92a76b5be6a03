import { Cursor, Misread } from './cursor'
import { ProtobufError } from './error'
import { fieldPath } from './field-path'
import type { StreamMessages, StreamMessageType } from './messages'
import { readers } from './read'

/**
 * Reads one message of `streams.proto`, as it comes in a datagram. Absent fields stay absent, repeated numbers may be
 * packed or not, fields that are not in the schema are skipped.
 * @throws ProtobufError for a field that is cut off, has a wrong wire type or cannot be read, with its path and place
 */
export function decodeMessage<Type extends StreamMessageType>(
  type: Type,
  bytes: Uint8Array,
): StreamMessages[Type] {
  const cursor = new Cursor(bytes)
  try {
    return readers[type](cursor, bytes.length)
  } catch (error) {
    if (!(error instanceof Misread)) throw error
    const { message, truncated } = error
    const offset = cursor.field
    throw new ProtobufError(message, { offset, path: fieldPath(cursor, type, offset), truncated })
  }
}
