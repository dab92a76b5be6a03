import type { DisparityImage, Image } from '../../codec/images/codec'
import type { Pixels } from '../picture/pixels'

/** How a rectified picture was taken; the numbers are pixels of this very picture. */
export type Camera = Pick<Image, 'focalLength' | 'principalPoint'>

/** A disparity picture (mono16) with all that turns it into depth. It belongs to the left camera. */
export type Disparity = Pixels & Camera & Pick<DisparityImage, 'scale' | 'offset' | 'invalid' | 'baseline'>

/** Disparity in pixels of a stored value; NaN where nothing was measured. */
export function disparityOf(stored: number, { scale, offset, invalid }: Disparity): number {
  const pixels = stored * scale + offset
  return stored === invalid || pixels <= 0 ? NaN : pixels
}
