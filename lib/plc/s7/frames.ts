/** Telegrams of S7 communication on ISO on TCP: cut from a stream, written and read by both sides. */
/** Bytes that are no telegram. Nothing that follows them can be read. */
export class S7Fault extends Error {
  override readonly name = 'S7Fault'

  constructor(
    /** `protocol`: what sends it does not speak ISO on TCP. */
    readonly fault: 'protocol' | 'length' | 'telegram',
    /** Its beginning. */
    readonly bytes: Buffer,
  ) {
    super(`no S7 telegram (${fault}): ${bytes.subarray(0, 16).toString('hex')}`)
  }
}

/** Version of TPKT, in each first byte. */
const version = 3

/** TPKT and the shortest telegram of COTP. */
const shortest = 7

/** More than a telegram of 960 bytes with its headers; no peer agrees upon longer ones. */
const longest = 1024

/** The PDU length that we ask for; a CPU may grant less, and never more. */
export const wantedPdu = 960

/** The least that any CPU has. */
export const leastPdu = 240

export const cotp = { connect: 0xe0, confirm: 0xd0, disconnect: 0x80, data: 0xf0 } as const

/** One telegram of COTP. */
export interface CotpTelegram {
  /** One of `cotp`. */
  type: number
  /** Of data: the S7 telegram; otherwise the parameters. */
  content: Buffer
}

const nothing: Buffer = Buffer.alloc(0)

/**
 * Cuts a stream into telegrams, wherever the network has cut it, and joins data that COTP has cut. Keeps less than two.
 * @returns gives the telegrams that are whole with a chunk @throws S7Fault for what is no telegram: nothing can follow
 */
export function telegramReader(): (chunk: Buffer) => Generator<CotpTelegram, void> {
  let rest = nothing
  let begun = nothing
  return function* (chunk) {
    let bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    // What has been handed out must not come again if the caller stops here.
    rest = nothing
    while (bytes.length > 0) {
      if (bytes[0] !== version) throw new S7Fault('protocol', bytes.subarray(0, 16))
      if (bytes.length < 4) break
      const length = bytes.readUInt16BE(2)
      if (length < shortest || length > longest) throw new S7Fault('length', bytes.subarray(0, 16))
      if (bytes.length < length) break
      const header = bytes.readUInt8(4)
      const type = bytes.readUInt8(5) & 0xf0
      if (header < 2 || header + 5 > length) throw new S7Fault('length', bytes.subarray(0, 16))
      if (type === cotp.data) {
        const part = bytes.subarray(5 + header, length)
        begun = begun.length ? Buffer.concat([begun, part]) : part
        if (begun.length > longest) throw new S7Fault('length', bytes.subarray(0, 16))
        if (bytes.readUInt8(6) & 0x80) {
          yield { type, content: begun }
          begun = nothing
        }
      } else yield { type, content: bytes.subarray(6, 5 + header) }
      bytes = bytes.subarray(length)
    }
    // Copies: a view would keep the whole chunk in memory.
    if (begun.length) begun = Buffer.from(begun)
    if (bytes.length) rest = Buffer.from(bytes)
  }
}

function telegram(header: Buffer, content = nothing): Buffer {
  const tpkt = Buffer.of(version, 0, 0, 0, header.length)
  tpkt.writeUInt16BE(tpkt.length + header.length + content.length, 2)
  return Buffer.concat([tpkt, header, content])
}

/** Two numbers that say who speaks to whom: kind of connection, rack and slot. */
export interface Tsaps {
  local: number
  remote: number
}

/** Code of a TPDU of 1024 bytes. */
const tpduSize = 0x0a

export function connectBytes({ local, remote }: Tsaps): Buffer {
  const header = Buffer.of(
    ...[cotp.connect, 0, 0, 0, 1, 0],
    ...[0xc0, 1, tpduSize],
    ...[0xc1, 2, local >> 8, local & 255],
    ...[0xc2, 2, remote >> 8, remote & 255],
  )
  return telegram(header)
}

/** @param content of the request, whose parameters come back */
export const confirmBytes = (content: Buffer): Buffer =>
  // Its reference is the first byte pair of ours.
  telegram(Buffer.concat([Buffer.of(cotp.confirm, 0, 1, 0, 1, 0), content.subarray(5)]))

export const disconnectBytes = (): Buffer => telegram(Buffer.of(cotp.disconnect, 0, 1, 0, 0, 0))

/** The remote TSAP of a connection request. */
export function remoteTsapOf(content: Buffer): number | undefined {
  for (let at = 5; at + 2 <= content.length; at += 2 + content.readUInt8(at + 1))
    if (content[at] === 0xc2 && content[at + 1] === 2 && at + 4 <= content.length)
      return content.readUInt16BE(at + 2)
  return undefined
}

/** What a telegram of S7 is. */
export const kinds = { job: 1, ack: 2, ackData: 3, userData: 7 } as const

export const functions = { setup: 0xf0, read: 4, write: 5 } as const

/** A telegram of S7. */
export interface S7Telegram {
  /** One of `kinds`. */
  kind: number
  /** Pairs an answer with its request. */
  sequence: number
  parameter: Buffer
  data: Buffer
  /** Error class and code of an answer; 0 is good. */
  error: number
}

const protocolId = 0x32

export function dataBytes({
  kind,
  sequence,
  parameter,
  data = nothing,
  error,
}: Omit<S7Telegram, 'data' | 'error'> & { data?: Buffer; error?: number }): Buffer {
  const header = Buffer.alloc(hasError(kind) ? 12 : 10)
  header[0] = protocolId
  header[1] = kind
  header.writeUInt16BE(sequence, 4)
  header.writeUInt16BE(parameter.length, 6)
  header.writeUInt16BE(data.length, 8)
  if (hasError(kind)) header.writeUInt16BE(error ?? 0, 10)
  return telegram(Buffer.of(cotp.data, 0x80), Buffer.concat([header, parameter, data]))
}

const hasError = (kind: number) => kind === kinds.ack || kind === kinds.ackData

/** @throws S7Fault */
export function s7Telegram(content: Buffer): S7Telegram {
  const kind = content[1] ?? 0
  const header = hasError(kind) ? 12 : 10
  if (content[0] !== protocolId || content.length < header) throw new S7Fault('telegram', content)
  const [ofParameter, ofData] = [content.readUInt16BE(6), content.readUInt16BE(8)]
  if (content.length !== header + ofParameter + ofData) throw new S7Fault('telegram', content)
  return {
    kind,
    sequence: content.readUInt16BE(4),
    parameter: content.subarray(header, header + ofParameter),
    data: content.subarray(header + ofParameter),
    error: hasError(kind) ? content.readUInt16BE(10) : 0,
  }
}

/** Memory of a CPU. */
export const s7Areas = { inputs: 0x81, outputs: 0x82, flags: 0x83, block: 0x84 } as const

/** Bytes of a CPU's memory. */
export interface S7Extent {
  /** One of `s7Areas`. */
  area: number
  /** Number of the data block; 0 for other memory. */
  block: number
  /** Of the first byte. */
  byte: number
  bytes: number
  /** 0 to 7, of an item that is one bit. */
  bit?: number
}

/** Most items of one telegram. */
export const mostItems = 20

/** Bytes of one item of a request. */
export const itemBytes = 12

const parameterOf = (code: number, extents: readonly S7Extent[]): Buffer => {
  const parameter = Buffer.alloc(2 + extents.length * itemBytes)
  parameter[0] = code
  parameter[1] = extents.length
  extents.forEach(({ area, block, byte, bytes }, index) => {
    const at = 2 + index * itemBytes
    parameter.set([0x12, 0x0a, 0x10, 0x02], at)
    parameter.writeUInt16BE(bytes, at + 4)
    parameter.writeUInt16BE(block, at + 6)
    parameter[at + 8] = area
    parameter.writeUIntBE(byte * 8, at + 9, 3)
  })
  return parameter
}

/** A whole number of bytes, and what fills the last one of an odd number. */
const even = (bytes: number) => bytes + (bytes & 1)

export const readBytes = (sequence: number, extents: readonly S7Extent[]): Buffer =>
  dataBytes({ kind: kinds.job, sequence, parameter: parameterOf(functions.read, extents) })

/** @param values the bytes of each extent */
export function writeBytes(
  sequence: number,
  extents: readonly S7Extent[],
  values: readonly Buffer[],
): Buffer {
  const data = values.map((value, index) => itemData(value, index === values.length - 1, 0))
  const parameter = parameterOf(functions.write, extents)
  return dataBytes({ kind: kinds.job, sequence, parameter, data: Buffer.concat(data) })
}

/** Transport size of lengths that are counted in bits. */
const inBits = 4

/** One item of data. @param code return code; 0 in a request */
export function itemData(value: Buffer, isLast: boolean, code: number): Buffer {
  const data = Buffer.alloc(4 + (isLast ? value.length : even(value.length)))
  data[0] = code
  data[1] = value.length > 0 ? inBits : 0
  data.writeUInt16BE(value.length * 8, 2)
  value.copy(data, 4)
  return data
}

/** What an item of an answer brings. */
export interface S7Item {
  /** 0xff is good. */
  code: number
  value: Buffer
}

export const good = 0xff

/**
 * The items of a read answer, or of the data of a write request.
 * @throws S7Fault where they do not end with the data
 */
export function itemsOf(data: Buffer, count: number): S7Item[] {
  const items: S7Item[] = []
  let at = 0
  while (items.length < count) {
    if (at + 4 > data.length) throw new S7Fault('telegram', data)
    const [code, size, length] = [data.readUInt8(at), data.readUInt8(at + 1), data.readUInt16BE(at + 2)]
    const bytes = size === 3 || size === 4 || size === 5 ? Math.ceil(length / 8) : length
    const end = at + 4 + bytes
    // Some CPUs repeat the length of an item that they refuse, without its bytes.
    const isRefused = code !== good && code !== 0
    if (end > data.length && !isRefused) throw new S7Fault('telegram', data)
    items.push({ code, value: isRefused ? nothing : data.subarray(at + 4, end) })
    at = isRefused ? at + 4 : items.length < count ? even(end) : end
  }
  if (at < data.length && data.length - at > 1) throw new S7Fault('telegram', data)
  return items
}

/** The extents of a request. @throws S7Fault for items that are not addressed by area and byte */
export function extentsOf(parameter: Buffer): S7Extent[] {
  const count = parameter[1] ?? 0
  if (count < 1 || count > mostItems || parameter.length !== 2 + count * itemBytes)
    throw new S7Fault('telegram', parameter)
  return Array.from({ length: count }, (_, index) => {
    const item = parameter.subarray(2 + index * itemBytes, 2 + (index + 1) * itemBytes)
    const size = sizes[item.readUInt8(3)]
    if (item[0] !== 0x12 || item[1] !== 0x0a || item[2] !== 0x10 || size === undefined)
      throw new S7Fault('telegram', parameter)
    const address = item.readUIntBE(9, 3)
    return {
      area: item.readUInt8(8),
      block: item.readUInt16BE(6),
      byte: address >> 3,
      bytes: size === 0 ? 1 : size * item.readUInt16BE(4),
      ...(size === 0 && { bit: address & 7 }),
    }
  })
}

/** Bytes of one element, by the transport size of a request; a bit has none. */
const sizes: Readonly<Partial<Record<number, number>>> = { 1: 0, 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 4, 8: 4 }
