/** Crossings of a checkerboard, and the lattice that they form. */
import type { Point, Saddle } from './saddles'

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

const leastContrast = 70 // 16 times the grey levels

const leastAlike = 0.3 // opposite sides differ by less than this share of the contrast

/** Radians: largest bend of an edge through a crossing, and smallest angle between the two edges. */
const bend = 0.5

const narrow = 0.2

/** Tests the ring around a saddle: four arcs, bright and dark in turn, opposite ones alike; otherwise undefined. */
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

/** Bilinear. */
function levelAt(smooth: Int16Array, width: number, x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)]
  const [aside, below] = [x - column, y - row]
  const at = row * width + column
  const above = (smooth[at] as number) * (1 - aside) + (smooth[at + 1] as number) * aside
  const under = (smooth[at + width] as number) * (1 - aside) + (smooth[at + width + 1] as number) * aside
  return above * (1 - below) + under * below
}

/** A crossing with its indices in the lattice. */
export interface LatticeNode {
  at: Crossing
  column: number
  row: number
  /** To the next column and the next row, pixels; seen from the front, the second is clockwise of the first. */
  across: Point
  down: Point
  /** 1 if the square to the right and below is bright. */
  colour: 1 | -1
}

export class CrossingMap {
  private readonly cells = new Map<number, Crossing[]>()

  constructor(readonly all: readonly Crossing[]) {
    for (const crossing of all) {
      const key = keyOf(crossing.x, crossing.y)
      const cell = this.cells.get(key)
      if (cell) cell.push(crossing)
      else this.cells.set(key, [crossing])
    }
  }

  near({ x, y }: Point, distance: number): Crossing[] {
    const found: [number, Crossing][] = []
    for (let row = Math.floor((y - distance) / cellSize); row <= (y + distance) / cellSize; row++)
      for (let column = Math.floor((x - distance) / cellSize); column <= (x + distance) / cellSize; column++)
        for (const crossing of this.cells.get(row * rowKey + column) ?? []) {
          const apart = Math.hypot(crossing.x - x, crossing.y - y)
          if (apart <= distance) found.push([apart, crossing])
        }
    return found.sort(([one], [other]) => one - other).map(([, crossing]) => crossing)
  }
}

const cellSize = 24

const rowKey = 65_536

const keyOf = (x: number, y: number) => Math.floor(y / cellSize) * rowKey + Math.floor(x / cellSize)

/** Largest deviation of the next corner from its prediction, as a share of the step. */
const offBy = 0.32

const aside = 0.35 // largest angle between an edge and the next corner, radians

/** Adjacent squares differ in contrast by less than this factor: shadows and glare are larger than squares. */
const unlike = 2.5

const longest = 250 // first step, pixels

const shortest = 5

const most = 5000 // Nodes of a lattice; the largest pattern has fewer

const fewestAround = 9 // smaller lattices have no gaps worth crossing

const widestGap = 3 // missing corners in a row: a cable, glare

const sides = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const

/** Grows a lattice around a crossing in all four directions, and across gaps. */
export function latticeFrom(seed: Crossing, map: CrossingMap): LatticeNode[] {
  const [across, down] = seed.edges.map((angle) => firstStep(seed, angle, map))
  if (!across || !down) return []
  const nodes: LatticeNode[] = [{ at: seed, column: 0, row: 0, across, down, colour: seed.colour }]
  const taken = new Set<Crossing>([seed])
  const places = new Set<string>(['0,0'])
  const add = (node: LatticeNode, columns: number, rows: number): boolean => {
    const place = `${node.column + columns},${node.row + rows}`
    if (nodes.length >= most || places.has(place)) return false
    const next = neighbour(node, columns, rows, map, taken)
    if (!next) return false
    nodes.push(next)
    taken.add(next.at)
    places.add(place)
    return true
  }
  let done = 0
  for (let gap = 1; gap <= widestGap; gap++) {
    for (; done < nodes.length; done++)
      for (const [columns, rows] of sides) add(nodes[done] as LatticeNode, columns, rows)
    if (gap === widestGap || nodes.length < fewestAround) break
    const steps = gap + 1
    const isWider = [...nodes].filter((node) =>
      sides.some(
        ([columns, rows]) =>
          !places.has(`${node.column + columns},${node.row + rows}`) &&
          add(node, steps * columns, steps * rows),
      ),
    )
    // Nodes beyond a gap have neighbours of their own.
    if (isWider.length) gap = 0
  }
  return nodes
}

/** To the nearest crossing along an edge, in either direction. */
function firstStep(seed: Crossing, angle: number, map: CrossingMap): Point | undefined {
  const along = { x: Math.cos(angle), y: Math.sin(angle) }
  let [best, least] = [undefined as Point | undefined, longest]
  for (const other of map.all) {
    const step = { x: other.x - seed.x, y: other.y - seed.y }
    const length = Math.hypot(step.x, step.y)
    if (length < shortest || length >= least) continue
    const cosine = (step.x * along.x + step.y * along.y) / length
    if (other.contrast * unlike < seed.contrast) continue
    if (Math.abs(cosine) < Math.cos(aside / 2) || !isCrossedBy(other, angle)) continue
    const sign = cosine < 0 ? -1 : 1
    best = { x: sign * step.x, y: sign * step.y }
    least = length
  }
  return best
}

const isCrossedBy = ({ edges }: Crossing, angle: number) => edges.some((edge) => between(edge, angle) < aside)

function between(one: number, other: number): number {
  const angle = Math.abs(one - other) % Math.PI
  return Math.min(angle, Math.PI - angle)
}

function neighbour(
  node: LatticeNode,
  columns: number,
  rows: number,
  map: CrossingMap,
  taken: ReadonlySet<Crossing>,
): LatticeNode | undefined {
  const step = {
    x: columns * node.across.x + rows * node.down.x,
    y: columns * node.across.y + rows * node.down.y,
  }
  const length = Math.hypot(step.x, step.y) / Math.abs(columns + rows)
  const expected = { x: node.at.x + step.x, y: node.at.y + step.y }
  const alongAcross = Math.atan2(node.across.y, node.across.x)
  const alongDown = Math.atan2(node.down.y, node.down.x)
  for (const at of map.near(expected, offBy * length)) {
    if (taken.has(at)) continue
    if (at.contrast * unlike < node.at.contrast || at.contrast > unlike * node.at.contrast) continue
    if (!isCrossedBy(at, alongAcross) || !isCrossedBy(at, alongDown)) continue
    const colour = colourTowards(at, node.across, node.down)
    const steps = columns + rows
    if ((colour === node.colour) !== (steps % 2 === 0)) continue
    const step = { x: (at.x - node.at.x) / steps, y: (at.y - node.at.y) / steps }
    return {
      at,
      column: node.column + columns,
      row: node.row + rows,
      across: columns ? step : node.across,
      down: rows ? step : node.down,
      colour,
    }
  }
  return undefined
}

function colourTowards({ edges: [first, second], colour }: Crossing, across: Point, down: Point): 1 | -1 {
  const [one, other] = [Math.hypot(across.x, across.y), Math.hypot(down.x, down.y)]
  const angle = Math.atan2(across.y / one + down.y / other, across.x / one + down.x / other)
  const turned = (((angle - first) % Math.PI) + Math.PI) % Math.PI
  return turned < second - first ? colour : colour === 1 ? -1 : 1
}
