import { inSlices } from '../../kernel/timers'
import type { Pixels } from '../picture/pixels'
import type { Depth } from './depth'

/** Pixels in one step of work, well below a millisecond. */
const stepPixels = 1 << 15
/** Longest time in ms for which the event loop is held. */
const slice = 3

/** From near to far: red, yellow, green, cyan, blue. Black remains for pixels without a measurement. */
const anchors = [
  [178, 24, 24],
  [244, 128, 32],
  [250, 220, 60],
  [90, 190, 80],
  [50, 170, 200],
  [40, 70, 170],
] as const

/** Number of colours. */
const count = 256
const table = colours()

/** The depths between which the colours are spread, metres. */
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

/**
 * The range in which nearly all of a depth picture lies: single wrong pixels would otherwise take most of the colours.
 * Looks at some ten thousand pixels, spread evenly.
 */
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
