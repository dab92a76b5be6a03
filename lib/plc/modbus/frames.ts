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
