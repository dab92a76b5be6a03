import {
  type Messages,
  type StreamMessages,
  type StreamMessageType,
  fieldsOf,
  type MessageField,
} from './messages'
import { Writer } from './writer'

/**
 * Encodes one message of `streams.proto`. Absent and undefined fields are left out, repeated numbers are packed.
 * @throws TypeError for a value that the schema does not allow
 */
export function encodeMessage<Type extends StreamMessageType>(
  type: Type,
  message: StreamMessages[Type],
): Buffer {
  writer.start()
  writeMessage(type, message as Record<string, unknown>)
  return writer.finish()
}

/** Writing is synchronous, so one writer serves all. */
const writer = new Writer()

function writeMessage(type: keyof Messages, message: Record<string, unknown>): void {
  const fields = fieldsOf[type]
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as MessageField
    const value = message[field.name]
    if (value !== undefined) writeField(field, value)
  }
}

function writeField({ name, kind, tag }: MessageField, value: unknown): void {
  switch (kind) {
    case 'double':
      if (typeof value !== 'number') throw wrong(name, kind)
      writer.integer(tag)
      writer.double(value)
      return
    case 'int64':
    case 'int32':
      if (!isInteger(value, kind === 'int64' ? 64 : 32)) throw wrong(name, kind)
      writer.integer(tag)
      writer.integer(value)
      return
    case 'bool':
      if (typeof value !== 'boolean') throw wrong(name, kind)
      writer.integer(tag)
      writer.integer(value ? 1 : 0)
      return
    case 'string':
      if (typeof value !== 'string') throw wrong(name, kind)
      writer.integer(tag)
      writer.text(value)
      return
    case 'doubles':
      if (!areNumbers(value)) throw wrong(name, kind)
      writer.integer(tag)
      writer.doubles(value)
      return
    default: {
      if (typeof value !== 'object' || value === null) throw wrong(name, 'message')
      writer.integer(tag)
      const start = writer.open()
      writeMessage(kind, value as Record<string, unknown>)
      writer.close(start)
    }
  }
}

const wrong = (name: string, kind: keyof typeof expected) =>
  new TypeError(`${name} must be ${expected[kind]}.`)

const expected = {
  double: 'a number',
  doubles: 'an array of numbers',
  int64: 'an integer of 64 bits',
  int32: 'an integer of 32 bits',
  bool: 'true or false',
  string: 'a text',
  message: 'an object',
}

function areNumbers(value: unknown): value is number[] {
  if (!Array.isArray(value)) return false
  for (let index = 0; index < value.length; index++) if (typeof value[index] !== 'number') return false
  return true
}

function isInteger(value: unknown, bits: 32 | 64): value is number | bigint {
  if (bits === 32) return typeof value === 'number' && value === (value | 0)
  return typeof value === 'bigint' ? value === BigInt.asIntN(64, value) : Number.isSafeInteger(value)
}
