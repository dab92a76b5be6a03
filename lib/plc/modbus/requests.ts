import { exceptions, ModbusException } from './exceptions'

/** Memory of a PLC whose items are bits. */
export type BitArea = 'coils' | 'discreteInputs'
/** Memory of a PLC whose items are words of 16 bit. */
export type WordArea = 'registers' | 'inputRegisters'
export type ModbusArea = BitArea | WordArea
/** Memory that can be written. */
export type WritableArea = 'coils' | 'registers'

/** Reads `count` items from `address`, which counts from 0. */
export interface ReadRequest {
  kind: 'read'
  area: ModbusArea
  address: number
  count: number
}

/** Writes items from `address` on: 0 and 1 for coils, 0 to 65535 for registers. */
export interface WriteRequest {
  kind: 'write'
  area: WritableArea
  address: number
  values: readonly number[]
}

/** Writes registers first, and reads registers then, in one. Not every PLC has it. */
export interface WriteReadRequest {
  kind: 'write-read'
  write: { address: number; values: readonly number[] }
  read: { address: number; count: number }
}

export type ModbusRequest = ReadRequest | WriteRequest | WriteReadRequest

export const readCodes = { coils: 1, discreteInputs: 2, registers: 3, inputRegisters: 4 } as const
const writeOne = { coils: 5, registers: 6 } as const
const writeMany = { coils: 15, registers: 16 } as const
const writeRead = 23

/** Most items of one request. */
export const mostItems = {
  read: { coils: 2000, discreteInputs: 2000, registers: 125, inputRegisters: 125 },
  write: { coils: 1968, registers: 123 },
  writeRead: { write: 121, read: 125 },
} as const

export const isBitArea = (area: ModbusArea): area is BitArea => area === 'coils' || area === 'discreteInputs'

/** The function code that a request goes out with. */
export function functionCode(request: ModbusRequest): number {
  if (request.kind === 'read') return readCodes[request.area]
  if (request.kind === 'write-read') return writeRead
  return (request.values.length === 1 ? writeOne : writeMany)[request.area]
}

/** The PDU of a request that keeps the limits. */
export function requestBytes(request: ModbusRequest): Buffer {
  const code = functionCode(request)
  if (request.kind === 'read') return words(code, request.address, request.count)
  if (request.kind === 'write-read') {
    const { read, write } = request
    return Buffer.concat([
      words(code, read.address, read.count, write.address, write.values.length),
      Buffer.of(write.values.length * 2),
      wordBytes(write.values),
    ])
  }
  const { area, address, values } = request
  const [first = 0] = values
  if (values.length === 1) return words(code, address, area === 'coils' && first ? 0xff00 : first)
  const items = area === 'coils' ? bitBytes(values) : wordBytes(values)
  return Buffer.concat([words(code, address, values.length), Buffer.of(items.length), items])
}

/** The request of a PDU. @throws ModbusException which the client gets as the answer */
export function requestOf(pdu: Buffer): ModbusRequest {
  const code = pdu.readUInt8(0)
  const area = readAreas.get(code)
  if (area) return readRequest(area, pdu)
  switch (code) {
    case writeOne.coils:
    case writeOne.registers:
      return writeOneRequest(code === writeOne.coils ? 'coils' : 'registers', pdu)
    case writeMany.coils:
    case writeMany.registers:
      return writeManyRequest(code === writeMany.coils ? 'coils' : 'registers', pdu)
    case writeRead:
      return writeReadRequest(pdu)
    default:
      throw new ModbusException(exceptions.illegalFunction)
  }
}

const readAreas = new Map<number, ModbusArea>(
  Object.entries(readCodes).map(([area, code]) => [code, area as ModbusArea]),
)

function readRequest(area: ModbusArea, pdu: Buffer): ReadRequest {
  demand(pdu.length === 5)
  const [address, count] = [pdu.readUInt16BE(1), pdu.readUInt16BE(3)]
  demand(count >= 1 && count <= mostItems.read[area])
  return { kind: 'read', area, address, count }
}

function writeOneRequest(area: WritableArea, pdu: Buffer): WriteRequest {
  demand(pdu.length === 5)
  const value = pdu.readUInt16BE(3)
  if (area === 'registers') return { kind: 'write', area, address: pdu.readUInt16BE(1), values: [value] }
  demand(value === 0 || value === 0xff00)
  return { kind: 'write', area, address: pdu.readUInt16BE(1), values: [value ? 1 : 0] }
}

function writeManyRequest(area: WritableArea, pdu: Buffer): WriteRequest {
  demand(pdu.length >= 6)
  const count = pdu.readUInt16BE(3)
  const length = area === 'coils' ? Math.ceil(count / 8) : count * 2
  demand(count >= 1 && count <= mostItems.write[area] && pdu[5] === length && pdu.length === 6 + length)
  const items = pdu.subarray(6)
  const values = area === 'coils' ? bitsOf(items, count) : wordsOf(items)
  return { kind: 'write', area, address: pdu.readUInt16BE(1), values }
}

function writeReadRequest(pdu: Buffer): WriteReadRequest {
  demand(pdu.length >= 10)
  const [readCount, writeCount] = [pdu.readUInt16BE(3), pdu.readUInt16BE(7)]
  demand(readCount >= 1 && readCount <= mostItems.writeRead.read)
  demand(writeCount >= 1 && writeCount <= mostItems.writeRead.write)
  demand(pdu[9] === writeCount * 2 && pdu.length === 10 + writeCount * 2)
  return {
    kind: 'write-read',
    read: { address: pdu.readUInt16BE(1), count: readCount },
    write: { address: pdu.readUInt16BE(5), values: wordsOf(pdu.subarray(10)) },
  }
}

function demand(right: boolean): asserts right {
  if (!right) throw new ModbusException(exceptions.illegalValue)
}

function words(code: number, ...numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(1 + numbers.length * 2)
  bytes[0] = code
  numbers.forEach((number, index) => bytes.writeUInt16BE(number, 1 + index * 2))
  return bytes
}

export function wordBytes(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 2)
  values.forEach((value, index) => bytes.writeUInt16BE(value, index * 2))
  return bytes
}

export const wordsOf = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readUInt16BE(index * 2))

/** The first bit is the lowest of the first byte. */
export function bitBytes(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(values.length / 8))
  values.forEach((value, index) => {
    if (value) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7))
  })
  return bytes
}

export const bitsOf = (bytes: Buffer, count: number): number[] =>
  Array.from({ length: count }, (_, index) => ((bytes[index >> 3] ?? 0) >> (index & 7)) & 1)
