/** Types of RTDE packages, both ways. */
export const packageTypes = {
  version: 86,
  controllerVersion: 118,
  outputs: 79,
  inputs: 73,
  start: 83,
  pause: 80,
  data: 85,
  text: 77,
} as const

/** One package, without its header. */
export interface RtdePackage {
  type: number
  payload: Buffer
}

const header = 3

/** A package as it is sent: size with header (u16, big-endian), type, payload. */
export function rtdePackage(type: number, payload: Buffer | string = ''): Buffer {
  const body = typeof payload === 'string' ? Buffer.from(payload, 'latin1') : payload
  const bytes = Buffer.alloc(header + body.length)
  bytes.writeUInt16BE(bytes.length, 0)
  bytes.writeUInt8(type, 2)
  body.copy(bytes, header)
  return bytes
}

/** Cuts a stream into packages, which come in pieces, or several in one. Keeps less than one package, 64 KiB. */
export class RtdeReader {
  #pieces: Buffer[] = []
  #length = 0

  /** @throws RangeError for a package shorter than its header; the stream is then useless */
  push(chunk: Buffer): RtdePackage[] {
    this.#pieces.push(chunk)
    this.#length += chunk.length
    if (this.#length < header) return []
    const bytes = this.#pieces.length === 1 ? chunk : Buffer.concat(this.#pieces, this.#length)
    const packages: RtdePackage[] = []
    let at = 0
    while (bytes.length - at >= header) {
      const size = bytes.readUInt16BE(at)
      if (size < header) throw new RangeError(`an RTDE package of ${size} bytes`)
      if (bytes.length - at < size) break
      packages.push({ type: bytes.readUInt8(at + 2), payload: bytes.subarray(at + header, at + size) })
      at += size
    }
    const rest = bytes.subarray(at)
    this.#pieces = rest.length > 0 ? [rest] : []
    this.#length = rest.length
    return packages
  }
}
