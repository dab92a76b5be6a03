import { layoutOf, type Pixels } from '../picture/pixels'

/** A grey picture without padding, 0 to 255. */
export interface Grey {
  width: number
  height: number
  data: Uint8Array
}

/** Rows in one step of the work. */
const rowsInStep = 64

/**
 * The grey levels of a picture, in steps.
 * @throws RangeError for an unknown encoding, and for data that is shorter than its rows
 */
export function* greyOf(pixels: Pixels): Generator<undefined, Grey> {
  const { encoding, size, step } = layoutOf(pixels)
  const { width, height, data } = pixels
  if (encoding === 'mono8' && step === width) return { width, height, data: data.subarray(0, width * height) }
  const grey = new Uint8Array(width * height)
  for (let row = 0; row < height; row++) {
    if (row % rowsInStep === 0) yield
    for (let column = 0; column < width; column++) {
      const at = row * step + column * size
      const first = data[at] ?? 0
      if (encoding === 'mono8') grey[row * width + column] = first
      else if (encoding === 'mono16') grey[row * width + column] = data[at + 1] ?? 0
      // Green counts most, whether red or blue comes first.
      else grey[row * width + column] = 0.25 * first + 0.5 * (data[at + 1] ?? 0) + 0.25 * (data[at + 2] ?? 0)
    }
  }
  return { width, height, data: grey }
}

/** Half as wide and high: the means of four pixels each. In steps. */
export function* halved({ width, height, data }: Grey): Generator<undefined, Grey> {
  const half = { width: width >> 1, height: height >> 1 }
  const smaller = new Uint8Array(half.width * half.height)
  for (let row = 0; row < half.height; row++) {
    if (row % rowsInStep === 0) yield
    const above = 2 * row * width
    const below = above + width
    for (let column = 0; column < half.width; column++) {
      const left = 2 * column
      smaller[row * half.width + column] =
        ((data[above + left] as number) +
          (data[above + left + 1] as number) +
          (data[below + left] as number) +
          (data[below + left + 1] as number) +
          2) >>
        2
    }
  }
  return { ...half, data: smaller }
}
