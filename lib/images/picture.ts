/** Rows of pixels: their layout, PNG files, and the difference between two pictures. */
import { once } from 'node:events'
import { constants, crc32, createDeflate } from 'node:zlib'
import { awaitedLater } from '../kernel/scope'
import { nobodyWaits } from '../kernel/timers'

/** Grey with 8 or 16 bits (little-endian), or three bytes of colour. */
export type Encoding = 'mono8' | 'mono16' | 'rgb8' | 'bgr8'

/** Rows of pixels, from the top left. */
export interface Pixels {
  width: number
  height: number
  /** One of `Encoding`; others are refused where the pixels are read. */
  encoding: string
  /** Bytes from one row to the next. @default the bytes of a row */
  step?: number
  /** Rows of `step` bytes; mono16 may begin at an odd address. */
  data: Uint8Array
}

/** Bytes per pixel. */
const sizes: Readonly<Record<Encoding, number>> = { mono8: 1, mono16: 2, rgb8: 3, bgr8: 3 }

const isEncoding = (encoding: string): encoding is Encoding => Object.hasOwn(sizes, encoding)

interface PixelLayout {
  encoding: Encoding
  size: number
  /** Bytes of a row without padding. */
  row: number
  /** Bytes from one row to the next. */
  step: number
}

/** @throws RangeError for an unknown encoding, and for data that is shorter than its rows */
export function layoutOf({ width, height, encoding, step, data }: Pixels): PixelLayout {
  if (!isEncoding(encoding)) throw new RangeError(`Unknown encoding of a picture: ${encoding}`)
  const size = sizes[encoding]
  const row = width * size
  const rowStep = step ?? row
  if (rowStep < row || data.length < (height - 1) * rowStep + row)
    throw new RangeError(
      `A picture of ${width} x ${height} pixels (${encoding}) has only ${data.length} bytes`,
    )
  return { encoding, size, row, step: rowStep }
}

/**
 * The values of a mono16 picture without padding. Uses the bytes themselves at an even address, and copies them
 * otherwise.
 * @throws RangeError if the picture is not mono16 or too short
 */
export function values16Of(pixels: Pixels): Uint16Array {
  const { encoding, row, step } = layoutOf(pixels)
  if (encoding !== 'mono16') throw new RangeError(`Expected a picture in mono16, got ${encoding}`)
  const { width, height, data } = pixels
  if (step === row && data.byteOffset % 2 === 0)
    return new Uint16Array(data.buffer, data.byteOffset, width * height)
  const values = new Uint16Array(width * height)
  const bytes = new Uint8Array(values.buffer)
  for (let line = 0; line < height; line++)
    bytes.set(data.subarray(line * step, line * step + row), line * row)
  return values
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

const longestChunk = 1 << 17 // bytes of compressed data per chunk

const stepBytes = 1 << 17 // bytes filtered per step, well below a millisecond

/** The difference to the row above. Camera noise compresses no better with others. */
const filterUp = 2

interface PngOptions {
  /** Stops work whose result is no longer needed. @throws AbortError in that case */
  isOver?: () => boolean
}

/**
 * Writes a PNG file: grey with 8 or 16 bits, or colour. Compresses in a thread of Node's while the next rows are
 * filtered here: the event loop is held for less than a millisecond, and little memory is left for V8 to search.
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

/** For an `img` element. */
export const dataUrlOf = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`

/** Length and type, data, checksum. */
function chunkOf(type: string, data: Buffer): Buffer[] {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 0)
  head.write(type, 4, 'latin1')
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0)
  return [head, data, checksum]
}

/** The rows as compressed chunks. Two buffers take turns: one is filled while the other one is compressed. */
async function compressedRows(
  pixels: Pixels,
  { encoding, row, step }: PixelLayout,
  isOver: () => boolean = () => false,
): Promise<Buffer[]> {
  const { height, data } = pixels
  const rowsInStep = Math.min(height, Math.max(1, Math.floor(stepBytes / row)))
  const order = orders[encoding]
  const chunks: Buffer[] = []
  // After the filter only runs of equal bytes are worth finding: three times as fast, and no larger.
  const deflate = createDeflate({ level: 1, strategy: constants.Z_RLE, chunkSize: longestChunk })
  deflate.on('data', (compressed: Buffer) => chunks.push(...chunkOf('IDAT', compressed)))
  const ended = awaitedLater(once(deflate, 'end'))
  // An error is reported by the write that awaits it.
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

/** Source of each byte of a pixel, as an offset; repeated. */
const orders: Readonly<Record<PixelLayout['encoding'], readonly number[]>> = {
  mono8: [0],
  mono16: [1, -1],
  rgb8: [0],
  bgr8: [2, 0, -2],
}

/** @param above start of the row above; negative for the first row */
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

const [columns, rows] = [32, 24] // of the grid in which pictures are compared

/** Sampled pixels in each direction of a cell: their mean has little noise. */
const perCell = 8

/** A cell counts as changed if its mean differs by more than this share, and by more than `least` steps. */
const part = 0.04

const least = 2

/** Mean value per cell. */
export type PictureGrid = Float64Array

/** Mean brightness in 32 by 24 cells, from some ten thousand pixels. @throws RangeError for an unreadable picture */
export function gridOf(pixels: Pixels): PictureGrid {
  const { size, step, encoding } = layoutOf(pixels)
  const { width, height, data } = pixels
  const valueAt = (column: number, row: number): number => {
    const at = row * step + column * size
    if (encoding === 'mono8') return data[at] ?? 0
    if (encoding === 'mono16') return (data[at] ?? 0) + 256 * (data[at + 1] ?? 0)
    return ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3
  }
  const grid = new Float64Array(columns * rows)
  const [across, down] = [columns * perCell, rows * perCell]
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) {
      const cell = Math.floor(y / perCell) * columns + Math.floor(x / perCell)
      const value = valueAt(Math.floor(((x + 0.5) * width) / across), Math.floor(((y + 0.5) * height) / down))
      grid[cell] = (grid[cell] ?? 0) + value / perCell ** 2
    }
  return grid
}

/** The share of a picture, 0 to 1, that has changed beyond noise. */
export function changedPart(before: PictureGrid, after: PictureGrid): number {
  const changed = after.filter((value, cell) => {
    const old = before[cell] ?? 0
    return Math.abs(value - old) > Math.max(least, part * Math.max(value, old))
  })
  return changed.length / after.length
}
