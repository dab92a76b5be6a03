import { dataUrlOf, pngOf } from '../../lib/images/picture/png'
import { layoutOf, values16Of, type Pixels } from '../../lib/images/picture/pixels'
import type { PictureFields } from './picture-fields'

/** A picture as numbers: rows from the top left without gaps. */
export interface RawPicture {
  width: number
  height: number
  /** `mono8`, `mono16`, `rgb8`, `bgr8`, or `float32` for depth in metres. */
  encoding: string
  /** Bytes; 16-bit numbers for mono16. */
  data: Buffer | Uint16Array | Float32Array
}

interface Work {
  isOver: () => boolean
  /** Whether raw bytes may be part of the message that the device sent. @default false */
  isWhole?: boolean
}

/**
 * A picture in the form that the flow wants: a PNG file, a `data:` URL, or numbers. Numbers are a copy, because those of
 * a set are parts of one message, which they would keep in memory; unless the flow gets all of that message anyway.
 * @throws RangeError if the picture cannot be read
 */
export async function pictureAs(
  form: PictureFields['picturesAs'],
  pixels: Pixels,
  { isOver, isWhole = false }: Work,
): Promise<Buffer | string | RawPicture> {
  if (form === 'raw') return raw(pixels, isWhole)
  const png = await pngOf(pixels, { isOver })
  return form === 'dataUrl' ? dataUrlOf(png) : png
}

function raw(pixels: Pixels, isWhole: boolean): RawPicture {
  const { width, height, encoding, data } = pixels
  const { row, step } = layoutOf(pixels)
  // A clone of numbers that are a part of a message would be one of the whole message.
  if (encoding === 'mono16') return { width, height, encoding, data: values16Of(pixels).slice() }
  if (step === row) {
    const part = Buffer.from(data.buffer, data.byteOffset, height * row)
    return { width, height, encoding, data: isWhole ? part : Buffer.from(part) }
  }
  const rows = Array.from({ length: height }, (_, line) => data.subarray(line * step, line * step + row))
  return { width, height, encoding, data: Buffer.concat(rows) }
}
