import { Misread } from '../streams/cursor'
import type { Image } from './messages'

/** Bytes per pixel of the known encodings. */
const pixelBytes: Readonly<Partial<Record<string, number>>> = { mono8: 1, mono16: 2, rgb8: 3, bgr8: 3 }

/** Fills in a step that was not sent. @throws Misread if the pixels are not as many as the size says */
export function checkImage(part: string, image: Image): void {
  const { width, height, encoding, data } = image
  const least = width * (pixelBytes[encoding] ?? 0)
  if (image.step === 0) image.step = least
  const { step } = image
  if (step < least)
    throw new Misread(`${part}: rows of ${step} bytes are too short for ${width} pixels of ${encoding}`)
  if (data.length !== step * height)
    throw new Misread(
      `${part}: ${height} rows of ${step} bytes were announced, ${data.length} bytes were sent`,
    )
}
