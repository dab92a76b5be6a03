import { Cursor, Misread } from './cursor'
import { ProtobufError } from './error'
import { fieldPath } from './field-path'
import type { StreamMessages, StreamMessageType } from './messages'
import { readers } from './read'

/**
 * Decodes one message of `streams.proto` from a datagram. Absent fields stay absent, repeated numbers may be packed or
 * not, and unknown fields are skipped.
 * @throws ProtobufError for a field that is truncated, has a wrong wire type or cannot be read, with its path and
 * offset
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
