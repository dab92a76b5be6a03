/** Grey pictures, their saddles, and subpixel corners. */
import { layoutOf, type Pixels } from '../picture'

/** Without padding, 0 to 255. */
export interface Grey {
  width: number
  height: number
  data: Uint8Array
}

const rowsOfGrey = 64 // per step of work

/** Grey levels, in steps. @throws RangeError for an unknown encoding, and for data that is shorter than its rows */
export function* greyOf(pixels: Pixels): Generator<undefined, Grey> {
  const { encoding, size, step } = layoutOf(pixels)
  const { width, height, data } = pixels
  if (encoding === 'mono8' && step === width) return { width, height, data: data.subarray(0, width * height) }
  const grey = new Uint8Array(width * height)
  for (let row = 0; row < height; row++) {
    if (row % rowsOfGrey === 0) yield
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

/** Half as wide and high: means of four pixels. In steps. */
export function* halved({ width, height, data }: Grey): Generator<undefined, Grey> {
  const half = { width: width >> 1, height: height >> 1 }
  const smaller = new Uint8Array(half.width * half.height)
  for (let row = 0; row < half.height; row++) {
    if (row % rowsOfGrey === 0) yield
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

export interface Point {
  x: number
  y: number
}

/** Bright and dark meet crosswise here. */
export interface Saddle extends Point {
  strength: number
}

export interface Saddles {
  /** 16 times the grey levels. */
  smooth: Int16Array
  points: Saddle[]
}

const reach = 2 // pixels between the samples for the curvature

const alone = 3 // pixels: radius of non-maximum suppression

const border = 8 // pixels without room for the later steps

const most = 5000 // more are noise or texture

const least = 900 // between squares that differ by some eight grey levels

const rowsInStep = 32

/** Saddles of the grey levels, as at the corners of a checkerboard. In steps. */
export function* saddlesIn(grey: Grey): Generator<undefined, Saddles> {
  const { width, height } = grey
  const smooth = yield* smoothed(grey)
  const strength = new Int32Array(width * height)
  for (let row = border - 1; row <= height - border; row++) {
    if (row % rowsInStep === 0) yield
    for (let at = row * width + border - 1, end = (row + 1) * width - border + 1; at < end; at++) {
      const middle = 2 * (smooth[at] as number)
      const xx = (smooth[at + reach] as number) + (smooth[at - reach] as number) - middle
      const yy = (smooth[at + reach * width] as number) + (smooth[at - reach * width] as number) - middle
      const xy =
        ((smooth[at + reach * width + reach] as number) +
          (smooth[at - reach * width - reach] as number) -
          (smooth[at + reach * width - reach] as number) -
          (smooth[at - reach * width + reach] as number)) /
        4
      strength[at] = (xy * xy - xx * yy) / 16
    }
  }
  const points: Saddle[] = []
  const floor = Math.max(least, 6 * middleOf(strength))
  for (let row = border; row < height - border; row++) {
    if (row % rowsInStep === 0) yield
    for (let column = border; column < width - border; column++) {
      const at = row * width + column
      const value = strength[at] as number
      if (value > floor && isPeak(strength, at, width)) points.push(peakAt(strength, at, width))
    }
  }
  points.sort((one, other) => other.strength - one.strength)
  return { smooth, points: points.slice(0, most) }
}

/** Weighted 1 4 6 4 1 both ways. */
export function* smoothed({ width, height, data }: Grey): Generator<undefined, Int16Array> {
  const across = new Int16Array(width * height)
  for (let row = 0; row < height; row++) {
    if (row % rowsInStep === 0) yield
    const start = row * width
    const end = start + width
    for (let at = start; at < end; at++) {
      const [b, d] = [at - 1 < start ? start : at - 1, at + 1 < end ? at + 1 : end - 1]
      const [a, e] = [at - 2 < start ? start : at - 2, at + 2 < end ? at + 2 : end - 1]
      across[at] =
        (data[a] as number) +
        (data[e] as number) +
        4 * ((data[b] as number) + (data[d] as number)) +
        6 * (data[at] as number)
    }
  }
  const smooth = new Int16Array(width * height)
  for (let row = 0; row < height; row++) {
    if (row % rowsInStep === 0) yield
    const from = (other: number) => Math.min(Math.max(row + other, 0), height - 1) * width
    const [a, b, c, d, e] = [from(-2), from(-1), from(0), from(1), from(2)]
    for (let column = 0; column < width; column++)
      smooth[c + column] =
        ((across[a + column] as number) +
          (across[e + column] as number) +
          4 * ((across[b + column] as number) + (across[d + column] as number)) +
          6 * (across[c + column] as number)) >>
        4
  }
  return smooth
}

/** Median: the noise, or texture. */
function middleOf(strength: Int32Array): number {
  const step = Math.max(1, Math.floor(strength.length / 4096))
  const sample = Array.from({ length: Math.floor(strength.length / step) }, (_, index) =>
    Math.abs(strength[index * step] as number),
  ).sort((one, other) => one - other)
  return sample[sample.length >> 1] ?? 0
}

function isPeak(strength: Int32Array, at: number, width: number): boolean {
  const value = strength[at] as number
  // Most positions have a stronger neighbour.
  if ((strength[at - 1] as number) > value || (strength[at + 1] as number) >= value) return false
  for (let row = -alone; row <= alone; row++)
    for (let other = at + row * width - alone; other <= at + row * width + alone; other++)
      if (
        other < at ? (strength[other] as number) > value : other > at && (strength[other] as number) >= value
      )
        return false
  return true
}

/** Subpixel, by a parabola in each direction. */
function peakAt(strength: Int32Array, at: number, width: number): Saddle {
  const offset = (step: number) => {
    const [before, here, after] = [strength[at - step], strength[at], strength[at + step]] as [
      number,
      number,
      number,
    ]
    const bend = before - 2 * here + after
    return bend < 0 ? Math.max(-0.5, Math.min(0.5, (before - after) / (2 * bend))) : 0
  }
  return {
    x: (at % width) + offset(1),
    y: Math.floor(at / width) + offset(width),
    strength: strength[at] as number,
  }
}

/** Smoothed: sharp edges would shift the corners between the pixels. */
export interface SmoothPicture extends Omit<Grey, 'data'> {
  data: Int16Array
}

const rounds = 12

const still = 0.002 // pixels: converged

/**
 * A subpixel corner: every pixel around it lies along the edge through that pixel, so that the gradient is
 * perpendicular to the direction from the corner. @param radius of the window, pixels @returns undefined if it moves
 * away or is no corner
 */
export function refined(
  { width, height, data }: SmoothPicture,
  near: Point,
  radius: number,
): Point | undefined {
  let { x, y } = near
  const reach = Math.ceil(radius)
  const spread = 2 / (radius * radius)
  for (let round = 0; round < rounds; round++) {
    const [middle, line] = [Math.round(x), Math.round(y)]
    if (middle - reach < 1 || line - reach < 1 || middle + reach > width - 2 || line + reach > height - 2)
      return undefined
    let [xx, xy, yy, px, py] = [0, 0, 0, 0, 0]
    for (let row = line - reach; row <= line + reach; row++)
      for (let column = middle - reach; column <= middle + reach; column++) {
        const [dx, dy] = [column - x, row - y]
        const apart = dx * dx + dy * dy
        if (apart > radius * radius) continue
        const at = row * width + column
        const across = (data[at + 1] as number) - (data[at - 1] as number)
        const down = (data[at + width] as number) - (data[at - width] as number)
        const weight = Math.exp(-apart * spread)
        const [a, b, c] = [across * across * weight, across * down * weight, down * down * weight]
        xx += a
        xy += b
        yy += c
        px += a * dx + b * dy
        py += b * dx + c * dy
      }
    const scale = xx * yy - xy * xy
    if (!(scale > 1e-6 * (xx + yy) ** 2)) return undefined
    const move = { x: (yy * px - xy * py) / scale, y: (xx * py - xy * px) / scale }
    x += move.x
    y += move.y
    if (Math.hypot(x - near.x, y - near.y) > radius) return undefined
    if (Math.hypot(move.x, move.y) < still) break
  }
  return { x, y }
}
