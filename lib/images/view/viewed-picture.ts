import type { WantedImages } from '../../codec/images/codec'
import { colouredDepth } from '../depth/coloured'
import { depthOf } from '../depth/depth'
import type { Camera } from '../depth/disparity'
import { layoutOf, type Pixels } from '../picture/pixels'
import { pngOf } from '../picture/png'
import type { ImageSet } from '../types'

/** What people look at: the left image, the depth in colours, or the confidence. */
export const viewParts = ['left', 'depth', 'confidence'] as const
/** One of `viewParts`. */
export type ViewPart = (typeof viewParts)[number]

/** A picture for people. */
export interface ViewedPicture {
  /** A PNG file, not wider than 1440 pixels. */
  png: Buffer
  /** Pixels, as the device sent it. */
  width: number
  height: number
  /** When it was taken, seconds since 1970 by the device's clock. */
  takenAt: number
  /** When it arrived, milliseconds since 1970 by this computer's clock. */
  receivedAt: number
  /** How it was taken; the numbers are pixels as the device sent it. */
  camera: Camera
}

/** Pixels: wider pictures are thinned. No screen shows more, and PNG files of them would be several megabytes. */
const widest = 1440

/** What a stream has to have for a part. One alone, because a stream with several waits for the slowest. */
export const wantedFor = (part: ViewPart): WantedImages =>
  part === 'left' ? { left: true } : part === 'depth' ? { disparity: true } : { confidence: true }

/**
 * The part of a set as a picture; undefined if the set does not have it.
 * @throws RangeError if it cannot be read
 */
export async function viewedPicture(part: ViewPart, set: ImageSet): Promise<ViewedPicture | undefined> {
  const image = part === 'depth' ? set.disparity : set[part]
  if (!image) return undefined
  const pixels = set.disparity && part === 'depth' ? await colouredDepth(await depthOf(set.disparity)) : image
  const { width, height, focalLength, principalPoint } = image
  return {
    png: await pngOf(thinned(pixels)),
    ...{ width, height, receivedAt: set.receivedAt },
    takenAt: Number(set.timestamp / 1000n) / 1e6,
    camera: { focalLength, principalPoint: { ...principalPoint } },
  }
}

/** Every second, third… pixel of a picture that is too wide. @throws RangeError */
export function thinned(pixels: Pixels): Pixels {
  const { size, step, encoding } = layoutOf(pixels)
  const factor = Math.ceil(pixels.width / widest)
  if (factor <= 1) return pixels
  const width = Math.floor(pixels.width / factor)
  const height = Math.floor(pixels.height / factor)
  const data = Buffer.allocUnsafe(width * height * size)
  let at = 0
  for (let row = 0; row < height; row++)
    for (let column = 0, from = row * factor * step; column < width; column++, from += factor * size)
      for (let byte = 0; byte < size; byte++) data[at++] = pixels.data[from + byte] ?? 0
  return { width, height, encoding, data }
}
