/** A projection without distortion; pixel coordinates count from the centre of the first pixel. */
export interface Lens {
  width: number
  height: number
  /** Pixels. */
  focal: number
  /** Principal point. */
  u: number
  v: number
}

/** The camera's axis goes through the middle of the image. @param focal length divided by the width */
export const lensOf = (width: number, height: number, focal: number): Lens => ({
  width,
  height,
  focal: focal * width,
  u: (width - 1) / 2,
  v: (height - 1) / 2,
})
