import type { FieldType, FieldValue } from './fields'

const vectors: Readonly<Partial<Record<FieldType, readonly [FieldType, number]>>> = {
  VECTOR3D: ['DOUBLE', 3],
  VECTOR6D: ['DOUBLE', 6],
  VECTOR6INT32: ['INT32', 6],
  VECTOR6UINT32: ['UINT32', 6],
}
const sizes: Readonly<Partial<Record<FieldType, number>>> = {
  ...{ BOOL: 1, UINT8: 1, UINT32: 4, INT32: 4, UINT64: 8, DOUBLE: 8 },
}

/** Bytes of a value. */
export function sizeOf(type: FieldType): number {
  const [part = type, count = 1] = vectors[type] ?? []
  return (sizes[part] ?? 0) * count
}

/** @returns the place behind the value */
export function writeField(bytes: Buffer, at: number, type: FieldType, value: FieldValue): number {
  const vector = vectors[type]
  if (vector) {
    for (let index = 0; index < vector[1]; index++)
      at = writeField(bytes, at, vector[0], (value as readonly number[])[index] ?? 0)
    return at
  }
  const number = Number(value)
  switch (type) {
    case 'UINT32':
      return bytes.writeUInt32BE(number >>> 0, at)
    case 'INT32':
      return bytes.writeInt32BE(number | 0, at)
    case 'UINT64':
      return bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(Math.trunc(number))), at)
    case 'DOUBLE':
      return bytes.writeDoubleBE(number, at)
    default:
      return bytes.writeUInt8(number & 255, at)
  }
}

/** @param bytes that hold the whole value */
export function readField(bytes: Buffer, at: number, type: FieldType): FieldValue {
  const vector = vectors[type]
  if (vector) {
    const [part, count] = vector
    return Array.from({ length: count }, (_, index) =>
      Number(readField(bytes, at + index * sizeOf(part), part)),
    )
  }
  switch (type) {
    case 'BOOL':
      return bytes.readUInt8(at) !== 0
    case 'UINT32':
      return bytes.readUInt32BE(at)
    case 'INT32':
      return bytes.readInt32BE(at)
    case 'UINT64':
      return Number(bytes.readBigUInt64BE(at))
    case 'DOUBLE':
      return bytes.readDoubleBE(at)
    default:
      return bytes.readUInt8(at)
  }
}
