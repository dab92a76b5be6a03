/** Depth from a disparity picture: distances, single points, and colours for people. */
import { inSlices } from '../kernel/timers'
import { values16Of, type Pixels } from './picture'
import type { DisparityImage, Image } from '../codec/images/codec'

/** Intrinsics of a rectified picture, in its own pixels. */
export type Camera = Pick<Image, 'focalLength' | 'principalPoint'>

/** A disparity picture (mono16) with all that turns it into depth. It belongs to the left camera. */
export type Disparity = Pixels & Camera & Pick<DisparityImage, 'scale' | 'offset' | 'invalid' | 'baseline'>

/** Pixels; NaN without a measurement. */
export function disparityOf(stored: number, { scale, offset, invalid }: Disparity): number {
  const pixels = stored * scale + offset
  return stored === invalid || pixels <= 0 ? NaN : pixels
}

/** Distances along the optical axis, in rows from the top left. */
export interface Depth {
  width: number
  height: number
  /** Metres; NaN without a measurement. */
  data: Float32Array
}

const stepPixels = 1 << 15 // per step of work, well below a millisecond

const slice = 3 // milliseconds for which the event loop is held at most

const farthest = 65_535 // largest depth in 16 bits, millimetres

interface DepthOptions {
  /** Stops work whose result is no longer needed. @throws AbortError in that case */
  isOver?: () => boolean
}

/** Focal length times baseline, divided by the disparity. @throws RangeError if the picture is not mono16 or too short */
export async function depthOf(disparity: Disparity, { isOver }: DepthOptions = {}): Promise<Depth> {
  const { width, height } = disparity
  const data = await inSlices(depths(disparity), isOver, slice)
  return { width, height, data }
}

function* depths(disparity: Disparity) {
  const stored = values16Of(disparity)
  const { scale, offset, invalid, baseline, focalLength } = disparity
  const product = focalLength * baseline
  const data = new Float32Array(stored.length)
  for (let first = 0; first < data.length; first += stepPixels) {
    const end = Math.min(data.length, first + stepPixels)
    for (let pixel = first; pixel < end; pixel++) {
      const value = stored[pixel] ?? 0
      const pixels = value * scale + offset
      data[pixel] = value === invalid || pixels <= 0 ? NaN : product / pixels
    }
    yield
  }
  return data
}

/** In the camera frame, metres: x right, y down, z forward; undefined without a measurement. Integer column and row. */
export function pointAt(disparity: Disparity, column: number, row: number) {
  const { width, height, data, step = 2 * width, focalLength, principalPoint, baseline } = disparity
  if (!(column >= 0 && column < width && row >= 0 && row < height)) return undefined
  const at = Math.floor(row) * step + 2 * Math.floor(column)
  const pixels = disparityOf((data[at] ?? 0) + 256 * (data[at + 1] ?? 0), disparity)
  if (Number.isNaN(pixels)) return undefined
  return {
    x: ((column - principalPoint.u) * baseline) / pixels,
    y: ((row - principalPoint.v) * baseline) / pixels,
    z: (focalLength * baseline) / pixels,
  }
}

/** A mono16 picture in millimetres; 0 without a measurement or beyond 65.535 m. */
export async function millimetresOf(
  { width, height, data }: Depth,
  { isOver }: DepthOptions = {},
): Promise<Pixels> {
  const values = await inSlices(millimetres(data), isOver, slice)
  return { width, height, encoding: 'mono16', data: Buffer.from(values.buffer) }
}

function* millimetres(metres: Float32Array) {
  const values = new Uint16Array(metres.length)
  for (let first = 0; first < values.length; first += stepPixels) {
    const end = Math.min(values.length, first + stepPixels)
    for (let pixel = first; pixel < end; pixel++) {
      const rounded = Math.round(1000 * (metres[pixel] ?? 0))
      values[pixel] = rounded <= farthest ? rounded : 0
    }
    yield
  }
  return values
}

/** From near to far: red, yellow, green, cyan, blue. Black is for pixels without a measurement. */
const anchors = [
  [178, 24, 24],
  [244, 128, 32],
  [250, 220, 60],
  [90, 190, 80],
  [50, 170, 200],
  [40, 70, 170],
] as const

const count = 256

const table = colours()

/** Metres. */
export interface DepthRange {
  near: number
  far: number
}

interface ColourOptions {
  /** @default the range of the picture, without its nearest and farthest two percent */
  range?: DepthRange
  /** Stops work whose result is no longer needed. @throws AbortError in that case */
  isOver?: () => boolean
}

/** A depth picture in colours for people: near is red, far is blue, black was not measured. */
export async function colouredDepth(
  depth: Depth,
  { range = usualRange(depth), isOver }: ColourOptions = {},
): Promise<Pixels> {
  const { width, height } = depth
  return { width, height, encoding: 'rgb8', data: await inSlices(coloured(depth, range), isOver, slice) }
}

function* coloured({ data }: Depth, { near, far }: DepthRange) {
  const pixels = Buffer.alloc(3 * data.length)
  const perMetre = far > near ? (count - 1) / (far - near) : 0
  for (let first = 0; first < data.length; first += stepPixels) {
    const end = Math.min(data.length, first + stepPixels)
    for (let pixel = first; pixel < end; pixel++) {
      const metres = data[pixel] ?? NaN
      if (Number.isNaN(metres)) continue
      const colour = 3 * Math.round(Math.min(count - 1, Math.max(0, (metres - near) * perMetre)))
      for (let part = 0; part < 3; part++) pixels[3 * pixel + part] = table[colour + part] ?? 0
    }
    yield
  }
  return pixels
}

/** The range of nearly all pixels: outliers would otherwise take most of the colours. Samples some ten thousand pixels. */
export function usualRange({ data }: Depth): DepthRange {
  const gap = Math.max(1, Math.floor(data.length / 10_000))
  const seen: number[] = []
  for (let pixel = 0; pixel < data.length; pixel += gap) {
    const metres = data[pixel] ?? NaN
    if (Number.isFinite(metres)) seen.push(metres)
  }
  const sorted = Float32Array.from(seen).sort()
  const rank = (part: number) => sorted[Math.round(part * (sorted.length - 1))] ?? 0
  return { near: rank(0.02), far: rank(0.98) }
}

function colours(): Uint8Array {
  const bytes = new Uint8Array(3 * count)
  for (let index = 0; index < count; index++) {
    const place = (index / (count - 1)) * (anchors.length - 1)
    const from = Math.min(anchors.length - 2, Math.floor(place))
    for (let part = 0; part < 3; part++) {
      const [low, high] = [anchors[from]?.[part] ?? 0, anchors[from + 1]?.[part] ?? 0]
      bytes[3 * index + part] = Math.round(low + (place - from) * (high - low))
    }
  }
  return bytes
}
