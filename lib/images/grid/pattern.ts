/** The printed checkerboard, and how a lattice matches it. */
import type { LatticeNode } from './lattice'
import type { Point } from './saddles'

/** A printed checkerboard. Its outline is that of the outer squares; the one at the top left is black. */
export interface GridPattern {
  /** Of the outline, metres. */
  width: number
  height: number
  columns: number
  rows: number
}

/** Rows of squares; devices report the size of their grid, but not what is printed on it. */
const usualRows = 9

/**
 * The checkerboard of that size with the squarest squares. @param width of the outline, metres @param height metres
 * @param rows of squares
 * @throws RangeError for an unsupported size or number of squares
 */
export function gridPattern(width: number, height: number, rows = usualRows): GridPattern {
  return checkedPattern({ width, height, rows, columns: Math.round((width / height) * rows) })
}

/** @throws RangeError for an unsupported size or number of squares */
export function checkedPattern(pattern: GridPattern): GridPattern {
  const { width, height, columns, rows } = pattern
  if (![width, height].every((edge) => edge >= 0.005 && edge <= 10))
    throw new RangeError(`A grid must be 0.005 to 10 m wide and high, got ${width} x ${height} m.`)
  if (![columns, rows].every((squares) => Number.isInteger(squares) && squares >= 4 && squares <= 60))
    throw new RangeError(`A grid must have 4 to 60 rows and columns, got ${columns} x ${rows}.`)
  return pattern
}

/** Looks the same when turned by 180°: no corner has another colour. */
export const isSymmetric = ({ columns, rows }: GridPattern): boolean => (columns + rows) % 2 === 0

/** Position of an inner corner in the grid's frame, metres from its centre. */
export const cornerPlace = (
  { width, height, columns, rows }: GridPattern,
  column: number,
  row: number,
): { x: number; y: number } => ({
  x: ((column + 1) * width) / columns - width / 2,
  y: ((row + 1) * height) / rows - height / 2,
})

export const cornersOf = (pattern: GridPattern): { x: number; y: number }[] =>
  Array.from({ length: pattern.rows - 1 }, (_, row) =>
    Array.from({ length: pattern.columns - 1 }, (_, column) => cornerPlace(pattern, column, row)),
  ).flat()

/** Wrong settings of a grid: rows, width and height exchanged, or size. */
export type PatternMistake = { kind: 'rows'; rows: number } | { kind: 'swapped' } | { kind: 'size' }

/** Explains another visible checkerboard by wrong settings. @param seen squares, in either order */
export function patternMistake(
  { width, height, rows }: GridPattern,
  seen: { columns: number; rows: number },
): PatternMistake {
  const isSeen = (across: number, down: number, lines: number) => {
    const columns = Math.round((across / down) * lines)
    return (
      Math.min(columns, lines) === Math.min(seen.columns, seen.rows) &&
      Math.max(columns, lines) === Math.max(seen.columns, seen.rows)
    )
  }
  if (isSeen(height, width, rows)) return { kind: 'swapped' }
  const counted = [seen.rows, seen.columns].find((lines) => isSeen(width, height, lines))
  return counted === undefined ? { kind: 'size' } : { kind: 'rows', rows: counted }
}

export interface PatternCorner {
  column: number
  row: number
  at: Point
}

export type OnPattern =
  | { corners: PatternCorner[] }
  /** Fewer rows or columns of squares than the pattern has. */
  | { misfit: 'partly'; columns: number; rows: number }
  | { misfit: 'other'; columns: number; rows: number }

const leastInLine = 2 // Nodes: shorter lines at the edge of a lattice are accidental

const leastSeen = 0.4 // share of the corners that must be seen

/**
 * A coarse texture also has crossings in a lattice: up to 28 with gaps in between, up to 15 without. A board has more, or
 * nearly all of its corners.
 */
const board = { corners: 40, fewest: 20, share: 0.95 } as const

/**
 * Matches a lattice to a pattern. If the pattern is symmetric, either of the two solutions is returned.
 * @returns undefined if it is no checkerboard
 */
export function onPattern(nodes: readonly LatticeNode[], pattern: GridPattern): OnPattern | undefined {
  const trimmed = withoutAccidents(nodes)
  const columns = spanOf(trimmed.map(({ column }) => column))
  const rows = spanOf(trimmed.map(({ row }) => row))
  const [across, down] = [pattern.columns - 1, pattern.rows - 1]
  const seen = { columns: columns.count + 1, rows: rows.count + 1 }
  const orientations = [
    ...(columns.count === across && rows.count === down
      ? [
          orientation(false, ({ column, row }) => ({
            column: column - columns.least,
            row: row - rows.least,
          })),
          orientation(false, ({ column, row }) => ({ column: columns.most - column, row: rows.most - row })),
        ]
      : []),
    ...(columns.count === down && rows.count === across
      ? [
          orientation(true, ({ column, row }) => ({ column: row - rows.least, row: columns.most - column })),
          orientation(true, ({ column, row }) => ({ column: rows.most - row, row: column - columns.least })),
        ]
      : []),
  ]
  if (!orientations.length) {
    const { length } = trimmed
    const isFull = length >= board.fewest && length >= board.share * columns.count * rows.count
    if (length < board.corners && !isFull) return undefined
    const isLess =
      Math.min(columns.count, rows.count) <= Math.min(across, down) &&
      Math.max(columns.count, rows.count) <= Math.max(across, down)
    return { misfit: isLess ? 'partly' : 'other', ...asPattern(seen, pattern) }
  }
  if (trimmed.length < leastSeen * across * down) return { misfit: 'partly', ...asPattern(seen, pattern) }
  for (const { isQuarter, placeOf } of orientations)
    if (trimmed.every((node) => isBright(node, isQuarter) === isWhite(placeOf(node))))
      return { corners: trimmed.map((node) => ({ ...placeOf(node), at: { x: node.at.x, y: node.at.y } })) }
  return { misfit: 'other', ...asPattern(seen, pattern) }
}

export function turnedHalf(
  corners: readonly PatternCorner[],
  pattern: GridPattern,
): PatternCorner[] | undefined {
  if (!isSymmetric(pattern)) return undefined
  return corners.map(({ column, row, at }) => ({
    column: pattern.columns - 2 - column,
    row: pattern.rows - 2 - row,
    at,
  }))
}

/** One orientation of the lattice on the pattern. */
const orientation = (
  isQuarter: boolean,
  placeOf: (node: LatticeNode) => { column: number; row: number },
) => ({
  isQuarter,
  placeOf,
})

/** A quarter turn exchanges the colours. */
const isBright = ({ colour }: LatticeNode, isQuarter: boolean) => (colour === 1) !== isQuarter

/** Whether the square to the right and below of a corner is white: that at the top left is black. */
const isWhite = ({ column, row }: { column: number; row: number }) => (column + row) % 2 !== 0

const asPattern = (seen: { columns: number; rows: number }, { columns, rows }: GridPattern) =>
  columns >= rows === seen.columns >= seen.rows ? seen : { columns: seen.rows, rows: seen.columns }

function spanOf(places: readonly number[]): { least: number; most: number; count: number } {
  const [least, most] = [Math.min(...places), Math.max(...places)]
  return { least, most, count: places.length ? most - least + 1 : 0 }
}

function withoutAccidents(nodes: readonly LatticeNode[]): readonly LatticeNode[] {
  let left = nodes
  for (;;) {
    const before = left.length
    for (const line of ['column', 'row'] as const) {
      const counts = new Map<number, number>()
      for (const node of left) counts.set(node[line], (counts.get(node[line]) ?? 0) + 1)
      const { least, most } = spanOf(left.map((node) => node[line]))
      left = left.filter(
        (node) =>
          (node[line] !== least && node[line] !== most) || (counts.get(node[line]) ?? 0) >= leastInLine,
      )
    }
    if (left.length === before) return left
  }
}
