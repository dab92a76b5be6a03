import { sentencesIn } from '../../kernel/sentences'
import { isBitArea } from '../data/map'
import { checkOption, isWholeWithin, plcErrorsOf } from '../plc-error'
import type en from './locales/en-US/sentences.json'

/** One message of Modbus TCP: a request or its answer. */
export interface ModbusFrame {
  /** Pairs an answer with its request. */
  transaction: number
  unit: number
  /** Function code and what belongs to it, 1 to 253 bytes. */
  pdu: Buffer
}

/** Why bytes are not Modbus TCP. What follows them cannot be read either. */
export interface FrameFault {
  fault: 'protocol' | 'length'
  /** The number that stands there: 0 is Modbus, and 2 to 254 are lengths that occur. */
  found: number
}

/** Transaction, protocol, length; the unit is counted as the first byte of the message. */
const prefix = 6

const mostBytes = 254

const nothing: Buffer = Buffer.alloc(0)

export function frameBytes({ transaction, unit, pdu }: ModbusFrame): Buffer {
  const bytes = Buffer.allocUnsafe(prefix + 1 + pdu.length)
  bytes.writeUInt16BE(transaction, 0)
  bytes.writeUInt16BE(0, 2)
  bytes.writeUInt16BE(1 + pdu.length, 4)
  bytes[6] = unit
  pdu.copy(bytes, prefix + 1)
  return bytes
}

/**
 * Cuts a stream into frames, wherever the network has cut it. Keeps less than one frame.
 * @returns gives the frames that are whole with a chunk; a fault is the last that a stream gives
 */
export function frameReader(): (chunk: Buffer) => Generator<ModbusFrame | FrameFault, void> {
  let rest = nothing
  return function* (chunk) {
    let bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    // What has been handed out must not come again if the caller stops here.
    rest = nothing
    while (bytes.length >= prefix) {
      const fault = faultOf(bytes)
      if (fault) {
        yield fault
        return
      }
      const end = prefix + bytes.readUInt16BE(4)
      if (bytes.length < end) break
      yield {
        transaction: bytes.readUInt16BE(0),
        unit: bytes.readUInt8(prefix),
        pdu: bytes.subarray(prefix + 1, end),
      }
      bytes = bytes.subarray(end)
    }
    // A copy: a view would keep the whole chunk in memory.
    if (bytes.length) rest = Buffer.from(bytes)
  }
}

function faultOf(bytes: Buffer): FrameFault | undefined {
  const protocol = bytes.readUInt16BE(2)
  if (protocol !== 0) return { fault: 'protocol', found: protocol }
  const length = bytes.readUInt16BE(4)
  return length < 2 || length > mostBytes ? { fault: 'length', found: length } : undefined
}

/** Memory of a PLC whose items are bits. */
type BitArea = 'coils' | 'discreteInputs'

/** Memory of a PLC whose items are words of 16 bit. */
type WordArea = 'registers' | 'inputRegisters'

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
  /** A single one goes out by the function for several: not every PLC has the other. */
  several?: boolean
}

/** Writes registers first, and reads registers then, in one. Not every PLC has it. */
interface WriteReadRequest {
  kind: 'write-read'
  write: { address: number; values: readonly number[] }
  read: { address: number; count: number }
}

export type ModbusRequest = ReadRequest | WriteRequest | WriteReadRequest

const readCodes = { coils: 1, discreteInputs: 2, registers: 3, inputRegisters: 4 } as const

const writeOne = { coils: 5, registers: 6 } as const

const writeMany = { coils: 15, registers: 16 } as const

const writeRead = 23

/** Most items of one request. */
export const mostItems = {
  read: { coils: 2000, discreteInputs: 2000, registers: 125, inputRegisters: 125 },
  write: { coils: 1968, registers: 123 },
  writeRead: { write: 121, read: 125 },
} as const

const isOne = ({ values, several = false }: WriteRequest): boolean => values.length === 1 && !several

/** The function code that a request goes out with. */
function functionCode(request: ModbusRequest): number {
  if (request.kind === 'read') return readCodes[request.area]
  if (request.kind === 'write-read') return writeRead
  return (isOne(request) ? writeOne : writeMany)[request.area]
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
  if (isOne(request)) return words(code, address, area === 'coils' && first ? 0xff00 : first)
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

function wordBytes(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 2)
  values.forEach((value, index) => bytes.writeUInt16BE(value, index * 2))
  return bytes
}

const wordsOf = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readUInt16BE(index * 2))

/** The first bit is the lowest of the first byte. */
function bitBytes(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(values.length / 8))
  values.forEach((value, index) => {
    if (value) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7))
  })
  return bytes
}

const bitsOf = (bytes: Buffer, count: number): number[] =>
  Array.from({ length: count }, (_, index) => ((bytes[index >> 3] ?? 0) >> (index & 7)) & 1)

/** Added to the function code where the answer is an exception. */
const exceptionFlag = 0x80

/** The PDU that answers a request. @param values what was read; nothing for a write */
export function answerBytes(request: ModbusRequest, pdu: Buffer, values: readonly number[]): Buffer {
  // A write is answered with its own address and its own value or count.
  if (request.kind === 'write') return pdu.subarray(0, 5)
  const isBits = request.kind === 'read' && isBitArea(request.area)
  const bytes = Buffer.allocUnsafe(2 + (isBits ? Math.ceil(values.length / 8) : values.length * 2))
  bytes[0] = functionCode(request)
  bytes[1] = bytes.length - 2
  if (isBits) bitBytes(values).copy(bytes, 2)
  else values.forEach((value, index) => bytes.writeUInt16BE(value, 2 + index * 2))
  return bytes
}

/** The PDU that refuses a request of that function code. */
export const exceptionBytes = (code: number, exception: number): Buffer =>
  Buffer.of((code & 0x7f) | exceptionFlag, exception)

/**
 * What an answer brings: the items that were read, nothing for a write.
 * @returns undefined where the answer does not belong to the request
 * @throws ModbusException
 */
export function answerOf(request: ModbusRequest, pdu: Buffer): number[] | undefined {
  const code = functionCode(request)
  if (pdu[0] === (code | exceptionFlag) && pdu.length === 2) throw new ModbusException(pdu.readUInt8(1))
  if (pdu[0] !== code) return undefined
  if (request.kind === 'write') return echoes(request, pdu) ? [] : undefined
  const count = request.kind === 'read' ? request.count : request.read.count
  const isBits = request.kind === 'read' && isBitArea(request.area)
  const length = isBits ? Math.ceil(count / 8) : count * 2
  if (pdu[1] !== length || pdu.length !== 2 + length) return undefined
  const items = pdu.subarray(2)
  return isBits ? bitsOf(items, count) : wordsOf(items)
}

/** Where it was written, and what or how many; PLCs that repeat more than that are believed. */
function echoes(request: WriteRequest, pdu: Buffer): boolean {
  const { area, address, values } = request
  if (pdu.length < 5 || pdu.readUInt16BE(1) !== address) return false
  const echoed = pdu.readUInt16BE(3)
  if (!isOne(request)) return echoed === values.length
  return area === 'coils' ? echoed > 0 === Boolean(values[0]) : echoed === values[0]
}

/** Exception codes of Modbus that we send, with the names of the specification. */
export const exceptions = {
  illegalFunction: 1,
  illegalAddress: 2,
  illegalValue: 3,
  deviceFailure: 4,
  /** Nothing answers under that unit id. */
  noSuchUnit: 11,
} as const

/** An answer of Modbus that is a refusal. */
export class ModbusException extends Error {
  override readonly name = 'ModbusException'

  constructor(
    /** 1 to 255. */
    readonly exception: number,
  ) {
    super(`Modbus exception ${exception}`)
  }
}

/** @throws PlcError `INVALID_INPUT` for what no frame can carry */
export function checkRequest(request: ModbusRequest): void {
  if (request.kind === 'read') {
    checkExtent(request.address, request.count, mostItems.read[request.area])
    return
  }
  if (request.kind === 'write') {
    checkItems(request, mostItems.write[request.area], largest[request.area])
    return
  }
  checkItems(request.write, mostItems.writeRead.write, largest.registers)
  checkExtent(request.read.address, request.read.count, mostItems.writeRead.read)
}

const largest = { coils: 1, registers: 65_535 } as const

function checkItems(
  { address, values }: { address: number; values: readonly number[] },
  most: number,
  largestValue: number,
): void {
  checkExtent(address, values.length, most)
  for (const value of values)
    checkOption('value', value, isWholeWithin(value, 0, largestValue), `0 to ${largestValue}`)
}

function checkExtent(address: number, count: number, most: number): void {
  checkOption('address', address, isWholeWithin(address, 0, 65_535), '0 to 65535')
  const end = Math.min(most, 65_536 - address)
  checkOption('count', count, isWholeWithin(count, 1, end), `1 to ${end}`)
}

/** An error of the connection to a PLC. */
export const modbusError = plcErrorsOf(sentencesIn<typeof en>(__dirname))
