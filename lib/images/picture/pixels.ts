/** How the pixels of a picture are stored: grey with 8 or 16 bits (little-endian), or three bytes of colour. */
export type Encoding = 'mono8' | 'mono16' | 'rgb8' | 'bgr8'

/** A picture as rows of pixels, from the top left. */
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

/** Bytes of a pixel in each encoding. */
const sizes: Readonly<Record<Encoding, number>> = { mono8: 1, mono16: 2, rgb8: 3, bgr8: 3 }

const isEncoding = (encoding: string): encoding is Encoding => Object.hasOwn(sizes, encoding)

/** The layout of a picture whose pixels can be read. */
export interface PixelLayout {
  encoding: Encoding
  /** Bytes of a pixel. */
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
 * The values of a grey picture with 16 bits, without padding between the rows. Uses the bytes themselves where they lie
 * at an even address, and copies them otherwise.
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
