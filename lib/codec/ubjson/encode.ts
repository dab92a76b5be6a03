import { Float64, HighPrecision, jsonValue, deepest, tooDeep } from '../json-value'
import { Writer } from './writer'

/**
 * Encodes a value as Universal Binary JSON, draft 12. Leaves out what `JSON.stringify` leaves out.
 *
 * Integers take the smallest type; {@link Float64}, -0 and all other numbers are float64. A bigint is an int64 or,
 * beyond its range, a high-precision number. Bytes (`Uint8Array`) are a list of type uint8. NaN and infinity are null,
 * as is a top-level value that JSON leaves out. A lone surrogate in a text becomes U+FFFD.
 * @throws RangeError for a value that contains itself or is nested more than 200 levels deep
 */
export function encodeUbjson(value: unknown): Buffer {
  const writer = new Writer()
  write(writer, resolved(value, ''), 0)
  return writer.finish()
}

/** Bytes stay bytes, although a Buffer has a `toJSON`. */
const resolved = (value: unknown, key: string | number): unknown =>
  value instanceof Uint8Array ? value : jsonValue(value, key)

function write(writer: Writer, value: unknown, depth: number): void {
  if (typeof value === 'string') writeText(writer, 0x53 /* S */, value)
  else if (typeof value === 'number') writeNumber(writer, value)
  else if (typeof value === 'boolean') writer.byte(value ? 0x54 /* T */ : 0x46 /* F */)
  else if (typeof value === 'bigint') writeBigint(writer, value)
  else if (typeof value === 'object' && value !== null) writeObject(writer, value, depth)
  else writer.byte(0x5a /* Z */)
}

function writeText(writer: Writer, marker: number, text: string): void {
  writer.byte(marker)
  writer.text(text)
}

function writeNumber(writer: Writer, value: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) writer.integer(value)
  else writeFloat(writer, value)
}

function writeFloat(writer: Writer, value: number): void {
  if (Number.isFinite(value)) writer.float64(value)
  else writer.byte(0x5a /* Z */)
}

function writeBigint(writer: Writer, value: bigint): void {
  if (BigInt.asIntN(64, value) === value) writer.int64(value)
  else writeText(writer, 0x48 /* H */, value.toString())
}

function writeObject(writer: Writer, value: object, depth: number): void {
  if (value instanceof Float64) writeFloat(writer, value.value)
  else if (value instanceof HighPrecision) writeText(writer, 0x48 /* H */, value.digits)
  else if (value instanceof Uint8Array) writeBytes(writer, value)
  else if (depth === deepest) throw tooDeep()
  else if (Array.isArray(value)) writeList(writer, value, depth + 1)
  else writeFields(writer, value as Record<string, unknown>, depth + 1)
}

function writeList(writer: Writer, list: readonly unknown[], depth: number): void {
  writer.byte(0x5b /* [ */)
  for (let index = 0; index < list.length; index++) write(writer, resolved(list[index], index), depth)
  writer.byte(0x5d /* ] */)
}

function writeFields(writer: Writer, fields: Record<string, unknown>, depth: number): void {
  writer.byte(0x7b /* { */)
  for (const key of Object.keys(fields)) {
    const field = resolved(fields[key], key)
    if (field === undefined) continue
    writer.text(key)
    write(writer, field, depth)
  }
  writer.byte(0x7d /* } */)
}

function writeBytes(writer: Writer, bytes: Uint8Array): void {
  for (const marker of [0x5b /* [ */, 0x24 /* $ */, 0x55 /* U */, 0x23 /* # */]) writer.byte(marker)
  writer.integer(bytes.length)
  writer.raw(bytes)
}
