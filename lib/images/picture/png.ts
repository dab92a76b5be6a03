import { promisify } from 'node:util'
import { constants, crc32, deflate } from 'node:zlib'
import { inSlices } from '../../timers/in-slices'
import { layoutOf, type PixelLayout, type Pixels } from './pixels'

const deflated = promisify(deflate)

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
/** Bytes of compressed data in a chunk: they are copied and added up between other work. */
const longestChunk = 1 << 17
/** Bytes of a chunk beside its data: length, type and checksum. */
const aroundChunk = 12
/** Bytes that are filtered in one step, below a millisecond. */
const stepBytes = 1 << 17
/** Longest time in ms for which the event loop is held. */
const slice = 2

/** The filter of each row: the difference to the row above. Camera noise compresses no better with others. */
const filterUp = 2

interface PngOptions {
  /** Stops work whose result is no longer needed. @throws AbortError in that case */
  isOver?: () => boolean
}

/**
 * Writes a picture as a PNG file: grey with 8 or 16 bits, or colour. Compresses in a thread of Node's; the
 * event loop is held for 2 ms at a time.
 * @throws RangeError for an unknown encoding, and for data that is shorter than its rows
 */
export async function pngOf(pixels: Pixels, { isOver }: PngOptions = {}): Promise<Buffer> {
  const layout = layoutOf(pixels)
  const { width, height } = pixels
  const filtered = await inSlices(filteredRows(pixels, layout), isOver, slice)
  // Runs of equal bytes are all that is worth looking for after the filter: three times as fast, and no larger.
  const compressed = await deflated(filtered, {
    level: 1,
    strategy: constants.Z_RLE,
    // All in one piece, which needs not be put together.
    chunkSize: filtered.length + (filtered.length >> 8) + 1024,
  })

  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = layout.encoding === 'mono16' ? 16 : 8
  header[9] = layout.size === 3 ? 2 : 0
  return inSlices(fileOf(header, compressed), isOver, slice)
}

/** A picture as a `data:` URL, as an `img` element takes it. */
export const dataUrlOf = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`

/** Writes the file chunk by chunk: copying all of it at once would hold the event loop for as long as a slice. */
function* fileOf(header: Buffer, compressed: Buffer): Generator<undefined, Buffer> {
  const chunks = [
    { type: 'IHDR', data: header },
    ...Array.from({ length: Math.ceil(compressed.length / longestChunk) }, (_, number) => ({
      type: 'IDAT',
      data: compressed.subarray(number * longestChunk, (number + 1) * longestChunk),
    })),
    { type: 'IEND', data: Buffer.alloc(0) },
  ]
  const bytes = chunks.reduce((sum, { data }) => sum + data.length + aroundChunk, signature.length)
  const file = Buffer.allocUnsafe(bytes)
  let at = signature.copy(file)
  for (const { type, data } of chunks) {
    file.writeUInt32BE(data.length, at)
    file.write(type, at + 4, 'latin1')
    data.copy(file, at + 8)
    file.writeUInt32BE(crc32(file.subarray(at + 4, at + 8 + data.length)), at + 8 + data.length)
    at += data.length + aroundChunk
    yield
  }
  return file
}

/** The rows as PNG compresses them: each with its filter in front, 16 bits big-endian, colours as red, green, blue. */
function* filteredRows({ height, data }: Pixels, { encoding, row, step }: PixelLayout) {
  const filtered = Buffer.allocUnsafe(height * (row + 1))
  const rowsInStep = Math.max(1, Math.floor(stepBytes / row))
  const order = orders[encoding]
  for (let first = 0; first < height; first += rowsInStep) {
    for (let line = first; line < Math.min(height, first + rowsInStep); line++)
      filterRow(
        filtered,
        line * (row + 1),
        data,
        line * step,
        line === 0 ? -1 : (line - 1) * step,
        row,
        order,
      )
    yield
  }
  return filtered
}

/** Where the bytes of a pixel are taken from, as differences to their own place; repeated. */
const orders: Readonly<Record<PixelLayout['encoding'], readonly number[]>> = {
  mono8: [0],
  mono16: [1, -1],
  rgb8: [0],
  bgr8: [2, 0, -2],
}

/** @param above where the row above begins; negative for the first row */
function filterRow(
  to: Uint8Array,
  at: number,
  from: Uint8Array,
  own: number,
  above: number,
  length: number,
  order: readonly number[],
): void {
  to[at] = filterUp
  for (let part = 0; part < order.length; part++) {
    const shift = order[part] ?? 0
    for (let byte = part; byte < length; byte += order.length) {
      const value = from[own + byte + shift] ?? 0
      to[at + 1 + byte] = above < 0 ? value : value - (from[above + byte + shift] ?? 0)
    }
  }
}
