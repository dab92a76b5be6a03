import { promisify } from 'node:util'
import { constants, crc32, deflate } from 'node:zlib'
import { inSlices } from '../../timers/in-slices'
import { layoutOf, type PixelLayout, type Pixels } from './pixels'

const deflated = promisify(deflate)

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
/** Bytes of compressed data in a chunk: checksums are calculated between other work. */
const longestChunk = 1 << 19
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
    chunkSize: Math.max(1 << 16, filtered.length >> 1),
  })

  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = layout.encoding === 'mono16' ? 16 : 8
  header[9] = layout.size === 3 ? 2 : 0
  const parts = [signature, ...chunk('IHDR', header)]
  await inSlices(dataChunks(compressed, parts), isOver, slice)
  return Buffer.concat([...parts, ...chunk('IEND', Buffer.alloc(0))])
}

/** A picture as a `data:` URL, as an `img` element takes it. */
export const dataUrlOf = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`

function* dataChunks(compressed: Buffer, parts: Buffer[]) {
  for (let at = 0; at < compressed.length; at += longestChunk) {
    parts.push(...chunk('IDAT', compressed.subarray(at, at + longestChunk)))
    yield
  }
}

function chunk(type: string, data: Buffer): [Buffer, Buffer, Buffer] {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 0)
  head.write(type, 4, 'latin1')
  const end = Buffer.alloc(4)
  end.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0)
  return [head, data, end]
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
