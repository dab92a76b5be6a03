import { inSlices } from '../../kernel/timers'
import { values16Of, type Pixels } from '../picture/pixels'
import { disparityOf, type Disparity } from './disparity'

/** Distances along the optical axis, in rows from the top left. */
export interface Depth {
  width: number
  height: number
  /** Metres; NaN where nothing was measured. */
  data: Float32Array
}

/** Pixels in one step of work, well below a millisecond. */
const stepPixels = 1 << 15
/** Longest time in ms for which the event loop is held. */
const slice = 3
/** The largest depth that 16 bits hold, mm. */
const farthest = 65_535

interface DepthOptions {
  /** Stops work whose result is no longer needed. @throws AbortError in that case */
  isOver?: () => boolean
}

/**
 * The depth of every pixel: focal length times baseline, divided by the disparity.
 * @throws RangeError if the picture is not mono16 or too short
 */
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

/**
 * A point in the camera frame, metres: x right, y down, z forward. Undefined outside the picture and where nothing was
 * measured.
 * @param column of the disparity picture, whole
 * @param row of the disparity picture, whole
 */
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

/** The depth as a grey picture with 16 bits, in millimetres; 0 where nothing was measured or beyond 65.535 m. */
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
