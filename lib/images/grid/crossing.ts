import type { Point, Saddle } from './saddles'

/** A corner where four squares meet. */
export interface Crossing extends Point {
  /** Directions of the two edges, radians, from 0 to π; clockwise in the picture from the first to the second. */
  edges: readonly [number, number]
  /** 1 if it is bright clockwise of the first edge, before the second; otherwise -1. */
  colour: 1 | -1
  /** Between bright and dark, 16 times the grey levels. */
  contrast: number
}

const samples = 24
/** Pixels: the larger ring is less noisy, the smaller one fits into smaller squares. */
const radii = [5, 3] as const
/** Between bright and dark, 16 times the grey levels. */
const leastContrast = 70
/** Opposite sides differ by less than this share of the contrast. */
const leastAlike = 0.3
/** Edges of two lines that do not go straight through, and that are nearly the same line, radians. */
const bend = 0.5
const narrow = 0.2

/** What a ring around a saddle shows: four arcs, bright and dark in turn, opposite ones alike; otherwise undefined. */
export function crossingAt(smooth: Int16Array, width: number, saddle: Saddle): Crossing | undefined {
  for (const radius of radii) {
    const found = onRing(smooth, width, saddle, radius)
    if (found) return found
  }
  return undefined
}

const directions = Array.from({ length: samples }, (_, index) => {
  const angle = (2 * Math.PI * index) / samples
  return { x: Math.cos(angle), y: Math.sin(angle) }
})
const ring = new Float64Array(samples)

function onRing(smooth: Int16Array, width: number, saddle: Saddle, radius: number): Crossing | undefined {
  let [low, high] = [Infinity, -Infinity]
  for (let index = 0; index < samples; index++) {
    const { x, y } = directions[index] as Point
    const value = levelAt(smooth, width, saddle.x + radius * x, saddle.y + radius * y)
    ring[index] = value
    if (value < low) low = value
    if (value > high) high = value
  }
  const contrast = high - low
  if (contrast < leastContrast) return undefined
  const middle = (low + high) / 2
  const crossings: number[] = []
  let unlike = 0
  for (let index = 0; index < samples; index++) {
    const here = (ring[index] as number) - middle
    const next = (ring[(index + 1) % samples] as number) - middle
    if (here > 0 !== next > 0) {
      if (crossings.length === 4) return undefined
      crossings.push(((index + here / (here - next)) * 2 * Math.PI) / samples)
    }
    if (index < samples / 2)
      unlike += Math.abs((ring[index] as number) - (ring[index + samples / 2] as number))
  }
  const [a, b, c, d] = crossings
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined
  if (unlike > (leastAlike * contrast * samples) / 2) return undefined
  if (Math.abs(c - a - Math.PI) > bend || Math.abs(d - b - Math.PI) > bend) return undefined
  const first = (a + c - Math.PI) / 2
  const second = (b + d - Math.PI) / 2
  if (second - first < narrow || second - first > Math.PI - narrow) return undefined
  const between = Math.round((((a + b) / 2) * samples) / (2 * Math.PI)) % samples
  return {
    x: saddle.x,
    y: saddle.y,
    edges: [first, second],
    colour: (ring[between] as number) > middle ? 1 : -1,
    contrast,
  }
}

/** Between four pixels. */
function levelAt(smooth: Int16Array, width: number, x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)]
  const [aside, below] = [x - column, y - row]
  const at = row * width + column
  const above = (smooth[at] as number) * (1 - aside) + (smooth[at + 1] as number) * aside
  const under = (smooth[at + width] as number) * (1 - aside) + (smooth[at + width + 1] as number) * aside
  return above * (1 - below) + under * below
}
