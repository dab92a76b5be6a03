import type { Messages, StreamMessages, StreamMessageType } from './messages'
import { fieldsOf, isMessage, type MessageField } from './schema'
import { Writer } from './writer'

/**
 * Encodes one message of `streams.proto`. Absent and undefined fields are left out, repeated numbers are packed.
 * @throws TypeError for a value that the schema does not allow
 */
export function encodeMessage<Type extends StreamMessageType>(
  type: Type,
  message: StreamMessages[Type],
): Buffer {
  const writer = new Writer()
  writeMessage(writer, type, message as Record<string, unknown>)
  return writer.finish()
}

/** Backwards, so that a length is known when it is written in front of its content. */
function writeMessage(writer: Writer, type: keyof Messages, message: Record<string, unknown>): void {
  const fields = fieldsOf[type]
  for (let index = fields.length - 1; index >= 0; index--) {
    const field = fields[index] as MessageField
    const value = message[field.name]
    if (value !== undefined) writeField(writer, field, value)
  }
}

function writeField(writer: Writer, { number, name, kind }: MessageField, value: unknown): void {
  const wrong = () => new TypeError(`${name} must be ${expected[isMessage(kind) ? 'message' : kind]}.`)
  const { length } = writer
  switch (kind) {
    case 'double':
      if (typeof value !== 'number') throw wrong()
      writer.double(value)
      writer.tag(number, 1)
      return
    case 'int64':
    case 'int32':
      if (!isInteger(value, kind === 'int64' ? 64 : 32)) throw wrong()
      writer.integer(value)
      writer.tag(number, 0)
      return
    case 'bool':
      if (typeof value !== 'boolean') throw wrong()
      writer.integer(value ? 1 : 0)
      writer.tag(number, 0)
      return
    case 'string':
      if (typeof value !== 'string') throw wrong()
      writer.text(value)
      break
    case 'doubles':
      if (!Array.isArray(value) || value.some((each) => typeof each !== 'number')) throw wrong()
      for (let index = value.length - 1; index >= 0; index--) writer.double(value[index] as number)
      break
    default:
      if (typeof value !== 'object' || value === null) throw wrong()
      writeMessage(writer, kind, value as Record<string, unknown>)
  }
  writer.integer(writer.length - length)
  writer.tag(number, 2)
}

const expected = {
  double: 'a number',
  doubles: 'an array of numbers',
  int64: 'an integer of 64 bits',
  int32: 'an integer of 32 bits',
  bool: 'true or false',
  string: 'a text',
  message: 'an object',
}

function isInteger(value: unknown, bits: 32 | 64): value is number | bigint {
  if (bits === 32) return typeof value === 'number' && value === (value | 0)
  return typeof value === 'bigint' ? value === BigInt.asIntN(64, value) : Number.isSafeInteger(value)
}
