/**
 * A printed checkerboard. Its outline is that of the outer squares, which are as black as the one at the top left; white
 * paper surrounds it.
 */
export interface GridPattern {
  /** Of the outline, metres. */
  width: number
  height: number
  /** Squares. */
  columns: number
  rows: number
}

/** Rows of squares, our choice: devices tell the size of their grid, but not what is printed on it. */
const usualRows = 9

/**
 * The checkerboard of that size, with squares as square as they can be.
 *
 * @param width of the outline, metres
 * @param height metres
 * @param rows of squares
 * @throws RangeError for a size or a number of squares that cannot be looked for
 */
export function gridPattern(width: number, height: number, rows = usualRows): GridPattern {
  return checkedPattern({ width, height, rows, columns: Math.round((width / height) * rows) })
}

/** @throws RangeError for a size or a number of squares that cannot be looked for */
export function checkedPattern(pattern: GridPattern): GridPattern {
  const { width, height, columns, rows } = pattern
  if (![width, height].every((edge) => edge >= 0.005 && edge <= 10))
    throw new RangeError(`A grid must be 0.005 to 10 m wide and high, got ${width} x ${height} m.`)
  if (![columns, rows].every((squares) => Number.isInteger(squares) && squares >= 4 && squares <= 60))
    throw new RangeError(`A grid must have 4 to 60 rows and columns, got ${columns} x ${rows}.`)
  return pattern
}

/** Whether it looks the same when it is turned by 180°: without a corner of another colour. */
export const isSymmetric = ({ columns, rows }: GridPattern): boolean => (columns + rows) % 2 === 0

/** Place of an inner corner in the grid's frame, metres from its centre. @param column from 0 @param row from 0 */
export const cornerPlace = (
  { width, height, columns, rows }: GridPattern,
  column: number,
  row: number,
): { x: number; y: number } => ({
  x: ((column + 1) * width) / columns - width / 2,
  y: ((row + 1) * height) / rows - height / 2,
})

/** Places of all inner corners, row by row. */
export const cornersOf = (pattern: GridPattern): { x: number; y: number }[] =>
  Array.from({ length: pattern.rows - 1 }, (_, row) =>
    Array.from({ length: pattern.columns - 1 }, (_, column) => cornerPlace(pattern, column, row)),
  ).flat()

/** What is wrong with the settings of a grid: its rows, or width and height are exchanged, or its size. */
export type PatternMistake = { kind: 'rows'; rows: number } | { kind: 'swapped' } | { kind: 'size' }

/**
 * Explains by the settings why another checkerboard is seen.
 * @param seen squares, in either order
 */
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
