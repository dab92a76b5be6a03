/**
 * SLMP (MC protocol) in binary: 3E frames, and 4E frames, which carry a serial number.
 *
 * In: requests and answers, or bytes as the network cuts them. Out: the other one. Knows no socket. The frames are those of the
 * SLMP reference manual SH-080956ENG; numbers are little-endian.
 */
import { sentencesIn } from '../../kernel/sentences'
import { checkOption, isWholeWithin, plcErrorsOf } from '../plc-error'
import { largestNumber, type SlmpDevice, slmpDeviceOf, slmpDevices } from './devices'
import type en from './locales/en-US/sentences.json'

/** Which CPU a request is for. */
export interface SlmpRoute {
  /** 0 is the own network. */
  network: number
  /** 255 is the CPU that is connected. */
  pc: number
  /** I/O number of the module; 0x3FF is the CPU. */
  module: number
  /** Of a multidrop connection. */
  station: number
}

export const connectedCpu: SlmpRoute = { network: 0, pc: 0xff, module: 0x3ff, station: 0 }

/** One frame, a request or its answer. */
export interface SlmpFrame {
  /** Pairs an answer with its request; 4E frames alone have one. */
  serial?: number
  route: SlmpRoute
  /** What the length counts: timer, command and its data; or end code and its data. */
  data: Buffer
}

/** Why bytes are not SLMP in binary. What follows them cannot be read either. */
export interface SlmpFault {
  fault: 'protocol' | 'ascii' | 'length'
  /** The first two bytes, or the length. */
  found: number
}

/** Which of both sides sends; its frames begin with these bytes. */
export type SlmpSide = 'request' | 'answer'

const subheaders = {
  request: { '3E': 0x50, '4E': 0x54 },
  answer: { '3E': 0xd0, '4E': 0xd4 },
} as const

/** ASCII frames begin with the same numbers as text: `5000`, `5400`, `D000`, `D400`. */
const asciiSubheaders = { request: [0x3530, 0x3534], answer: [0x4430, 0x4434] } as const

/** Route and length follow the subheader, and in 4E frames the serial number. */
const headerBytes = { '3E': 9, '4E': 13 } as const

/** A request for a bit has timer, command and subcommand, an answer its end code. */
const leastBytes = { request: 6, answer: 2 } as const

/** 7168 bits at most, two in a byte, which is more than 960 words, and what stands before them. */
const mostBytes = 3584 + 12

const nothing: Buffer = Buffer.alloc(0)

export function frameBytes(side: SlmpSide, { serial, route, data }: SlmpFrame): Buffer {
  const kind = serial === undefined ? '3E' : '4E'
  const at = headerBytes[kind]
  const bytes = Buffer.alloc(at + data.length)
  bytes[0] = subheaders[side][kind]
  if (serial !== undefined) bytes.writeUInt16LE(serial, 2)
  routeBytes(route).copy(bytes, at - 7)
  bytes.writeUInt16LE(data.length, at - 2)
  data.copy(bytes, at)
  return bytes
}

function routeBytes({ network, pc, module, station }: SlmpRoute): Buffer {
  return Buffer.of(network, pc, module & 0xff, module >> 8, station)
}

/**
 * Cuts a stream into frames, wherever the network has cut it. Keeps less than one frame.
 * @param side who sends
 * @returns gives the frames that are whole with a chunk; a fault is the last that a stream gives
 */
export function frameReader(side: SlmpSide): (chunk: Buffer) => Generator<SlmpFrame | SlmpFault, void> {
  let rest = nothing
  return function* (chunk) {
    let bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    // What has been handed out must not come again if the caller stops here.
    rest = nothing
    while (bytes.length >= 2) {
      const found = firstFrame(side, bytes)
      if (!found) break
      if ('fault' in found) {
        yield found
        return
      }
      yield found.frame
      bytes = bytes.subarray(found.end)
    }
    // A copy: a view would keep the whole chunk in memory.
    if (bytes.length) rest = Buffer.from(bytes)
  }
}

/** The frame of a datagram. */
export function datagramFrame(side: SlmpSide, bytes: Buffer): SlmpFrame | SlmpFault {
  const found = bytes.length >= 2 ? firstFrame(side, bytes) : undefined
  if (found && 'fault' in found) return found
  return found?.end === bytes.length ? found.frame : { fault: 'length', found: bytes.length }
}

/** @returns undefined where it is not whole yet */
function firstFrame(
  side: SlmpSide,
  bytes: Buffer,
): { frame: SlmpFrame; end: number } | SlmpFault | undefined {
  const subheader = bytes.readUInt16BE(0)
  const kind = (['3E', '4E'] as const).find((each) => subheader === subheaders[side][each] << 8)
  if (!kind) {
    const isAscii = (asciiSubheaders[side] as readonly number[]).includes(subheader)
    return { fault: isAscii ? 'ascii' : 'protocol', found: subheader }
  }
  const at = headerBytes[kind]
  if (bytes.length < at) return undefined
  const length = bytes.readUInt16LE(at - 2)
  if (length < leastBytes[side] || length > mostBytes) return { fault: 'length', found: length }
  const end = at + length
  if (bytes.length < end) return undefined
  const frame: SlmpFrame = {
    ...(kind === '4E' && { serial: bytes.readUInt16LE(2) }),
    route: {
      network: bytes.readUInt8(at - 7),
      pc: bytes.readUInt8(at - 6),
      module: bytes.readUInt16LE(at - 5),
      station: bytes.readUInt8(at - 3),
    },
    data: bytes.subarray(at, end),
  }
  return { frame, end }
}

/** Reads devices beside each other. */
export interface SlmpRead {
  kind: 'read'
  device: SlmpDevice
  number: number
  count: number
  /** A bit device in words has 16 of them in each. @default an item as the device has it */
  unit?: SlmpUnit
}

/** Writes devices beside each other: 0 to 65535 for words, 0 and 1 for bits. */
export interface SlmpWrite {
  kind: 'write'
  device: SlmpDevice
  number: number
  values: readonly number[]
  /** @default an item as the device has it */
  unit?: SlmpUnit
}

/** Asks for the name of the CPU model: proves that a MELSEC PLC answers. */
export interface SlmpModelRequest {
  kind: 'model'
}

export type SlmpUnit = 'word' | 'bit'

export type SlmpRequest = SlmpRead | SlmpWrite | SlmpModelRequest

const commands = { read: 0x0401, write: 0x1401, model: 0x0101 } as const

/** Characters of a model name, filled with spaces. */
const modelLength = 16

/** Most items of one request, on all series. */
export const mostItems = { word: 960, bit: 3584 } as const

export const unitOf = ({ device, unit }: SlmpRead | SlmpWrite): SlmpUnit => unit ?? slmpDevices[device].item

/** @param timer after which the PLC gives up a request to another station, in units of 250 ms; 0: never */
export function requestBytes(request: SlmpRequest, timer: number): Buffer {
  const { kind } = request
  const head = Buffer.alloc(kind === 'model' ? 6 : 12)
  head.writeUInt16LE(timer, 0)
  head.writeUInt16LE(commands[kind], 2)
  if (kind === 'model') return head
  const unit = unitOf(request)
  head.writeUInt16LE(unit === 'bit' ? 1 : 0, 4)
  head.writeUIntLE(request.number, 6, 3)
  head[9] = slmpDevices[request.device].code
  const count = kind === 'read' ? request.count : request.values.length
  head.writeUInt16LE(count, 10)
  return kind === 'read' ? head : Buffer.concat([head, itemBytes(unit, request.values)])
}

function itemBytes(unit: SlmpUnit, values: readonly number[]): Buffer {
  if (unit === 'word') {
    const bytes = Buffer.allocUnsafe(values.length * 2)
    values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2))
    return bytes
  }
  const bytes = Buffer.alloc(Math.ceil(values.length / 2))
  values.forEach((value, index) => {
    // The first of two bits is the high half of the byte.
    if (value) bytes[index >> 1] = (bytes[index >> 1] ?? 0) | (index % 2 === 0 ? 0x10 : 0x01)
  })
  return bytes
}

/** @returns undefined where the bytes are too few or too many, or hold a bit that is neither 0 nor 1 */
function itemsOf(unit: SlmpUnit, count: number, bytes: Buffer): number[] | undefined {
  if (bytes.length !== (unit === 'word' ? count * 2 : Math.ceil(count / 2))) return undefined
  const items = Array.from({ length: count }, (_, index) =>
    unit === 'word'
      ? bytes.readUInt16LE(index * 2)
      : index % 2 === 0
        ? bytes.readUInt8(index >> 1) >> 4
        : bytes.readUInt8(index >> 1) & 0xf,
  )
  return unit === 'bit' && items.some((item) => item > 1) ? undefined : items
}

/** The request of a frame. @throws SlmpRefusal which the client gets as the answer */
export function requestOf(data: Buffer): SlmpRequest {
  const [command, subcommand] = [data.readUInt16LE(2), data.readUInt16LE(4)]
  if (command === commands.model) {
    if (subcommand !== 0) throw new SlmpRefusal(endCodes.unknownCommand)
    if (data.length !== 6) throw new SlmpRefusal(endCodes.length)
    return { kind: 'model' }
  }
  if ((command !== commands.read && command !== commands.write) || subcommand > 1)
    throw new SlmpRefusal(endCodes.unknownCommand)
  if (data.length < 12) throw new SlmpRefusal(endCodes.length)
  const unit: SlmpUnit = subcommand === 1 ? 'bit' : 'word'
  const device = slmpDeviceOf(data.readUInt8(9))
  if (!device) throw new SlmpRefusal(endCodes.noAccess)
  if (unit === 'bit' && slmpDevices[device].item === 'word') throw new SlmpRefusal(endCodes.bitsOfWords)
  const [number, count] = [data.readUIntLE(6, 3), data.readUInt16LE(10)]
  if (count < 1 || count > mostItems[unit])
    throw new SlmpRefusal(unit === 'word' ? endCodes.tooManyWords : endCodes.tooManyBits)
  const place = { device, number, unit }
  const values = command === commands.write ? itemsOf(unit, count, data.subarray(12)) : undefined
  if (command === commands.write ? !values : data.length !== 12) throw new SlmpRefusal(endCodes.length)
  return values ? { kind: 'write', ...place, values } : { kind: 'read', ...place, count }
}

/** What follows the end code of an answer. @param values what was read; nothing for a write */
export function answerBytes(request: SlmpRequest, values: readonly number[] | string): Buffer {
  if (typeof values === 'string') {
    const name = Buffer.from(values.slice(0, modelLength).padEnd(modelLength), 'latin1')
    return Buffer.concat([Buffer.alloc(2), name, Buffer.alloc(2)])
  }
  if (request.kind !== 'read') return Buffer.alloc(2)
  return Buffer.concat([Buffer.alloc(2), itemBytes(unitOf(request), values)])
}

/** The data of a frame that refuses a request: the end code, and whose it was. */
export function refusalBytes({ route, data }: SlmpFrame, endCode: number): Buffer {
  const code = Buffer.alloc(2)
  code.writeUInt16LE(endCode)
  return Buffer.concat([code, routeBytes(route), data.subarray(2, 6)])
}

/**
 * What an answer brings: the items that were read, nothing for a write, the characters of the model's name.
 * @returns undefined where the answer does not belong to the request
 * @throws SlmpRefusal
 */
export function answerOf(request: SlmpRequest, data: Buffer): number[] | undefined {
  const endCode = data.readUInt16LE(0)
  if (endCode !== 0) throw new SlmpRefusal(endCode)
  const items = data.subarray(2)
  if (request.kind === 'write') return items.length === 0 ? [] : undefined
  // The model's name is followed by a number for it.
  if (request.kind === 'model')
    return items.length === modelLength + 2 ? [...items.subarray(0, modelLength)] : undefined
  return itemsOf(unitOf(request), request.count, items)
}

/** The name in the answer to `SlmpModelRequest`; foreign bytes that are no characters are left out. */
export const modelName = (characters: readonly number[]): string =>
  String.fromCharCode(...characters.filter((each) => each >= 0x20 && each < 0x7f)).trim()

/** End codes that have a sentence; those of a number beyond them are shown as they are. */
export const endCodes = {
  /** Writing while the program runs is disabled in the PLC. */
  writeDuringRun: 0x0055,
  /** No such device in this CPU. */
  noDevice: 0x4030,
  /** The number is beyond the devices that the PLC has. */
  beyondDevices: 0x4031,
  /** No answer from another station. */
  noStation: 0xc035,
  /** The connection is set to ASCII. */
  ascii: 0xc050,
  tooManyBits: 0xc051,
  tooManyWords: 0xc052,
  tooManyScatteredBits: 0xc053,
  tooManyScatteredWords: 0xc054,
  /** First number and count go beyond what can be addressed. */
  range: 0xc056,
  unknownCommand: 0xc059,
  /** This device cannot be read or written over this connection. */
  noAccess: 0xc05b,
  bitsOfWords: 0xc05c,
  /** The CPU of the route cannot be reached by this command. */
  otherCpu: 0xc05f,
  length: 0xc061,
  asciiOrBinary: 0xc06f,
  /** A remote password locks the connection. */
  locked: 0xc201,
} as const

/** An answer of SLMP that is a refusal. */
export class SlmpRefusal extends Error {
  override readonly name = 'SlmpRefusal'

  constructor(
    /** 1 to 65535. */
    readonly endCode: number,
  ) {
    super(`SLMP end code ${endCodeText(endCode)}`)
  }
}

/** As manuals write it: `C056`. */
export const endCodeText = (endCode: number): string => endCode.toString(16).toUpperCase().padStart(4, '0')

/** @throws PlcError `INVALID_INPUT` for what no frame can carry */
export function checkRequest(request: SlmpRequest): void {
  if (request.kind === 'model') return
  const unit = unitOf(request)
  const { number } = request
  checkOption('number', number, isWholeWithin(number, 0, largestNumber), `0 to ${largestNumber}`)
  const most = Math.min(mostItems[unit], largestNumber + 1 - number)
  const count = request.kind === 'read' ? request.count : request.values.length
  checkOption('count', count, isWholeWithin(count, 1, most), `1 to ${most}`)
  if (request.kind === 'read') return
  const largest = unit === 'bit' ? 1 : 0xffff
  for (const value of request.values)
    checkOption('value', value, isWholeWithin(value, 0, largest), `0 to ${largest}`)
}

/** An error of the connection to a PLC that speaks SLMP. */
export const slmpError = plcErrorsOf(sentencesIn<typeof en>(__dirname))
