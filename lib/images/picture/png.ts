import { once } from 'node:events'
import { constants, crc32, createDeflate } from 'node:zlib'
import { nobodyWaits } from '../../kernel/timers'
import { layoutOf, type PixelLayout, type Pixels } from './pixels'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
/** Bytes of compressed data in a chunk. */
const longestChunk = 1 << 17
/** Bytes that are filtered in one step, well below a millisecond. */
const stepBytes = 1 << 17

/** The filter of each row: the difference to the row above. Camera noise compresses no better with others. */
const filterUp = 2

interface PngOptions {
  /** Stops work whose result is no longer needed. @throws AbortError in that case */
  isOver?: () => boolean
}

/**
 * Writes a picture as a PNG file: grey with 8 or 16 bits, or colour. Compresses in a thread of Node's what is filtered here
 * meanwhile, some rows at a time: the event loop is held for less than a millisecond, and little memory is left behind, which
 * V8 would have to search.
 * @throws RangeError for an unknown encoding, and for data that is shorter than its rows
 */
export async function pngOf(pixels: Pixels, { isOver }: PngOptions = {}): Promise<Buffer> {
  const layout = layoutOf(pixels)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(pixels.width, 0)
  header.writeUInt32BE(pixels.height, 4)
  header[8] = layout.encoding === 'mono16' ? 16 : 8
  header[9] = layout.size === 3 ? 2 : 0
  const rows = await compressedRows(pixels, layout, isOver)
  return Buffer.concat([signature, ...chunkOf('IHDR', header), ...rows, ...chunkOf('IEND', Buffer.alloc(0))])
}

/** A picture as a `data:` URL, as an `img` element takes it. */
export const dataUrlOf = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`

/** The parts of a chunk: length and type, data, checksum. */
function chunkOf(type: string, data: Buffer): Buffer[] {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 0)
  head.write(type, 4, 'latin1')
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0)
  return [head, data, checksum]
}

/** The rows as chunks of compressed data. Two pieces of memory take turns: one is filled while the other one is compressed. */
async function compressedRows(
  pixels: Pixels,
  { encoding, row, step }: PixelLayout,
  isOver: () => boolean = () => false,
): Promise<Buffer[]> {
  const { height, data } = pixels
  const rowsInStep = Math.min(height, Math.max(1, Math.floor(stepBytes / row)))
  const order = orders[encoding]
  const chunks: Buffer[] = []
  // Runs of equal bytes are all that is worth looking for after the filter: three times as fast, and no larger.
  const deflate = createDeflate({ level: 1, strategy: constants.Z_RLE, chunkSize: longestChunk })
  deflate.on('data', (compressed: Buffer) => chunks.push(...chunkOf('IDAT', compressed)))
  const ended = once(deflate, 'end')
  // An error is told by the write that waits for it.
  ended.catch(() => undefined)
  const write = (bytes: Buffer) =>
    new Promise<void>((resolve, reject) => {
      deflate.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  let [free, inUse] = [0, 1].map(() => Buffer.allocUnsafe(rowsInStep * (row + 1))) as [Buffer, Buffer]
  let written: Promise<void> | undefined
  try {
    for (let first = 0; first < height; first += rowsInStep) {
      const last = Math.min(height, first + rowsInStep)
      for (let line = first; line < last; line++)
        filterRow(
          free,
          (line - first) * (row + 1),
          data,
          line * step,
          line === 0 ? -1 : (line - 1) * step,
          row,
          order,
        )
      await written
      if (isOver()) throw nobodyWaits()
      written = write(free.subarray(0, (last - first) * (row + 1)))
      ;[free, inUse] = [inUse, free]
    }
    await written
    deflate.end()
    await ended
    return chunks
  } finally {
    deflate.destroy()
  }
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
