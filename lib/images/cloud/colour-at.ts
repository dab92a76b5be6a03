import type { Camera } from '../depth/disparity'
import { layoutOf, type Pixels } from '../picture/pixels'

/** The colour of a pixel as red, green, blue in one number: 0xrrggbb. */
export type ColourAt = (column: number, row: number) => number

/**
 * Finds the colours for the pixels of a disparity picture in the left one, which may have another size.
 * @throws RangeError if the picture cannot be read
 */
export function colourAt(left: Pixels & Camera, disparity: Camera): ColourAt {
  const { encoding, size, step } = layoutOf(left)
  const { width, height, data } = left
  // Both look along the same axis: the same direction is the same multiple of the focal length.
  const scale = left.focalLength / disparity.focalLength
  const [high, low] = encoding === 'bgr8' ? [2, 0] : [0, 2]
  return (column, row) => {
    const x = Math.round((column - disparity.principalPoint.u) * scale + left.principalPoint.u)
    const y = Math.round((row - disparity.principalPoint.v) * scale + left.principalPoint.v)
    const at = Math.min(height - 1, Math.max(0, y)) * step + Math.min(width - 1, Math.max(0, x)) * size
    if (size === 3) return ((data[at + high] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + low] ?? 0)
    // Of 16 bits the upper eight.
    return (data[at + size - 1] ?? 0) * 0x010101
  }
}
