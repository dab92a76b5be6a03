/** A value of a recipe: a vector is a list. */
export type RtdeValue = number | readonly number[]

interface RtdeType {
  size: number
  count: number
  read: (bytes: Buffer, at: number) => number
  write: (bytes: Buffer, value: number, at: number) => unknown
}

const uint8: RtdeType = {
  size: 1,
  count: 1,
  read: (bytes, at) => bytes.readUInt8(at),
  write: (bytes, value, at) => bytes.writeUInt8(value, at),
}
const uint32: RtdeType = {
  size: 4,
  count: 1,
  read: (bytes, at) => bytes.readUInt32BE(at),
  write: (bytes, value, at) => bytes.writeUInt32BE(value, at),
}
const int32: RtdeType = {
  size: 4,
  count: 1,
  read: (bytes, at) => bytes.readInt32BE(at),
  write: (bytes, value, at) => bytes.writeInt32BE(value, at),
}
const double: RtdeType = {
  size: 8,
  count: 1,
  read: (bytes, at) => bytes.readDoubleBE(at),
  write: (bytes, value, at) => bytes.writeDoubleBE(value, at),
}

/** The types of the interface, big-endian. */
const types: Readonly<Record<string, RtdeType>> = {
  BOOL: uint8,
  UINT8: uint8,
  UINT32: uint32,
  INT32: int32,
  UINT64: {
    size: 8,
    count: 1,
    read: (bytes, at) => Number(bytes.readBigUInt64BE(at)),
    write: (bytes, value, at) => bytes.writeBigUInt64BE(BigInt(value), at),
  },
  DOUBLE: double,
  VECTOR3D: { ...double, count: 3 },
  VECTOR6D: { ...double, count: 6 },
  VECTOR6INT32: { ...int32, count: 6 },
  VECTOR6UINT32: { ...uint32, count: 6 },
}

/** A field of a recipe with the type that the controller gave it. */
export interface RecipeField {
  name: string
  type: string
}

/** Values in an order, as a package has them behind its recipe's number. */
export interface Recipe {
  readonly id: number
  readonly fields: readonly RecipeField[]
  readonly length: number
}

/** @throws RangeError for a type that is unknown */
export function recipeOf(id: number, fields: readonly RecipeField[]): Recipe {
  const length = fields.reduce((sum, { type }) => {
    const known = Object.hasOwn(types, type) ? types[type] : undefined
    if (!known) throw new RangeError(`the type ${type.slice(0, 40)}`)
    return sum + known.size * known.count
  }, 0)
  return { id, fields, length }
}

/**
 * Fields with a number that is none, as a controller may send in the moment of a change, are left out.
 * @throws RangeError for a payload of another recipe or length
 */
export function readValues({ id, fields, length }: Recipe, payload: Buffer): Record<string, RtdeValue> {
  if (payload.length !== length + 1 || payload[0] !== id)
    throw new RangeError(`${payload.length} bytes of recipe ${String(payload[0])}`)
  const values: Record<string, RtdeValue> = {}
  let at = 1
  for (const { name, type } of fields) {
    const { size, count, read } = types[type] ?? uint8
    const numbers = Array.from({ length: count }, (_, index) => read(payload, at + index * size))
    if (numbers.every(Number.isFinite)) values[name] = count === 1 ? (numbers[0] ?? 0) : numbers
    at += size * count
  }
  return values
}

/** The payload of a package with these values, single numbers, in the order of the recipe. */
export function writeValues(
  { id, fields, length }: Recipe,
  values: Readonly<Record<string, number>>,
): Buffer {
  const payload = Buffer.alloc(length + 1)
  payload.writeUInt8(id, 0)
  let at = 1
  for (const { name, type } of fields) {
    const { size, write } = types[type] ?? uint8
    write(payload, values[name] ?? 0, at)
    at += size
  }
  return payload
}
