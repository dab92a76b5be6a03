import { crc32, inflateSync } from 'node:zlib'

/** A PNG file as its specification reads, with all five filters; written apart from the code that it checks. */
export interface ReadPng {
  width: number
  height: number
  depth: number
  channels: number
  /** Values in rows, 0 to 255 or 0 to 65535. */
  values: number[]
}

/** @throws Error for a wrong signature, checksum, length or filter */
export function readPng(file: Buffer): ReadPng {
  if (file.subarray(0, 8).toString('latin1') !== '\x89PNG\r\n\x1a\n') throw new Error('no PNG')
  const chunks = chunksOf(file)
  const [{ type, data: header } = { type: '', data: Buffer.alloc(0) }] = chunks
  if (type !== 'IHDR' || header.length !== 13 || chunks.at(-1)?.type !== 'IEND') throw new Error('no IHDR')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 0, colour, compression, filter, interlace] = header.subarray(8)
  if (compression || filter || interlace) throw new Error('unknown method')
  const channels = { 0: 1, 2: 3 }[colour ?? -1]
  if (!channels) throw new Error('unknown colour type')

  const raw = inflateSync(
    Buffer.concat(chunks.filter((each) => each.type === 'IDAT').map(({ data }) => data)),
  )
  const size = (channels * depth) / 8
  const length = width * size
  if (raw.length !== height * (length + 1)) throw new Error('wrong length')
  const bytes = Buffer.alloc(height * length)
  for (let row = 0; row < height; row++) {
    for (let byte = 0; byte < length; byte++) {
      const here = row * length + byte
      const left = byte >= size ? (bytes[here - size] ?? 0) : 0
      const up = row > 0 ? (bytes[here - length] ?? 0) : 0
      const corner = row > 0 && byte >= size ? (bytes[here - length - size] ?? 0) : 0
      const predicted = [0, left, up, Math.floor((left + up) / 2), paeth(left, up, corner)]
      const known = predicted[raw[row * (length + 1)] ?? 9]
      if (known === undefined) throw new Error('unknown filter')
      bytes[here] = (raw[row * (length + 1) + 1 + byte] ?? 0) + known
    }
  }
  const values =
    depth === 8 ? [...bytes] : Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readUInt16BE(2 * at))
  return { width, height, depth, channels, values }
}

function chunksOf(file: Buffer) {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at)
    const typed = file.subarray(at + 4, at + 8 + length)
    if (file.readUInt32BE(at + 8 + length) !== crc32(typed)) throw new Error('wrong checksum')
    chunks.push({ type: typed.toString('latin1', 0, 4), data: typed.subarray(4) })
    at += 12 + length
  }
  return chunks
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
